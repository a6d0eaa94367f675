"""Each test begins in a new kernel, of no notebook."""

import pytest
from made_up_class import begin_anew


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    begin_anew()
    yield
    begin_anew()
