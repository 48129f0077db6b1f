"""`python -m sensemaking` is the command line."""

from sensemaking.cli import main

if __name__ == "__main__":
    main()
