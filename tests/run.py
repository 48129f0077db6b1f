"""Everything that must hold, in one command; stops at the first failure."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
STEPS = {
    "format": [BIN / "ruff", "format", "--check", "."],
    "lint": [BIN / "ruff", "check", "."],
    "types": [BIN / "mypy"],
    "rooms": [BIN / "lint-imports"],
    "tests": [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--durations",
        "10",
    ],
}


def main() -> int:
    for name, command in STEPS.items():
        began = time.monotonic()
        code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode
        print(f"[{name}] {'ok' if code == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s")
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
