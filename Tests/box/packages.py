"""Package archives on this machine's loopback, which an emulated box reaches at 10.0.2.2: one with only a test package, and
adhand's archive as it is published, with a replacement of Debian's."""

import base64
import contextlib
import functools
import http.server
import importlib.util
import shutil
import subprocess
import threading
from pathlib import Path

# Tests/archive has a module "world" too, so the one of this folder is set aside during the import.
PLACE = Path(__file__).resolve().parent.parent / "archive/world.py"
SPEC = importlib.util.spec_from_file_location("archive_world", PLACE)
archives = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(archives)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


def renumber(package, version, to):
    """Repacks a package with another version."""
    tree = to.parent / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True, timeout=60)
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join((f"Version: {version}" if line.startswith("Version:") else line) + "\n" for line in lines))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, to], check=True, capture_output=True, timeout=60)
    shutil.rmtree(tree)


def built(world, name):
    """A package from the folder of the image."""
    version = world.image.stem.split("_")[1]
    for architecture in (world.architecture, "all"):
        if (file := world.image.parent / f"{name}_{version}_{architecture}.deb").exists():
            return file
    raise FileNotFoundError(f'no package {name} {version} lies beside {world.image}; run "make deb" first')


def list_packages(folder):
    listing = subprocess.run(["dpkg-scanpackages", "-m", "."], cwd=folder, check=True, capture_output=True, timeout=60).stdout
    (folder / "Packages").write_bytes(listing)


def publish(world, version):
    folder = world.folder / "archive"
    for old in folder.glob("*.deb"):
        old.unlink()
    renumber(built(world, "adhand-box"), version, folder / "adhand-box.deb")
    list_packages(folder)


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


class Signed:
    """adhand's archive, made and signed by debian/archive.sh with test keys, and a flat archive that replaces Debian's."""

    # A Debian package that every image contains, and that no trial needs.
    DEBIAN = "debian-archive-keyring"

    def __init__(self, world, version):
        self.version = version
        self.archive = archives.Archive(world.folder / "signed")
        self.archive.make_keys("present", "next")
        self.keyring = self.archive.keyring()
        self.stranger = archives.Archive(world.folder / "stranger")
        self.stranger.make_keys("present")
        release = world.folder / f"release-{version}"
        release.mkdir()
        for name in ("adhand", "adhand-box"):
            package = built(world, name)
            renumber(package, version, release / f"{name}_{version}_{package.stem.split('_')[2]}.deb")
        preferences = (archives.FILES / "adhand.preferences").read_text()
        archives.package(release, "adhand-archive-keyring", version, "all", files=[("etc/apt/preferences.d/adhand", preferences, 0o644)])
        self.archive.run("publish", self.archive.base, release)
        # A percentage would exclude some boxes, because this box's number is random.
        self.archive.run("phase", self.archive.base, 100)
        self.right = world.folder / "signed-right"
        shutil.copytree(self.archive.base / "public", self.right)
        self.debian = world.folder / "debian"
        self.debian.mkdir()
        archives.package(self.debian, self.DEBIAN, "9999", "all", source=self.DEBIAN)
        list_packages(self.debian)

    def forge(self):
        """Signs the same index validly with a key that no box knows."""
        self.archive.sign_as(lambda text: text, home=self.stranger.gnupg)

    def restore(self):
        shutil.rmtree(self.archive.base / "public")
        shutil.copytree(self.right, self.archive.base / "public")

    def enter(self, machine, ours, debian):
        """Makes the box use only these archives. The source is that of adhand-archive-keyring, except that the keyring is in a
        writable place."""
        keyring = "/etc/apt/keyrings/adhand-archive-keyring.pgp"
        source = (archives.FILES / "adhand.sources").read_text().replace("@ARCHIVE_URL@", ours)
        files = {
            keyring: self.keyring,
            "/etc/apt/sources.list.d/adhand.sources": source.replace("/usr/share/keyrings/adhand-archive-keyring.pgp", keyring).encode(),
            "/etc/apt/preferences.d/adhand": (archives.FILES / "adhand.preferences").read_bytes(),
            "/etc/apt/sources.list": f"deb [trusted=yes] {debian} ./\n".encode(),
        }
        machine.ask("rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; mkdir -p /etc/apt/keyrings")
        for path, content in files.items():
            machine.ask(f"echo {base64.b64encode(content).decode()} | base64 -d > {path} && chmod 644 {path}")

    def versions(self, machine):
        """The versions of the test package and of the Debian package in the prepared layer."""
        rows = machine.ask("dpkg-query --admindir=/run/adhan-box/data/system/$(cat /run/adhan-box/data/system/current)/upper/var/lib/dpkg "
            f"-W -f '${{Version}} ' adhand-box {self.DEBIAN}") or ""
        return rows.split()


@contextlib.contextmanager
def signed(world, version):
    """The signed archive, and the addresses of both archives as the box reaches them."""
    archive = Signed(world, version)
    world.extra = ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net"]
    try:
        with archives.serve(archive.archive.base / "public") as ours, archives.serve(archive.debian) as debian:
            yield archive, *(address.replace("127.0.0.1", "10.0.2.2") for address in (ours, debian))
    finally:
        world.extra = []
