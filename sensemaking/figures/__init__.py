"""Records to figures; pure, tested without a browser."""
