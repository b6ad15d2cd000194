#!/bin/bash
# Measures what adhand costs a machine: the time from exec to ready, the time of `adhanctl status`, the memory of an idle daemon,
# and for seven minutes how often the programs wake the machine while nothing is due. The same run measures MPD, and cron with
# mpg123. Called by `make bench`; needs a machine without other load.
set -eu
cd "$(dirname "$0")/.."
exec python3 Benchmarks/footprint.py "${RELEASE:-.build/release}" "${ROUNDS:-20}"
