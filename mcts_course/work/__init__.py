"""What a student does: exercises, predictions, their own search, a project; and what is kept."""

from .own_film import FilmQuestions
from .project import OwnAgent, keep_search, my_search, project_page

__all__ = ["FilmQuestions", "OwnAgent", "keep_search", "my_search", "project_page"]
