"""Worker processes do not run the main script again: a Streamlit page has no guard against it."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from sensemaking.adapters.executors import ProcessExecutor
print("main script")
executor = ProcessExecutor(1)
print(executor.submit(len, "four").result(60))
executor.close()
"""


def test_a_main_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    path = tmp_path / "page.py"
    path.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split("\n") == ["main script", "4", ""], done.stderr
