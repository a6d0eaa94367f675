"""What a student does: exercises, predictions, their own search, a project; and what is kept."""

from .project import OwnAgent, keep_search, my_search, project_page

__all__ = ["OwnAgent", "keep_search", "my_search", "project_page"]
