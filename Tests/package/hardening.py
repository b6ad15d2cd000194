#!/usr/bin/env python3
"""Checks that programs have the properties that the package promises. It reads only their program headers and dynamic section, so
it can check programs of any architecture.

usage: hardening.py PROGRAM...
"""
import pathlib
import re
import struct
import sys

# Debian 12 is the oldest supported system, as debian/control declares for libc6.
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
# Versions with names instead of numbers, and the version of the library that introduced each.
NAMED = {"GLIBC_ABI_DT_RELR": (2, 36), "GLIBC_ABI_GNU_TLS": (2, 42), "GLIBC_ABI_GNU2_TLS": (2, 42)}

LOAD, DYNAMIC, INTERPRETER, UNWINDING, STACK, RELRO = 1, 2, 3, 0x6474E550, 0x6474E551, 0x6474E552
EXECUTE, WRITE = 1, 2
NEEDED, STRTAB, TEXTREL, BIND_NOW, FLAGS, FLAGS_1, VERNEED, VERNEEDNUM, RUNPATH, RPATH = (
    1, 5, 22, 24, 30, 0x6FFFFFFB, 0x6FFFFFFE, 0x6FFFFFFF, 29, 15)
# Programs load these at the first use: otherwise each start would wait for forty libraries (Sources/CCurl, CMosquitto).
LATE = ("libcurl", "libmosquitto", "libssl", "libcrypto")


class Program:
    """A 64-bit little-endian ELF file."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError("it is no 64-bit little-endian program")
        self.kind, self.machine = struct.unpack_from("<HH", self.bytes, 16)
        start, = struct.unpack_from("<Q", self.bytes, 32)
        size, count = struct.unpack_from("<HH", self.bytes, 54)
        names = ("kind", "flags", "offset", "address", "physical", "size", "memory", "alignment")
        self.segments = [
            dict(zip(names, struct.unpack_from("<IIQQQQQQ", self.bytes, start + i * size))) for i in range(count)]
        self.dynamic = {}
        for segment in self.of_kind(DYNAMIC):
            for at in range(segment["offset"], segment["offset"] + segment["size"], 16):
                tag, value = struct.unpack_from("<qQ", self.bytes, at)
                if tag == 0:
                    break
                self.dynamic.setdefault(tag, []).append(value)

    def of_kind(self, kind):
        return [segment for segment in self.segments if segment["kind"] == kind]

    def flag(self, tag, bit):
        return bool(self.dynamic.get(tag, [0])[0] & bit)

    def offset(self, address):
        """The position of an address in the file."""
        for segment in self.of_kind(LOAD):
            if segment["address"] <= address < segment["address"] + segment["size"]:
                return address - segment["address"] + segment["offset"]
        raise ValueError(f"address {address:#x} is in no segment")

    def text(self, index):
        start = self.offset(self.dynamic[STRTAB][0]) + index
        return self.bytes[start:self.bytes.index(b"\0", start)].decode()

    def versions(self):
        """The library versions that the program needs, by name."""
        found = []
        library = self.offset(self.dynamic[VERNEED][0])
        for _ in range(self.dynamic[VERNEEDNUM][0]):
            _, count, _, first, following = struct.unpack_from("<HHIII", self.bytes, library)
            version = library + first
            for _ in range(count):
                _, _, _, name, step = struct.unpack_from("<IHHII", self.bytes, version)
                found.append(self.text(name))
                version += step
            library += following
        return found


def too_new(version):
    """Whether Debian 12 lacks that version."""
    if version in NAMED:
        return NAMED[version] > NEWEST["GLIBC"]
    found = re.fullmatch(r"([A-Z]+)_([\d.]+)", version)
    if not found:
        return version.startswith("GLIBC_")
    return found[1] in NEWEST and tuple(map(int, found[2].split("."))) > NEWEST[found[1]]


def faults(program):
    """The missing properties, each in a few words."""
    if program.kind != 3 or not program.flag(FLAGS_1, 0x08000000):
        yield "not position-independent (PIE)"
    for segment in program.of_kind(LOAD):
        if segment["flags"] & WRITE and segment["flags"] & EXECUTE:
            yield "a segment is writable and executable: systemd 254 and newer kill the program at its start"
        if segment["flags"] & EXECUTE and any(
                segment["address"] <= other["address"] < segment["address"] + segment["memory"]
                for other in program.of_kind(INTERPRETER) + program.of_kind(UNWINDING)):
            yield "what is no code is executable (-z separate-code is missing)"
    stack = program.of_kind(STACK)
    if not stack or stack[0]["flags"] & EXECUTE:
        yield "the stack is executable"
    if TEXTREL in program.dynamic or program.flag(FLAGS, 4):
        yield "code is changed when the program starts (text relocations)"
    if BIND_NOW not in program.dynamic and not program.flag(FLAGS, 8) and not program.flag(FLAGS_1, 1):
        yield "functions are looked up when they are first called (-z now is missing)"
    # The memory that becomes read-only must hold all tables of function addresses: it ends after the dynamic section.
    dynamic = program.of_kind(DYNAMIC)[0]
    if not any(r["address"] <= dynamic["address"] and
               dynamic["address"] + dynamic["memory"] <= r["address"] + r["memory"] for r in program.of_kind(RELRO)):
        yield "no RELRO segment around the dynamic section"
    for tag in (RPATH, RUNPATH):
        for index in program.dynamic.get(tag, []):
            if program.text(index) != "$ORIGIN":
                yield f"libraries are looked for in {program.text(index)}"
    for index in program.dynamic.get(NEEDED, []):
        if program.text(index).startswith(LATE):
            yield f"{program.text(index)} is loaded at the start"
    for version in sorted(filter(too_new, program.versions())):
        yield f"needs {version}, which Debian 12 does not have"


def main():
    paths = [pathlib.Path(name) for name in sys.argv[1:]]
    if not paths:
        sys.exit(__doc__)
    failed = 0
    for path in paths:
        try:
            found = list(faults(Program(path)))
        except (OSError, ValueError, struct.error) as error:
            found = [str(error)]
        for fault in found:
            print(f"{path}: {fault}", file=sys.stderr)
        failed += bool(found)
    print(f"hardening: {len(paths)} programs, {failed} with faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
