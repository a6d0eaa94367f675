"""The work of students: exercises, predictions, their own search, a project; and its storage."""

from .own_film import FilmQuestions
from .project import OwnAgent, keep_search, my_search, project_page

__all__ = ["FilmQuestions", "OwnAgent", "keep_search", "my_search", "project_page"]
