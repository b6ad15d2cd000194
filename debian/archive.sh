#!/bin/bash
# The apt archive of adhand: made from a release, signed, and changed by this script only. docs/RELEASING.md describes when to do
# what.
# usage: archive.sh key NAME               makes a key: secret part in GNUPGHOME, public part in debian/archive-keys/NAME.asc
#        archive.sh keyring FILE           writes the keyring that boxes and people install
#        archive.sh publish DIR RELEASE    adds the packages of the folder RELEASE to the archive, for 1 % of the machines
#        archive.sh phase DIR PERCENT      lets 1, 10, 50 or 100 % of the machines upgrade
#        archive.sh rings DIR PERCENT...   makes indices for a fleet's server: of the two newest versions, one for each of these
#                                          percentages and one without the version
#        archive.sh sign DIR               signs the index again, which is needed daily
#        archive.sh withdraw DIR           removes the version from the index, and restores the one before it
#        archive.sh status DIR             prints the version, its percentage, and until when the index is valid
# A web server serves DIR/public; DIR/fleet is for "adhan-fleet rollout start". The rest of DIR is not published.
set -euo pipefail
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "$0")/.." && pwd)
keys=${ARCHIVE_KEYS:-$here/debian/archive-keys}
suite=stable
# apt refuses an older index, so nobody can hold machines back unnoticed by serving an old one.
valid_days=14

fail() { printf '%s\n' "$@" >&2; exit 1; }

# Prints the fingerprints of the keys in public key files.
fingerprints() { gpg --batch --quiet --show-keys --with-colons "$@" 2> /dev/null | sed -n '/^pub:/,/^fpr:/s/^fpr:*\([0-9A-F]*\):.*/\1/p'; }

# Prints the keys of debian/archive-keys whose secret parts are on this machine. If there are two, both sign.
signers() {
    local file fingerprint
    for file in "$keys"/*.asc; do
        [ -e "$file" ] || continue
        for fingerprint in $(fingerprints "$file"); do
            if gpg --batch --quiet --list-secret-keys "$fingerprint" > /dev/null 2>&1; then echo "$fingerprint"; fi
        done
    done
}

make_key() {
    local name=$1 fingerprint
    case $name in present | next) ;; *) fail "a key is called \"present\" or \"next\", not \"$name\"" ;; esac
    [ ! -e "$keys/$name.asc" ] || fail "$keys/$name.asc is there: docs/RELEASING.md says how a key is replaced"
    mkdir -p "$keys"
    # Without a terminal, gpg cannot ask for a passphrase, so the key has none.
    local passphrase=()
    [ -t 0 ] || passphrase=(--pinentry-mode loopback --passphrase '')
    fingerprint=$(gpg --batch --yes --quiet --status-fd 1 "${passphrase[@]}" --quick-generate-key "adhand archive $(date -u +%Y-%m-%d)" ed25519 sign 10y |
        sed -n 's/^\[GNUPG:\] KEY_CREATED P \([0-9A-F]*\).*/\1/p')
    [ -n "$fingerprint" ] || fail 'gpg made no key'
    gpg --batch --armor --export-options export-minimal --export "$fingerprint" > "$keys/$name.asc.new"
    mv "$keys/$name.asc.new" "$keys/$name.asc"
    printf '%s: %s\nCommit this file. The secret part is in %s: keep a copy of it off-line.\n' "$keys/$name.asc" "$fingerprint" "${GNUPGHOME:-$HOME/.gnupg}"
}

# The keyring has only the binary OpenPGP packets of the keys, and nothing of this machine.
make_keyring() {
    local file
    for file in "$keys/present.asc" "$keys/next.asc"; do
        [ -e "$file" ] || fail "$file is missing: the keyring has the present key and the next. To make it: debian/archive.sh key $(basename "$file" .asc)"
        sed -e '1,/^\r\?$/d' -e '/^[=-]/,$d' "$file" | base64 -d
    done > "$1.new"
    mv "$1.new" "$1"
}

settings() {
    local signers
    signers=$(signers | paste -sd ' ')
    [ -n "$signers" ] || fail "no secret part of a key in $keys is on this machine, so nothing can be signed." \
        'Copy the folder of the release to the machine that has it, and run "make archive" there (docs/RELEASING.md).'
    mkdir -p "$dir/conf" "$dir/kept"
    touch "$dir/conf/override"
    cat > "$dir/conf/distributions" <<SETTINGS
Origin: adhand
Label: adhand
Suite: $suite
Codename: $suite
Architectures: amd64 arm64
Components: main
Description: adhand and its programs
ValidFor: ${valid_days}d
SignWith: $signers
DebOverride: override
SETTINGS
}

repository() { reprepro --silent --basedir "$dir" --outdir +b/public "$@"; }

# Prints the newest version of adhand in the index.
version() { sed -n '/^Package: adhand$/,/^$/s/^Version: //p' "$dir/public/dists/$suite/main"/binary-*/Packages 2> /dev/null | sort -Vu | tail -n 1; }

# apt derives a machine's number from source, version and machine-id, so the same machines get all packages of one percentage.
ring() {
    local percent=$1 version
    version=$(version)
    case $percent in
        100)
            : > "$dir/conf/override"
            # A field that an override added stays with a package, so the packages are added again.
            repository --export=silent-never removefilter $suite "\$Version (== $version)"
            repository --export=silent-never includedeb $suite "$dir/kept/$version"/*.deb
            ;;
        [1-9] | [1-9][0-9])
            field_for "$dir/kept/$version" "$percent" > "$dir/conf/override"
            repository --export=silent-never reoverride $suite
            ;;
        *) fail "1 to 100 percent, not \"$percent\". An emergency stop is \"withdraw\": at 0 percent about one machine in a hundred upgrades all the same" ;;
    esac
    repository export $suite
}

# Prints an override with the percentage for every package of a folder.
field_for() {
    local package
    for package in "$1"/*.deb; do dpkg-deb -f "$package" Package; done | sort -u | sed "s/\$/ Phased-Update-Percentage $2/"
}

include() { repository includedeb $suite "$@"; }

publish() {
    local release=$1 new old package
    settings
    compgen -G "$release/adhand_*.deb" > /dev/null || fail "no packages are in $release: run \"make release\" first"
    (cd "$release" && [ ! -e SHA256SUMS ] || sha256sum --quiet -c SHA256SUMS) || fail "$release is not what was released"
    new=$(dpkg-deb -f "$(compgen -G "$release/adhand_*.deb" | head -n 1)" Version)
    old=$(version)
    [ "$new" != "$old" ] || fail "$new is in the archive. For another ring: make archive-phase PERCENT=10"
    [ -z "$old" ] || dpkg --compare-versions "$new" gt "$old" || fail "$new is older than $old, which is in the archive, and nobody's apt would take it"
    compgen -G "$release/adhand-archive-keyring_*.deb" > /dev/null ||
        fail "adhand-archive-keyring is not in $release: set ARCHIVE_URL in the Makefile to the archive's address before \"make release\""
    rm -rf "$dir/kept/$new"
    mkdir -p "$dir/kept/$new"
    cp "$release"/*.deb "$dir/kept/$new/"
    # The override comes first, so that already the first index with this version has the field.
    field_for "$dir/kept/$new" 1 > "$dir/conf/override"
    include "$dir/kept/$new"/*.deb
    # The first package that a person downloads has a name that never changes.
    install -m 644 "$dir/kept/$new"/adhand-archive-keyring_*_all.deb "$dir/public/adhand-archive-keyring.deb"
    # Two earlier versions stay: the last one for an emergency stop, and the one before it for the stop of a fleet that still has
    # the last.
    kept_versions | head -n -3 | while read -r package; do rm -rf "$dir/kept/$package"; done
}

# Prints the versions whose packages are kept, the oldest first.
kept_versions() { find "$dir/kept" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V; }

withdraw() {
    local bad before
    settings
    bad=$(version)
    [ -n "$bad" ] || fail 'the archive is empty'
    repository removefilter $suite "\$Version (== $bad)"
    rm -rf "$dir/kept/$bad"
    printf '%s\n' "$bad" >> "$dir/withdrawn"
    : > "$dir/conf/override"
    before=$(kept_versions | tail -n 1)
    if [ -n "$before" ]; then
        include "$dir/kept/$before"/*.deb
        install -m 644 "$dir/kept/$before"/adhand-archive-keyring_*_all.deb "$dir/public/adhand-archive-keyring.deb"
    fi
    repository export $suite
    echo "$bad is out of the index${before:+, and $before is there again}. Machines that have $bad keep it until a higher version comes."
}

# Makes the indices for a server that has no key. Each is younger than the one before it, because apt accepts no older one. For
# each version the percentages come first, then a stop. Until somebody starts the newest version, a server continues with the
# version before it, or with the stop of a withdrawn one, so those are signed again as well. All this happens on a copy of the
# archive.
rings() {
    local archive=$dir newest out made percent
    newest=$(version)
    [ -n "$newest" ] || fail 'the archive is empty: run "make archive" first'
    out=$archive/fleet.new
    rm -rf "$out"
    mkdir -p "$out/public"
    cp -a "$archive/public/adhand-archive-keyring.deb" "$out/public/"
    for made in $(versions_of_a_fleet); do
        copy_archive
        if [ -d "$dir/kept/$made" ]; then
            until [ "$(version)" = "$made" ]; do withdraw > /dev/null; done
            for percent in "$@"; do
                ring "$percent"
                copy_ring "$percent"
            done
        fi
        while holds_from "$made"; do withdraw > /dev/null; done
        repository export $suite
        copy_ring stop
        dir=$archive
    done
    rm -rf "$archive/rings.new" "$archive/fleet"
    mv "$out" "$archive/fleet"
    printf 'The indices of %s for %s %% and for a stop are in %s, and so are those of the version before. Copy them to the fleet'\''s server:\n  rsync -rlt %s/ SERVER:/etc/adhan-fleet/reprepro/\n' \
        "$newest" "$*" "$archive/fleet" "$archive/fleet"
}

# Prints the two newest versions, and the two that were withdrawn last.
versions_of_a_fleet() {
    { kept_versions | tail -n 2; tail -n 2 "$dir/withdrawn" 2> /dev/null || true; } | sort -Vu
}

# Whether the index has that version or a newer one.
holds_from() {
    local found
    found=$(version)
    [ -n "$found" ] && dpkg --compare-versions "$found" ge "$1"
}

# Uses local variables of rings.
copy_archive() {
    dir=$archive/rings.new
    rm -rf "$dir"
    mkdir -p "$dir/public"
    cp -a "$archive/conf" "$archive/db" "$archive/kept" "$dir/"
    cp -a "$archive/public/dists" "$dir/public/"
    cp -al "$archive/public/pool" "$dir/public/"
    settings
}

# Uses local variables of rings.
copy_ring() {
    mkdir -p "$out/rings/$made/$1"
    cp -a "$dir/public/dists" "$out/rings/$made/$1/"
    # Collects the packages of every index: those of the version before are only in the last one. The stop of a first version has
    # none.
    [ ! -d "$dir/public/pool" ] || cp -aln "$dir/public/pool" "$out/public/"
    # Two indices that are signed in the same second would have the same age.
    sleep 1
}

status() {
    local percent
    percent=$(sed -n 's/.*Percentage //p' "$dir/conf/override" | sort -u | paste -sd ' ')
    printf 'version  %s\nring     %s %%\n' "$(version)" "${percent:-100}"
    sed -n 's/^Date: /signed   /p; s/^Valid-Until: /valid to /p' "$dir/public/dists/$suite/InRelease"
}

published() {
    status
    # The index comes last, because it refers to the other files.
    printf 'Copy it to the web server, the index last:\n  rsync -a %s/public/pool %s/public/*.deb SERVER:FOLDER/ && rsync -a --delete-after %s/public/ SERVER:FOLDER/\n' "$dir" "$dir" "$dir"
}

command=${1:-}
case $command in
    key | keyring) [ $# = 2 ] || command= ;;
    sign | withdraw | status)
        [ $# = 2 ] && dir=$(realpath -m "$2") || command=
        ;;
    rings)
        [ $# -ge 3 ] && dir=$(realpath -m "$2") || command=
        ;;
    publish | phase)
        [ $# = 3 ] && dir=$(realpath -m "$2") || command=
        ;;
esac
case $command in
    publish) ;;
    phase | rings | sign | withdraw | status) [ -e "$dir/conf/distributions" ] || fail "$dir is no archive: run \"make archive\" first" ;;
esac
case $command in
    key) make_key "$2" ;;
    keyring) make_keyring "$2" ;;
    publish) publish "$3" && published ;;
    phase) settings && ring "$3" && published ;;
    rings) rings "${@:3}" ;;
    sign) settings && repository export $suite && published ;;
    withdraw) withdraw && published ;;
    status) status ;;
    *) sed -n 's/^# usage: /usage: /p; s/^#        archive/       archive/p' "$0" >&2; exit 64 ;;
esac
