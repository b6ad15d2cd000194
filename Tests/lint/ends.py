#!/usr/bin/env python3
"""Checks that every wait of a trial has a limit: for a program, a line of its output, a connection, another thread or a
condition."""

import ast
import sys
from pathlib import Path

ROOTS = ("Tests", "Benchmarks", "Resources")
# A connection takes its timeout at this position, or by name.
CONNECTING = {"create_connection": 1, "urlopen": 2, "HTTPConnection": 2, "HTTPSConnection": 2}
RUNNING = ("run", "call", "check_call", "check_output")
CLOCKS = ("monotonic", "time", "now", "poll", "is_set")


def last(call):
    """The name of a function or method, without the part before the dot."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def calls(node):
    return [found for found in ast.walk(node) if isinstance(found, ast.Call)]


def endless_call(call):
    name, owner = last(call), ast.unparse(call.func).rpartition(".")[0]
    # `**` may contain one.
    if any(word.arg in ("timeout", None) for word in call.keywords):
        return None
    if owner == "subprocess" and name in RUNNING:
        return "the program may run for ever: timeout="
    if name in ("wait", "join") and owner and not call.args and not call.keywords:
        return f"{name}() may wait for ever: {name}(seconds)"
    if name == "communicate":
        return "the program may run for ever: communicate(timeout=)"
    if name == "readline" and owner.endswith((".stdout", ".stderr", "pipe")):
        return "the line may never come: ends.line(stream, what)"
    if name in CONNECTING and len(call.args) <= CONNECTING[name] and "get_running_loop" not in owner:
        return f"nobody may ever answer: {name}(…, timeout=)"
    return None


def endless_loop(loop):
    """A loop that sleeps and checks no clock, process or event."""
    names = {last(call) for call in calls(loop)}
    slept = any(ast.unparse(call.func) in ("time.sleep", "sleep") for call in calls(loop))
    return slept and not names & set(CLOCKS)


def untimed_sockets(scope):
    """Sockets that the function creates and connects without a timeout."""
    made = {}
    for node in ast.walk(scope):
        pairs = []
        if isinstance(node, ast.Assign):
            pairs = [(node.targets[0], node.value)]
        elif isinstance(node, ast.With):
            pairs = [(item.optional_vars, item.context_expr) for item in node.items if item.optional_vars]
        for target, value in pairs:
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "socket.socket":
                made[ast.unparse(target)] = node.lineno
    used = {(ast.unparse(call.func.value), call.func.attr) for call in calls(scope) if isinstance(call.func, ast.Attribute)}
    for name, line in made.items():
        connects = (name, "connect") in used or (name, "connect_ex") in used
        if connects and not ((name, "settimeout") in used or (name, "setblocking") in used):
            yield line


def complaints(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (words := endless_call(node)):
            yield node.lineno, words
        elif isinstance(node, ast.While) and endless_loop(node):
            yield node.lineno, "the loop sleeps and never looks at a clock"
        elif isinstance(node, (ast.FunctionDef, ast.Module)):
            scope = node if isinstance(node, ast.FunctionDef) else ast.Module(
                [part for part in node.body if not isinstance(part, (ast.FunctionDef, ast.ClassDef))], [])
            for line in untimed_sockets(scope):
                yield line, "the socket has no timeout: settimeout(seconds)"


# This script finds bad examples, and accepts good ones.
BAD = ("subprocess.run(words)", "process.wait()", "thread.join()", "process.communicate(data)", "process.stderr.readline()", "urlopen(url)",
       "while busy():\n    time.sleep(1)", "line = socket.socket()\nline.connect(path)")
GOOD = ("subprocess.run(words, timeout=5)", "subprocess.run(words, **more)", "process.wait(5)", "', '.join(words)",
        "process.communicate(timeout=3)", "file.readline()", "urlopen(url, timeout=2)", "while time.monotonic() < end:\n    time.sleep(1)",
        "line = socket.socket()\nline.settimeout(3)\nline.connect(path)", "server = socket.socket()\nserver.bind(path)")
problems = [f"Tests/lint/ends.py does not find: {text}" for text in BAD if not list(complaints(text))]
problems += [f"Tests/lint/ends.py refuses: {text}" for text in GOOD if list(complaints(text))]
files = sorted(file for root in ROOTS for file in Path(root).rglob("*.py"))
for file in files:
    problems += [f"{file}:{line}: {words}" for line, words in sorted(set(complaints(file.read_text())))]
if len(files) < 100:
    problems.append(f"{len(files)} files were found: this script does not fit")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
