#!/bin/sh
# Makes the user, the directories and the catalog of installed files known to this machine.
# usage: register.sh SYSUSERS.CONF TMPFILES.CONF ADHAND.SERVICE
set -eu

if [ "$(id -u)" -ne 0 ]; then
    echo 'Installed. The user "adhand" was not made, which needs root: run "sudo make install" for a system service.'
    exit 0
fi
if ! command -v systemd-sysusers >/dev/null; then
    echo 'Installed. systemd is not on this machine: start adhand yourself, as a user in the group "audio".'
    exit 0
fi
systemd-sysusers "$1"
systemd-tmpfiles --create "$2"
journalctl --update-catalog
if [ ! -d /run/systemd/system ]; then
    echo 'Installed. systemd is not running here; when it is: systemctl enable --now adhand'
    exit 0
fi
systemctl daemon-reload
if systemctl is-active --quiet adhand.service; then
    systemctl restart adhand.service
    echo 'Installed, and adhand runs the new version.'
else
    echo 'Installed. Start it, now and with the machine:  sudo systemctl enable --now adhand'
fi
if [ -n "${SUDO_USER:-}" ] && [ "$SUDO_USER" != root ] && ! id -nG "$SUDO_USER" | tr ' ' '\n' | grep -qx adhan; then
    echo "To mute and stop it without sudo:               sudo adduser $SUDO_USER adhan   (then log in again)"
fi
if [ ! -e /etc/adhand/adhand.toml ]; then
    echo 'Tell it where it is and what it plays on:       sudo adhanctl setup'
fi
