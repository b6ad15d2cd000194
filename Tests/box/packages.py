"""A Debian archive of one package on this machine's loopback, which an emulated box reaches at 10.0.2.2."""

import contextlib
import functools
import http.server
import shutil
import subprocess
import threading


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


def publish(world, version):
    """Our own package, which lies beside the image, once more by another version."""
    folder = world.folder / "archive"
    for old in folder.glob("*.deb"):
        old.unlink()
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    package = world.image.parent / f"adhand-box_{world.image.stem.split('_')[1]}_all.deb"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True, timeout=60)
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join((f"Version: {version}" if line.startswith("Version:") else line) + "\n" for line in lines))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, folder / "adhand-box.deb"], check=True, capture_output=True, timeout=60)
    shutil.rmtree(tree)
    listing = subprocess.run(["dpkg-scanpackages", "-m", "."], cwd=folder, check=True, capture_output=True, timeout=60).stdout
    (folder / "Packages").write_bytes(listing)


@contextlib.contextmanager
def repository(world, version):
    folder = world.folder / "archive"
    folder.mkdir(exist_ok=True)
    publish(world, version)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world.extra = ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net"]
    try:
        yield f"http://10.0.2.2:{server.server_port}"
    finally:
        server.shutdown()
        world.extra = []
