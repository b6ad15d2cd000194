#!/bin/bash
# The apt archive of adhand: made from a release, signed, and changed only by this. docs/RELEASING.md says when to do what.
# usage: archive.sh key NAME               a new key: the secret part in GNUPGHOME, the public one in debian/archive-keys/NAME.asc
#        archive.sh keyring FILE           the keyring that boxes and people get
#        archive.sh publish DIR RELEASE    the packages of the folder RELEASE become the archive's, for 1 % of the machines
#        archive.sh phase DIR PERCENT      1, 10, 50 or 100 % of the machines may upgrade
#        archive.sh rings DIR PERCENT...   an index for each of these rings and one without the version, of the two newest versions, for a
#                                          fleet's server
#        archive.sh sign DIR               signs the index again, as is needed daily
#        archive.sh withdraw DIR           takes the version out of the index, and puts the one before it back
#        archive.sh status DIR             what is in it, for how many, and until when
# DIR/public is what a web server serves, DIR/fleet is for "adhan-fleet rollout start". The rest of DIR stays here.
set -euo pipefail
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "$0")/.." && pwd)
keys=${ARCHIVE_KEYS:-$here/debian/archive-keys}
suite=stable
# An index that is older is refused by apt, so that nobody can hold machines back without being noticed.
valid_days=14

fail() { printf '%s\n' "$@" >&2; exit 1; }

# The fingerprints of a public key's file.
fingerprints() { gpg --batch --quiet --show-keys --with-colons "$@" 2> /dev/null | sed -n '/^pub:/,/^fpr:/s/^fpr:*\([0-9A-F]*\):.*/\1/p'; }

# The keys of debian/archive-keys whose secret parts are on this machine. While two are, both sign.
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
    # Without a terminal gpg cannot ask for a passphrase, and makes a key that has none.
    local passphrase=()
    [ -t 0 ] || passphrase=(--pinentry-mode loopback --passphrase '')
    fingerprint=$(gpg --batch --yes --quiet --status-fd 1 "${passphrase[@]}" --quick-generate-key "adhand archive $(date -u +%Y-%m-%d)" ed25519 sign 10y |
        sed -n 's/^\[GNUPG:\] KEY_CREATED P \([0-9A-F]*\).*/\1/p')
    [ -n "$fingerprint" ] || fail 'gpg made no key'
    gpg --batch --armor --export-options export-minimal --export "$fingerprint" > "$keys/$name.asc.new"
    mv "$keys/$name.asc.new" "$keys/$name.asc"
    printf '%s: %s\nCommit this file. The secret part is in %s: keep a copy of it off-line.\n' "$keys/$name.asc" "$fingerprint" "${GNUPGHOME:-$HOME/.gnupg}"
}

# Plain OpenPGP packets, one key after another, without anything of this machine.
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

# The newest version of adhand in the index.
version() { sed -n '/^Package: adhand$/,/^$/s/^Version: //p' "$dir/public/dists/$suite/main"/binary-*/Packages 2> /dev/null | sort -Vu | tail -n 1; }

# Every machine draws its own number, by source, version and machine-id: so one percentage is for all packages.
ring() {
    local percent=$1 version
    version=$(version)
    case $percent in
        100)
            : > "$dir/conf/override"
            # A field that an override has added stays with a package, so the packages are read again.
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

# The override of every package of a folder.
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
    # So the field is there with the first index that has the version.
    field_for "$dir/kept/$new" 1 > "$dir/conf/override"
    include "$dir/kept/$new"/*.deb
    # What a person fetches first, by a name that does not change.
    install -m 644 "$dir/kept/$new"/adhand-archive-keyring_*_all.deb "$dir/public/adhand-archive-keyring.deb"
    # The version before stays, for an emergency stop. A fleet may still be served that one, and its stop needs the one before it.
    kept_versions | head -n -3 | while read -r package; do rm -rf "$dir/kept/$package"; done
}

# The versions whose packages are here, the oldest first.
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

# Indices for a server that has no key, each younger than the one before, since apt goes back to no older one: of a version first the
# rings, then a stop. A server goes on with the version before, or with the stop of one that was withdrawn, until somebody begins the
# newest: so these are signed again with it. All of it is made on a copy, and the archive stays as it is.
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

# The two newest versions, and the two that were withdrawn last.
versions_of_a_fleet() {
    { kept_versions | tail -n 2; tail -n 2 "$dir/withdrawn" 2> /dev/null || true; } | sort -Vu
}

# Whether the index has that version, or a newer one.
holds_from() {
    local found
    found=$(version)
    [ -n "$found" ] && dpkg --compare-versions "$found" ge "$1"
}

# Of the local variables of rings.
copy_archive() {
    dir=$archive/rings.new
    rm -rf "$dir"
    mkdir -p "$dir/public"
    cp -a "$archive/conf" "$archive/db" "$archive/kept" "$dir/"
    cp -a "$archive/public/dists" "$dir/public/"
    cp -al "$archive/public/pool" "$dir/public/"
    settings
}

# Of the local variables of rings.
copy_ring() {
    mkdir -p "$out/rings/$made/$1"
    cp -a "$dir/public/dists" "$out/rings/$made/$1/"
    # Packages of every ring: the version before is in the last index alone. The stop of a first version has none.
    [ ! -d "$dir/public/pool" ] || cp -aln "$dir/public/pool" "$out/public/"
    # Two indices of one second would be of one age.
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
    # The index last, which names the others.
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
