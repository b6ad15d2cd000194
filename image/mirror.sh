# shellcheck shell=sh
# Prints the address of the Debian mirror that this machine uses.
apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Created-By: Packages' |
    awk '$2 == "Debian" && $3 == "Debian" { sub(/\/$/, "", $1); print $1; found = 1; exit } END { if (!found) print "http://deb.debian.org/debian" }'
