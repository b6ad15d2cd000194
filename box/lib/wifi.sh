# shellcheck shell=sh
# wifi.txt becomes a configuration of wpa_supplicant. Sourced. A password is printed into that configuration and nowhere else.

# wifi_configuration FILE: reads the text, prints the configuration; or says on standard error what is wrong in which line, and fails.
# What it had printed by then is worth nothing.
wifi_configuration() {
    wifi_network='' wifi_password='' wifi_has_password='' wifi_line=0 wifi_utf8=
    iconv -f UTF-8 -t UTF-8 "$1" > /dev/null 2>&1 && wifi_utf8=yes
    printf 'ctrl_interface=/run/wpa_supplicant\n'
    while IFS= read -r line || [ -n "$line" ]; do
        wifi_line=$((wifi_line + 1))
        [ -n "$wifi_utf8" ] || printf '%s' "$line" | iconv -f UTF-8 -t UTF-8 > /dev/null 2>&1 ||
            wifi_wrong 'a letter here is in no UTF-8: save the file with the encoding UTF-8' || return
        line=$(wifi_trimmed "$line")
        case $line in
            '' | '#'*) continue ;;
            *=*) ;;
            *) wifi_wrong 'is none of network = NAME, password = SECRET, country = GB' || return ;;
        esac
        key=$(wifi_trimmed "${line%%=*}" | tr '[:upper:]' '[:lower:]')
        value=$(wifi_trimmed "${line#*=}")
        wifi_unquoted || return
        case $key in
            country)
                value=$(printf '%s' "$value" | tr '[:lower:]' '[:upper:]')
                printf '%s' "$value" | grep -qxE '[A-Z]{2}' || wifi_wrong 'a country is two letters, such as GB, DE or SA' || return
                printf 'country=%s\n' "$value"
                ;;
            network)
                wifi_block || return
                wifi_network=$value wifi_password='' wifi_has_password=''
                [ -n "$value" ] && [ "$(printf '%s' "$value" | wc -c)" -le 32 ] ||
                    wifi_wrong 'the name of a network has 1 to 32 bytes' || return
                ;;
            password)
                [ -n "$wifi_network" ] || wifi_wrong 'the line with the network comes before the one with its password' || return
                wifi_password=$value wifi_has_password=yes
                printf '%s' "$value" | LC_ALL=C grep -qxE '[ -~]{8,63}|[0-9A-Fa-f]{64}' ||
                    wifi_wrong 'a password has 8 to 63 characters: letters from A to Z, digits, signs' || return
                ;;
            *) wifi_wrong 'only network, password and country are known here' || return ;;
        esac
    done < "$1"
    [ -n "$wifi_network" ] || { echo 'no network is named: network = NAME' >&2; return 1; }
    wifi_block
}

# wifi_names: the networks of such a configuration, and nothing else of it.
wifi_names() {
    sed -n 's/^# \(".*"\)$/\1/p' | paste -sd, - | sed 's/","/", "/g'
}

# The value without its quotes and the remark behind them, as in adhand.toml. Without quotes all of the line is the value: a password may
# have a "#" in it.
wifi_unquoted() {
    # shellcheck disable=SC1112
    case $value in
        '“'* | '”'* | '„'* | '«'* | '‘'* | '’'*) wifi_wrong 'this is no quote that is known here: write the straight one, ", or none'; return ;;
        '"'*) ;;
        *) return 0 ;;
    esac
    value=$(printf '%s' "$value" | sed 's/^\("[^"]*"\)[[:space:]]*#.*$/\1/; s/^\(".*"\)[[:space:]]*#[^"]*$/\1/')
    case $value in
        '"'*'"') value=${value#\"} value=${value%\"} ;;
        *) wifi_wrong 'behind a value in quotes there is nothing, or a "#" and a remark' ;;
    esac
}

wifi_wrong() {
    echo "line $wifi_line: $1" >&2
    return 1
}

wifi_trimmed() {
    set -- "${1#"${1%%[![:space:]]*}"}"
    printf '%s' "${1%"${1##*[![:space:]]}"}"
}

# The network read so far. Its name in hexadecimal digits, so that it may hold what it likes.
wifi_block() {
    [ -n "$wifi_network" ] || return 0
    printf '# "%s"\nnetwork={\n\tssid=%s\n\tscan_ssid=1\n' "$wifi_network" "$(printf '%s' "$wifi_network" | od -An -v -tx1 | tr -d ' \n')"
    if [ -z "$wifi_has_password" ]; then
        printf '\tkey_mgmt=NONE\n'
    elif [ ${#wifi_password} -eq 64 ]; then
        printf '\tkey_mgmt=WPA-PSK WPA-PSK-SHA256\n\tieee80211w=1\n\tpsk=%s\n' "$wifi_password"
    else
        printf '\tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n\tieee80211w=1\n\tpsk="%s"\n' "$wifi_password"
    fi
    printf '}\n'
}
