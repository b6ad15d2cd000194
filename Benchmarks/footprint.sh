#!/bin/bash
# What adhand costs a machine: the time from exec to ready, of a whole `adhanctl status`, the memory of an idle daemon, and how often
# a minute the programs wake it while nothing is due (seven minutes). In the same run, the same of MPD, and of the usual makeshift, cron with mpg123. Called by `make bench`; wants a quiet machine.
set -eu
cd "$(dirname "$0")/.."
exec python3 Benchmarks/footprint.py "${RELEASE:-.build/release}" "${ROUNDS:-20}"
