#!/bin/bash
# Attacks the programs as they are installed. Each script of this folder is one family of attacks; it prints a line for each
# attack, and fails if one of them did harm.
# usage: run.sh DIRECTORY-OF-PROGRAMS [SCRIPT ...]
set -u
programs=$1
shift
here=$(dirname "$0")
[ $# -gt 0 ] || set -- "$here"/*.py
failed=0
for script in "$@"; do
    began=$SECONDS
    if timeout --kill-after=5 120 "$script" "$programs"; then
        echo "${script##*/}: held, $((SECONDS - began)) s"
    else
        echo "${script##*/}: FELL after $((SECONDS - began)) s"
        failed=1
    fi
done
exit $failed
