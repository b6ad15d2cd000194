#!/bin/bash
# Plays the evening before Ramadan and its first day at a mosque, in a fresh Debian under a real systemd, with the clock set
# ahead: a published timetable, announced iqamas, and a crescent that is sighted after maghrib. The trial waits for each moment in
# real time, and skips the time between them. Prints a table; exits 1 if anything fails. Needs root, and the package in dist.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" = 0 ] || { echo 'please run as root: a container is started' >&2; exit 1; }
. Tests/package/box.sh
. Tests/package/checks.sh

suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
version=$(sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
package=dist/adhand_${version}_$(dpkg --print-architecture).deb
[ -e "$package" ] || { echo "$package is not there; run \"make deb\" first" >&2; exit 1; }

eve=2027-02-06
first=2027-02-07

# at INSTANT: restarts the service with its clock set to that instant.
at() {
    local ahead=$(($(date -d "$1" +%s) - $(date +%s)))
    within "mkdir -p /run/systemd/system/adhand.service.d
        printf '[Service]\nEnvironment=LD_PRELOAD=/share/clock_ahead.so CLOCK_AHEAD=%s\n' $ahead > /run/systemd/system/adhand.service.d/clock.conf
        systemctl daemon-reload; systemctl restart adhand"
}

# Prints the instant of an event of a day, from adhand's own times.
time_of() { inside adhanctl times --json --date "$1" | tr -d ' \n' | sed -E "s/.*\"events\":\{[^}]*\"$2\":\"([^\"]*)\".*/\1/"; }

# before SECONDS DATE EVENT [MINUTES]: sets the clock this many seconds before an event, or before MINUTES after it.
before() { at "@$(($(date -d "$(time_of "$2" "$3")" +%s) + ${4:-0} * 60 - $1))"; }

# heard ID [WORD]: within ninety seconds, the history lists the announcement as played, in a line with the word.
heard() {
    within "tries=0
        until adhanctl --json history --days 2 | tr '{' '\n' | grep '\"id\":\"$1\"' | grep '\"outcome\":\"played\"' | grep '${2:-}'; do
            tries=\$((tries + 1)); test \$tries -lt 90 || { adhanctl status; adhanctl history; exit 1; }; sleep 1; done"
}

install() {
    within 'apt-get update -qq; apt-get install -y -qq -o Dpkg::Use-Pty=0 /share/adhand.deb
        useradd -m volunteer; usermod -aG adhan volunteer; useradd -m stranger; mkdir -p /etc/adhand
        cat > /etc/asound.conf' <<CONF || return 1
pcm_type.lab { lib "/share/libasound_module_pcm_lab.so" }
pcm.card { type lab file "/var/lib/adhand/heard.raw" speed 1.0 }
pcm.!default { type plug slave.pcm card }
CONF
    within 'cat > /etc/adhand/adhand.toml; adhanctl check || test $? = 1' <<CONF
timezone = "Europe/London"
[location]
name = "Our mosque"
latitude = 51.5074
longitude = -0.1278
[calculation]
method = "london"
[adhan]
sound = "signal"
[iqama]
sound = "signal"
maghrib = "+1m"
fajr = "+1m"
[ramadan]
imsak = "fajr-10m"
iftar-sound = "signal"
isha = "maghrib+2h"
[ramadan.iqama]
fajr = "+2m"
CONF
}

# Publishes a timetable of all times but Isha, each one minute later than the computed one.
timetable() {
    within 'adhanctl timetable export --year 2027 | grep -v "^#" | cut -d, -f1,3-7 | awk -F, -v OFS=, "NR > 1 {
            for (i = 2; i <= NF; i++) { split(\$i, t, \":\"); m = t[1] * 60 + t[2] + 1; \$i = sprintf(\"%02d:%02d\", m / 60, m % 60) } } { print }" > /tmp/2027.csv
        head -3 /tmp/2027.csv; adhanctl timetable import /tmp/2027.csv --yes --name printed | grep "adhand has loaded the timetable"
        test "$(stat -c "%U %a" /var/lib/adhand/timetable.csv)" = "adhand 644"
        journalctl -u adhand ADHAND_EVENT=timetable.changed | grep "365 days"; adhanctl status | grep "published today"'
}

# A user who may not read the state directory gets the same times from the daemon.
stranger() {
    within "test \"\$(stat -c %a /var/lib/adhand)\" = 750
        own=\$(adhanctl times --date $first --json); test \"\$(runuser -u stranger -- adhanctl times --date $first --json)\" = \"\$own\"
        echo \"\$own\" | tr -d ' \n' | grep '\"published\":\[\"fajr\",\"sunrise\",\"dhuhr\",\"asr\",\"maghrib\"\]'
        runuser -u stranger -- adhanctl timetable show | grep printed
        runuser -u stranger -- adhanctl iqama --date $first | grep $first
        runuser -u stranger -- adhanctl explain fajr --date $first | grep 'published time'
        systemctl stop adhand.socket adhand; output=\$(runuser -u stranger -- adhanctl times --date $first 2>&1); echo \"\$output\"
        echo \"\$output\" | grep 'computed; the table could not be read'; systemctl start adhand.socket adhand"
}

sighted() {
    within "runuser -u stranger -- adhanctl hijri sighted && exit 1
        output=\$(runuser -u volunteer -- adhanctl hijri sighted); echo \"\$output\"; echo \"\$output\" | grep '1 Ramadan 1448 is Sunday 7 February 2027'
        journalctl -u adhand ADHAND_EVENT=hijri.changed | grep '1 Ramadan 1448'; adhanctl hijri pins | grep '1448-09.*$first.*command'
        adhanctl explain isha --date $eve | grep 'rule for Ramadan'; adhanctl --json hijri $first | tr -d ' \n' | grep '\"month\":9'"
}

taken_back() {
    within "adhanctl hijri pins remove 1448-09; adhanctl hijri pins | grep 1448-09 && exit 1
        adhanctl explain isha --date $eve | grep 'rule for Ramadan' && exit 1; adhanctl hijri sighted $eve"
}

trap box_down EXIT
failures=0
box_root "$suite" || exit 1
box_boot "$suite" || exit 1
cp "$package" "$box_share/adhand.deb"
gcc -shared -fPIC -O2 -DPIC Tests/Lab/pcm_lab.c -o "$box_share/libasound_module_pcm_lab.so" -lasound || exit 1
gcc -shared -fPIC -O2 Tests/Lab/clock_ahead.c -o "$box_share/clock_ahead.so" || exit 1
echo "== Ramadan, $suite"
is 'installed, with the mosque'\''s configuration' install
is 'the box is in the afternoon before Ramadan' at "$eve 14:00 UTC"
is 'the printed year is imported and in force' timetable
is 'a stranger to the state sees the same times through adhand' stranger
is 'the last maghrib before Ramadan, as it is printed' eval 'before 8 $eve maghrib && heard maghrib_20270206 published'
is 'its congregation a minute later' heard iqama_maghrib_20270206
is 'the crescent is sighted after maghrib, by who may say so' sighted
is 'Isha of the same evening is two hours after maghrib' eval 'before 8 $eve maghrib 120 && heard isha_20270206 rule'
is 'withdrawn it is as before, and said again' taken_back
is 'imsak, ten minutes before the printed Fajr' eval 'before 8 $first fajr -10 && heard imsak_20270207'
is 'Fajr' eval 'before 8 $first fajr && heard fajr_20270207 published'
is 'its congregation two minutes later, as in Ramadan' eval 'before 8 $first fajr 2 && heard iqama_fajr_20270207'
is 'the fast is broken: its sound and the adhan' eval 'before 8 $first maghrib && heard maghrib_20270207 "signal\",\"signal"'
is 'its congregation' heard iqama_maghrib_20270207
is 'Isha two hours after it' eval 'before 8 $first maghrib 120 && heard isha_20270207 rule'
is 'everything was heard without a dropout' within 'adhanctl history; test -z "$(journalctl -u adhand ADHAND_EVENT=audio.dropout -q -o cat)"
    adhanctl doctor; test -s /var/lib/adhand/heard.raw'
box_down
[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
