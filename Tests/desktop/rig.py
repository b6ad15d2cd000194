"""Helpers of the desktop trials."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

findings = Findings()
expect = findings.expect
