"""For the teacher: class reports, grading, and the source for nbgrader."""
