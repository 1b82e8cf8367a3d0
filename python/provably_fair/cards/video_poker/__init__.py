"""Video poker: holds, paytables, and their exact analysis."""
