"""`spondyl` and `python -m spondyl`. Ctrl-C while Python is still loading is no traceback either."""

import sys


def main() -> None:
    try:
        from spondyl import cli
    except KeyboardInterrupt:
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
