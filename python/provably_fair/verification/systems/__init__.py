"""What a log can be checked against."""
