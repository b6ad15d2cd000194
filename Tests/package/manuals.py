#!/usr/bin/env python3
"""Tests the manual pages against the programs: every command and option is documented, and none that does not exist.

usage: manuals.py RELEASE-DIRECTORY
"""
import json
import pathlib
import re
import subprocess
import sys

RELEASE = pathlib.Path(sys.argv[1]).resolve()
PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/man"
EVERYWHERE = {"-h", "--help", "--version"}
faults = []


def described(program):
    """The program's own description of its commands."""
    dump = subprocess.run(
        [RELEASE / program, "--experimental-dump-help"], check=True, capture_output=True, text=True, timeout=60).stdout
    return json.loads(dump)["command"]


def options(command):
    """The options as they are typed, without those that every command has."""
    names = set()
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional" or not argument.get("shouldDisplay", True):
            continue
        for name in argument["names"]:
            names.add(("--" if name["kind"] == "long" else "-") + name["name"])
    return names - EVERYWHERE


# Subcommands that are the default; a program does not report which ones are.
DEFAULTS = {("exception", "set"), ("hijri", "day"), ("hijri", "pins", "list")}


def leaves(command, path=()):
    """Every command without subcommands, with the words that name it."""
    for inner in command.get("subcommands", []):
        if inner["commandName"] == "help":
            continue
        words = (*path, inner["commandName"])
        # The default action of a command is documented under its own name.
        if words in DEFAULTS:
            words = path
        if [i for i in inner.get("subcommands", []) if i["commandName"] != "help"]:
            yield from leaves(inner, words)
        else:
            yield words, inner


def flags(text):
    """The options in mdoc source: "Fl -json" is --json."""
    return {"-" + name for name in re.findall(r"\bFl (-?[A-Za-z][\w-]*)", text)}


def words_of(item):
    """The words that name a command in an ".It Cm" line, up to its arguments."""
    words = []
    for word in item.split()[2:]:
        if not re.fullmatch(r"[a-z][a-z-]*", word):
            break
        words.append(word)
    return tuple(words)


def page_of_commands(page, program, commands):
    """The items of a program's page, each with its text up to the next item that names another command."""
    items, open_items, started, depth = {}, [], False, 0
    for line in page.split(".Sh ENVIRONMENT")[0].splitlines():
        # The words of a list inside an item are not commands.
        depth += line.startswith(".Bl") - line.startswith(".El")
        if line.startswith(".It Cm") and depth == 1:
            known = [words_of(line)[:n] for n in (3, 2, 1) if words_of(line)[:n] in commands]
            if not known:
                faults.append(f"{program}(1) documents a command that does not exist: {line}")
                continue
            if started:
                open_items = []
            open_items.append(known[0])
            items.setdefault(known[0], "")
            started = False
        elif line.startswith((".El", ".Ss")) and depth == 0:
            open_items = []
        elif open_items:
            started = True
        for item in open_items:
            items[item] += line + "\n"
    return items


def check_commands(program):
    page = (PAGES / f"{program}.1").read_text()
    root = described(program)
    commands = dict(leaves(root))
    items = page_of_commands(page, program, commands)
    groups = {}
    for found in re.finditer(r"^\.Ar (\w+)\nstands for any of these options", page, re.MULTILINE):
        groups[found[1]] = flags(page[found.end():page.index(".El", found.end())])
    start = page.index("Options for every command")
    everywhere = flags(page[start:page.index(".El", start)]) | EVERYWHERE
    for option in options(root) - everywhere:
        faults.append(f"{program}(1) does not document {option}, which every command has")
    for words, command in commands.items():
        name = " ".join(words)
        if words not in items:
            faults.append(f"{program}(1) does not document the command {name}")
            continue
        text, has = items[words], options(command) | everywhere
        documented = flags(text) | everywhere
        for group, members in groups.items():
            if f"Ar {group}" in text:
                documented |= members
        for option in sorted(has - documented):
            faults.append(f"{program}(1) does not document {option} of {name}")
        for option in sorted(documented - has):
            faults.append(f"{program}(1) documents {option} of {name}, which does not exist")


def check_service(name):
    page = (PAGES / f"{name}.8").read_text()
    start = page.index("The options are:")
    documented, has = flags(page[start:page.index(".El", start)]) - EVERYWHERE, options(described(name))
    faults.extend(f"{name}(8) does not document {option}" for option in sorted(has - documented))
    faults.extend(f"{name}(8) documents {option}, which does not exist" for option in sorted(documented - has))


def check_without_options(name):
    """The page of a program that reads no options names none."""
    page = (PAGES / f"{name}.8").read_text()
    faults.extend(f"{name}(8) documents {option}, which does not exist" for option in sorted(flags(page)))


def check_every_program():
    """Each program of the executable files has a page."""
    makefile = (PAGES.parent.parent / "Makefile").read_text()
    names = re.search(r"^OTHERS +:=((?:.*\\\n)*.*)$", makefile, re.MULTILINE)[1].replace("\\\n", " ").split()
    for name in ("adhand", "adhanctl", *names):
        if not any((PAGES / f"{name}.{section}").exists() for section in (1, 8)):
            faults.append(f"{name} has no manual page")


def check_language():
    """The pages are mdoc without any warning of mandoc."""
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *sorted(PAGES.iterdir())], capture_output=True, text=True, timeout=60)
    faults.extend(done.stdout.splitlines())


check_commands("adhanctl")
check_commands("adhan-companion")
check_commands("adhan-fleet")
check_service("adhand")
check_service("adhan-display")
check_service("adhan-kiosk")
check_service("adhan-remote")
check_service("adhan-bridge")
check_service("adhan-hooks")
check_without_options("adhan-touch")
check_without_options("adhan-hotspot-dns")
check_every_program()
check_language()
for fault in faults:
    print(fault, file=sys.stderr)
print(f"manual pages: {len(faults)} faults")
sys.exit(1 if faults else 0)
