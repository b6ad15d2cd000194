#!/usr/bin/env python3
"""Prints the contents of the released packages as SPDX 2.3: the libraries and files that are linked or embedded, with versions
and licences, and the dependencies on Debian. Linked libraries are detected in the programs themselves.

usage: sbom.py VERSION PACKAGE-RESOLVED PACKAGES-FILE... -- DEB...
       a PACKAGES-FILE is what `dpkg-query -W` says where packages of an architecture were linked, as ARCHITECTURE=FILE
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

APACHE = "Apache-2.0 WITH Swift-exception"
# Swift packages: SwiftPM's name, the licence, and a string that only programs contain in which they are linked.
SWIFT_PACKAGES = {
    "swift-argument-parser": (APACHE, b"ArgumentParser"),
    "swift-nio": ("Apache-2.0 AND MIT", b"NIOPosix"),
    "swift-atomics": (APACHE, b"7Atomics"),
    "swift-collections": (APACHE, b"DequeModule"),
    "swift-system": (APACHE, b"SystemPackage"),
    "tomlkit": ("MIT", b"TOMLKit"),
}
# Parts of Swift's toolchain.
TOOLCHAIN = {
    "swift-runtime": (APACHE, b"swift"),
    "swift-corelibs-libdispatch": (APACHE, b"libdispatch"),
    "swift-foundation (Essentials)": (APACHE, b"FoundationEssentials"),
    "swift-foundation (Foundation, Internationalization)": (APACHE, b"FoundationInternationalization"),
    "swift-foundation-icu, without its tables": ("Unicode-3.0", b"FoundationInternationalization"),
}
# Parts of Debian's development packages: the few objects of the C library and the compiler with which every program begins and
# ends.
STATIC = {
    "libc6-dev": "LGPL-2.1-or-later",
    "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
DATA = {
    "GeoNames (places)": ("CC-BY-4.0", "usr/bin/adhand", b"GeoNames"),
    "Unicode CLDR (countries' names)": ("Unicode-3.0", "usr/bin/adhand", b"GeoNames"),
    "adhand's sounds": ("CC0-1.0", "usr/share/adhand/audio/signal.mp3", b""),
}
OURS = "LicenseRef-adhand"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words)).strip("-")


class Document:
    def __init__(self):
        self.packages, self.relations = {}, []

    def package(self, name, version, licence, **more):
        """The identifier of a package; the same package twice is one."""
        key = identifier(name, version)
        self.packages.setdefault(key, {
            "SPDXID": key, "name": name, "versionInfo": version, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False, "downloadLocation": "NOASSERTION"} | more)
        return key

    def relate(self, one, kind, other):
        relation = {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
        if relation not in self.relations:
            self.relations.append(relation)


def programs(tree):
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF":
            yield path


def versions_of(packages_files):
    """architecture -> package -> version, of the packages that the programs were linked with; "swift" is the compiler."""
    return {
        architecture: dict(line.split("\t")[:2] for line in pathlib.Path(name).read_text().splitlines() if "\t" in line)
        for architecture, name in (text.split("=", 1) for text in packages_files)}


def describe(document, deb, tree, pins, versions):
    run("dpkg-deb", "-x", deb, tree)
    fields = {name: run("dpkg-deb", "-f", deb, name).strip() for name in ("Package", "Version", "Architecture", "Depends")}
    binary = pathlib.Path(deb).read_bytes()
    package = document.package(
        fields["Package"], f"{fields['Version']} {fields['Architecture']}", OURS,
        packageFileName=pathlib.Path(deb).name, primaryPackagePurpose="INSTALL",
        checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(binary).hexdigest()}])
    document.relate("SPDXRef-DOCUMENT", "DESCRIBES", package)
    linked = versions.get(fields["Architecture"], {})
    found = set()
    for program in programs(tree):
        content = program.read_bytes()
        for pin in pins:
            licence, word = SWIFT_PACKAGES[pin["identity"]]
            if word in content:
                found.add(pin["identity"])
                document.relate(package, "STATIC_LINK", document.package(
                    pin["identity"], pin["state"]["version"], licence,
                    downloadLocation=f"git+{pin['location']}@{pin['state']['revision']}"))
        for name, (licence, word) in TOOLCHAIN.items():
            if word in content:
                document.relate(package, "STATIC_LINK", document.package(name, linked["swift"], licence))
        for name, licence in STATIC.items():
            version = linked.get(name) or linked[f"{name}:{fields['Architecture']}"]
            document.relate(package, "STATIC_LINK", document.package(name, version, licence))
    for name, (licence, path, word) in DATA.items():
        file = tree / path
        if file.is_file() and word in file.read_bytes():
            document.relate(package, "CONTAINS", document.package(name, "as in the source", licence))
    for needed in filter(None, re.split(r",\s*", fields["Depends"])):
        document.relate(package, "DEPENDS_ON", document.package(
            "debian:" + needed.split()[0].split("|")[0], needed, "NOASSERTION", comment="a package of Debian, not part of this one"))
    return found


def main():
    version, resolved, *rest = sys.argv[1:]
    debs = rest[rest.index("--") + 1:]
    versions = versions_of(rest[:rest.index("--")])
    pins = json.loads(pathlib.Path(resolved).read_text())["pins"]
    for pin in pins:
        if pin["identity"] not in SWIFT_PACKAGES:
            sys.exit(f"sbom.py: {pin['identity']} is new: add its licence to SWIFT_PACKAGES, and to debian/copyright what is linked in")
    document, found = Document(), set()
    for deb in sorted(debs):
        with tempfile.TemporaryDirectory() as name:
            found |= describe(document, deb, pathlib.Path(name), pins, versions)
    if not {"swift-argument-parser", "swift-nio"} <= found:
        sys.exit(f"sbom.py: the packages have none of what they are known to have, only {sorted(found)}: its words are wrong")
    when = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = sorted(document.packages.values(), key=lambda package: package["SPDXID"])
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"adhand {version}",
        "documentNamespace": f"https://adhand.invalid/spdx/{version}/{digest}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: debian/sbom.py"]},
        "hasExtractedLicensingInfos": [{"licenseId": OURS, "extractedText": "All rights are those of adhand's authors, who have not put a licence on it yet."}],
        "packages": packages, "relationships": document.relations}, indent=1))


main()
