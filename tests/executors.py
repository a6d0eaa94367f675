"""Executors that fail, as when a process has died or the user has pressed the stop button."""

from concurrent.futures import Executor, Future


class Failing(Executor):
    """Works at once; all but the first so many batches raise an error."""

    def __init__(self, error, batches=2):
        self.error, self.batches = error, batches

    def submit(self, act, *tasks):
        future = Future()
        self.batches -= 1
        if self.batches < 0:
            future.set_exception(self.error)
        else:
            future.set_result(act(*tasks))
        return future
