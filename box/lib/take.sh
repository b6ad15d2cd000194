# shellcheck shell=sh
# Taking over one file of the card: only what differs from what was taken over last, and only when it is right. Sourced.

# item NAME FILE COMMAND...: runs COMMAND FILE where FILE is not the one that was taken over last. Fails with it, and then nothing has
# changed and the next boot looks again. What the command prints is for the report, and what it ends with says how: 0, taken over, and
# this is what was understood; 2, there is nothing in the file; 3, there is nothing in it any more, and this is what was taken back;
# anything else, this is why not. What is said of a file that was taken over is kept beside its hash, for the reports of later boots.
item() {
    name=$1 file=$2
    shift 2
    key=$(key_of "$name")
    changed=
    most=$(most_bytes "$name")
    if [ -n "$(find "$file" -size "+${most}c" 2>/dev/null)" ]; then
        echo "it has more than $((most / 1024)) KB: it is no file for this box" > "$work/said"
        refuse "$key" "$work/said"
        return 1
    fi
    hash=$(sha256sum < "$file" 2>/dev/null) || { say "$key" 'cannot be read from the card' ; return 1; }
    if [ "$hash" = "$(cat "$state/seen/$key" 2>/dev/null)" ]; then
        say_as_told "$key" 'taken over'
        return
    fi
    status=0
    # In a shell of its own, whose variables are not these.
    ("$@" "$file") > "$work/said" 2>&1 || status=$?
    case $status in
        0)
            changed=yes
            tell "$key" 'taken over'
            # Whatever the command wrote is on the disk before its hash says that it need not be done again.
            sync
            printf '%s\n' "$hash" > "$state/seen/$key.new"
            settled "$state/seen/$key"
            echo "$name on the card is new, and was taken over" | visible
            ;;
        2)
            if taken "$name"; then say "$key" 'says nothing; the box goes by what it had'; else say_as_told "$key" 'says nothing yet'; fi
            ;;
        3)
            changed=yes
            tell "$key" 'says nothing any more'
            sync
            rm -f "$state/seen/$key"
            echo "$name on the card says nothing any more, and what it said was taken back" | visible
            ;;
        *)
            refuse "$key" "$work/said"
            echo "$name on the card was not taken over: adhand-report.txt there says why" | visible >&2
            return 1
            ;;
    esac
}

key_of() { printf '%s' "$1" | tr '/' ':'; }

# taken NAME: whether the box goes by a file of that name.
taken() { [ -e "$state/seen/$(key_of "$1")" ]; }

# tell KEY WORDS: WORDS and what the command printed, now and at later boots.
tell() {
    { printf '%s\n' "$2"; shortened 30 < "$work/said"; } > "$state/told/$1"
    say_as_told "$1" "$2"
}

# say_as_told KEY WORDS: what was told of it when it was looked at; WORDS where that is not known.
say_as_told() { cat "$state/told/$1" > "$state/said/$1" 2>/dev/null || say "$1" "$2"; }

# refuse KEY FILE: with the reasons in FILE.
refuse() {
    say "$1" 'NOT taken over; the box goes by what it had'
    shortened 20 < "$2" >> "$state/said/$1"
}

# shortened LINES: so many of them, and how many more there are.
shortened() {
    awk -v most="$1" 'NR <= most { print } END { if (NR > most) print "and " NR - most " lines more" }'
}

say() { printf '%s\n' "$2" > "$state/said/$1"; }

# on_card NAME COMMAND...: the same for a file in the card's first folder, if it is there.
on_card() {
    wanted=$1
    shift
    there=$(found "$card" "$wanted")
    [ -z "$there" ] || item "$wanted" "$there" "$@"
}

# kept_at FILE NAME COMMAND...: the same for one that the box keeps as FILE. Where the box has lost that, it was not taken over.
kept_at() {
    [ -e "$1" ] || rm -f "$state/seen/$(key_of "$2")" "$state/told/$(key_of "$2")"
    shift
    on_card "$@"
}

take_all_before() {
    kept_at "$etc/wpa_supplicant/wpa_supplicant-wlan0.conf" wifi.txt take_wifi
    kept_at "$etc/ssh/adhan-box.keys" authorized_keys take_keys
    kept_at "$etc/adhand/adhand.toml" adhand.toml take_configuration
    kept_at "$etc/adhand/display.toml" display.toml take_screen
}

# adhand is on its way, or waits for somebody who says where it is, or for a clock: behind its socket, where each question takes its time.
awaited() {
    end=$(($(uptime_seconds) + ${ADHAN_BOX_PATIENCE:-60}))
    while [ -e "$etc/adhand/adhand.toml" ] && [ "$(uptime_seconds)" -lt $end ] &&
        ! timeout 5 adhanctl --json status > /dev/null 2>&1; do
        sleep 1
    done
}

uptime_seconds() { cut -d . -f 1 /proc/uptime; }

# Recordings come one after another, the timetable by the place that the configuration has. adhand is told once.
take_all_after() {
    awaited
    news=
    mkdir -p "$work/known"
    sound_files -type f -size -400000k ! -path './*/*/*' > "$work/sounds"
    while IFS= read -r file; do
        sound_item "$file" || true
        [ -z "$changed" ] || news=yes
    done < "$work/sounds"
    for ending in csv json zip; do
        on_card "timetable.$ending" take_timetable || true
    done
    # A configuration that says less than before is meant, where it is the card's. A new recording says nothing of that.
    if [ -e "$run/configured" ]; then news=yes; elif lost; then news=; fi
    [ -z "$news" ] || ! systemctl --quiet is-active adhand.service || adhanctl reload
    rm -f "$run/configured"
}

# lost: whether adhand goes on by what it kept, as something of its configuration is gone.
lost() {
    timeout 10 adhanctl --json status 2>/dev/null | jq -e '.configurationProblem.cause == "lost"' > /dev/null
}

# sound_files TEST...: what find says of the folder for recordings, but for what computers leave in every folder. As sounds/NAME.
sound_files() {
    folder=$(find "$card" -mindepth 1 -maxdepth 1 -type d -iname sounds | LC_ALL=C sort | head -n 1)
    [ -n "$folder" ] || return 0
    (cd "$folder" && find . -mindepth 1 \( -name '.*' -o -iname '*.txt' -o -iname Thumbs.db -o -iname desktop.ini -o \
        -iname 'System Volume Information' -o -iname '?RECYCLE.BIN' \) -prune -o \( "$@" \) -print) | sed 's|^\.|sounds|' | LC_ALL=C sort
}

# sound_item sounds/NAME: one recording; of two that would be one sound, the first.
sound_item() {
    changed=
    known=$(sound_name "${1#sounds/}")
    claim=$work/known/$(key_of "$known")
    if [ -n "$known" ] && [ -e "$claim" ]; then
        echo "this is the sound \"$known\", as $(cat "$claim") is: give one of them another name" > "$work/said"
        rm -f "$state/seen/$(key_of "$1")"
        refuse "$(key_of "$1")" "$work/said"
        return 1
    fi
    [ -z "$known" ] || printf '%s\n' "$1" > "$claim"
    item "$1" "$folder/${1#sounds/}" take_sound "$known"
}

# sound_name NAME: by what it is known. "Our Adhan (Makkah).mp3" is "our-adhan-makkah"; of a folder's files, adhan.mp3 is the folder's.
sound_name() {
    case ${1##*/} in *.*) set -- "${1%.*}" ;; esac
    printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^[:alnum:]_/]\{1,\}/-/g; s|^[-_]*||; s|/[-_]*|/|; s|-*/|/|; s|-*$||; s|/adhan$||'
}

# --- One kind of file each: prints why it cannot be taken, and fails, before anything has changed. 2: there is nothing in it.

take_configuration() {
    plain "$1" > "$work/adhand.toml" || return 1
    if says_nothing "$work/adhand.toml"; then return 2; fi
    mkdir -p "$etc/adhand"
    # Where adhand's own user can read it as well, for it is looked at with its rights.
    draft=$etc/adhand/adhand.toml.new
    cp "$work/adhand.toml" "$draft" && chmod 644 "$draft" || return 1
    status=0
    # Not by the socket, which is there before adhand is: that waits for this.
    timeout 90 adhanctl --socket "$work/none" --json check "$draft" > "$work/check" 2>"$work/trouble" || status=$?
    # 1: the text is right, and a sound or a device is not there (yet); adhand runs with it, and the report tells.
    if [ $status != 0 ] && [ $status != 1 ]; then
        mistakes "$work/check" || sed "s|$draft|adhand.toml|g" "$work/trouble"
        rm -f "$draft"
        return 1
    fi
    # By the zone alone it would be some town's times that are called, or Greenwich's.
    if jq -e '.location.approximate' "$work/check" > /dev/null; then
        echo 'it says not where the box is: under [location] write latitude and longitude, both without a "#" before them'
        rm -f "$draft"
        return 1
    fi
    # Whatever the box had stays beside it, also when this was cut off once after the new one was in its place.
    if [ -e "$etc/adhand/adhand.toml" ] && ! cmp -s "$draft" "$etc/adhand/adhand.toml"; then
        cp -p "$etc/adhand/adhand.toml" "$etc/adhand/adhand.toml.before-card.new" && settled "$etc/adhand/adhand.toml.before-card" || return 1
    fi
    cp "$draft" "$state/adhand.toml" && settled "$etc/adhand/adhand.toml" && : > "$run/configured"
}

# The mistakes of a text, a line each; fails where none is told.
mistakes() {
    jq -er '[(.problems // [])[] | select(.severity == "problem") | "line \(.line // "?"): \(.message)"] | if . == [] then empty else .[] end' "$1"
}

take_screen() {
    plain "$1" > "$work/display.toml" || return 1
    if says_nothing "$work/display.toml"; then return 2; fi
    timeout 60 adhanctl --json check --display "$work/display.toml" > "$work/check" 2>"$work/trouble" || [ $? = 1 ] ||
        { mistakes "$work/check" || sed "s|$work/||g" "$work/trouble"; return 1; }
    cp "$work/display.toml" "$etc/adhand/display.toml.new" && chmod 644 "$etc/adhand/display.toml.new" &&
        settled "$etc/adhand/display.toml" || return 1
    systemctl --quiet try-restart adhan-display.service || true
}

take_wifi() {
    plain "$1" > "$work/wifi" || return 1
    if says_nothing "$work/wifi"; then return 2; fi
    few_lines "$work/wifi" || return 1
    wifi_configuration "$work/wifi" > "$work/wpa" || return 1
    mkdir -p "$etc/wpa_supplicant"
    cp "$work/wpa" "$etc/wpa_supplicant/wpa_supplicant-wlan0.conf.new" && settled "$etc/wpa_supplicant/wpa_supplicant-wlan0.conf" || return 1
    wifi_names < "$work/wpa" > "$state/wifi-names"
    systemctl --no-block try-restart wpa_supplicant@wlan0.service || true
}

# Whoever may log in. The keys of this box's own are made only now.
take_keys() {
    plain "$1" > "$work/keys" || return 1
    mkdir -p "$etc/ssh"
    if says_nothing "$work/keys"; then
        taken "$name" || return 2
        : > "$work/keys"
        let_in || return 1
        echo 'the keys were taken back: nobody may log in with one of this card'
        return 3
    fi
    few_lines "$work/keys" && public "$work/keys" || return 1
    let_in || return 1
    mkdir -p "$etc/ssh/sshd_config.d"
    cp "$lib/sshd.conf" "$etc/ssh/sshd_config.d/adhan-box.conf" || return 1
    ssh-keygen -A -f "${etc%/etc}" > /dev/null && systemctl --quiet enable ssh.service && systemctl --no-block restart ssh.service
}

let_in() {
    cp "$work/keys" "$etc/ssh/adhan-box.keys.new" && chmod 644 "$etc/ssh/adhan-box.keys.new" && settled "$etc/ssh/adhan-box.keys"
}

# public FILE: whether each of its lines is a public key. What is no such thing is not repeated, as it may be a secret.
public() {
    if grep -qE 'BEGIN .*PRIVATE KEY|PuTTY-User-Key-File' "$1"; then
        echo 'this is a private key, which is for you alone: write what is in the file that ends in .pub, and as whoever holds this card'
        echo 'can read it, make yourself a new key'
        return 1
    fi
    number=0 wrong=
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        printf '%s\n' "$line" > "$work/line"
        says_nothing "$work/line" || ssh-keygen -l -f "$work/line" > /dev/null 2>&1 || {
            echo "line $number: this is no public SSH key: one begins with ssh-ed25519 or ssh-rsa, and is one long line"
            wrong=yes
        }
    done < "$1"
    [ -z "$wrong" ]
}

# take_sound NAME FILE: sounds/our-adhan.mp3 is "our-adhan", sounds/our-adhan/fajr.mp3 is what that has at Fajr.
take_sound() {
    sound=${1%/*} prayer=
    case $1 in
        '' | /*) echo 'its name has neither a letter nor a digit, and adhand.toml could not name it'; return 1 ;;
        */fajr | */dhuhr | */asr | */maghrib | */isha | */jumua) prayer=${1##*/} ;;
        */*) echo 'in a folder of a sound there are fajr.mp3, dhuhr.mp3, asr.mp3, maghrib.mp3, isha.mp3, jumua.mp3 and adhan.mp3'; return 1 ;;
    esac
    adhanctl sound add --replace "$2" --name "$sound" ${prayer:+--prayer "$prayer"} > "$work/added" 2>&1 || { said_plainly "$work/added"; return 1; }
    echo "it is known as \"$sound\"${prayer:+, at $prayer}"
}

take_timetable() {
    # Away from the card, whose names are of all kinds.
    ending=${1##*.}
    copy=$work/timetable.$ending
    cp "$1" "$copy" || return 1
    if [ "$ending" != zip ] && plain "$copy" > "$work/table" && says_nothing "$work/table"; then
        taken "$name" || return 2
        adhanctl timetable remove main > "$work/removed" 2>&1 || [ $? = 1 ] || { said_plainly "$work/removed"; return 1; }
        echo 'the timetable was taken back: the times are computed'
        return 3
    fi
    timeout 300 adhanctl timetable import --yes "$copy" > "$work/imported" 2>&1 || { said_plainly "$work/imported"; return 1; }
    # What was understood, and every warning; without the week of times, and what it says to somebody at a keyboard.
    sed '/^Date  /,/^beside each time/d; /^saved /d; /^adhand /d; /^$/d' "$work/imported"
}

# What adhanctl says, without its own name and without places on this box.
said_plainly() {
    sed "s/^adhanctl: //; s|$work/||g; s|$card/||g" "$1"
}

# --- The zone of the box: what the configuration says, else that of its place. An own one would be an hour wrong somewhere.
zone() {
    [ -e "$etc/adhand/adhand.toml" ] || return 0
    here=$(timeout 20 adhanctl --json times 2>/dev/null | jq -c .location) || return 0
    zone=$(printf '%s' "$here" | jq -r .timezone)
    if ! grep -qE '^[[:space:]]*timezone[[:space:]]*=' "$etc/adhand/adhand.toml"; then
        zone=$(timeout 20 adhanctl --json times "--latitude=$(printf '%s' "$here" | jq -r .latitude)" \
            "--longitude=$(printf '%s' "$here" | jq -r .longitude)" 2>/dev/null | jq -r .location.timezone) || return 0
    fi
    [ -e "/usr/share/zoneinfo/$zone" ] && [ "$(readlink "$etc/localtime")" != "/usr/share/zoneinfo/$zone" ] || return 0
    ln -sfn "/usr/share/zoneinfo/$zone" "$etc/localtime.new" && mv -fT "$etc/localtime.new" "$etc/localtime"
    echo "the box goes by the time zone $zone"
}
