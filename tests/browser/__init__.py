"""The player and the lessons in a real JupyterLab."""
