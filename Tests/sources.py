"""The files of the project, for the tests that read them."""
import os
import subprocess


def names():
    """Paths from the top: the files that git knows, or all files that are not hidden in a copy without a git directory."""
    command = ["git", "-c", "safe.directory=*", "ls-files"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if listed.returncode == 0:
        return listed.stdout.split("\n")[:-1]
    found = []
    for folder, inner, files in os.walk("."):
        inner[:] = [name for name in inner if not name.startswith(".") and name not in ("dist", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name)) for name in files]
    return sorted(found)
