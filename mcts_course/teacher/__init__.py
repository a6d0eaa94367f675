"""The teacher's room: class reports, grading, and the source for nbgrader."""
