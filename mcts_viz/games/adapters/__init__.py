"""Games and environments of other libraries, which are loaded when one is made."""
