"""An apt archive on this machine's loopback, made by debian/archive.sh and signed by test keys, and machines that use it, each
with its own apt folders."""

import contextlib
import functools
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
from findings import Findings  # noqa: E402

CHECKOUT = Path(__file__).resolve().parent.parent.parent
SCRIPT = CHECKOUT / "debian/archive.sh"
FILES = CHECKOUT / "debian/archive-files"
findings = Findings()
expect = findings.expect


def machine_id(number):
    """A thousand ids that are the same each time. apt draws a number from 0 to 100 inclusive: of 100,000 ids, 2.0, 10.9 and
    50.5 % pass at 1, 10 and 50 %. Of other sets of a thousand, one in ten would be more than 3 % off by chance."""
    return hashlib.md5(f"box {number}".encode(), usedforsecurity=False).hexdigest()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def send_head(self):
        # File times are whole seconds, but here an index changes twice within one.
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, format, *arguments):
        pass


@contextlib.contextmanager
def serve(folder):
    folder.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def package(folder, name, version, architecture="amd64", depends="", source="adhand", files=()):
    """A package of a few bytes, made by dpkg-deb."""
    with tempfile.TemporaryDirectory() as root:
        tree = Path(root)
        tree.chmod(0o755)
        (tree / "DEBIAN").mkdir()
        lines = [f"Package: {name}", f"Version: {version}", f"Architecture: {architecture}", "Maintainer: nobody <nobody@localhost>",
            "Section: sound", "Priority: optional", *([f"Source: {source}"] if source != name else []),
            *([f"Depends: {depends}"] if depends else []), f"Description: {name} of a test"]
        (tree / "DEBIAN/control").write_text("\n".join(lines) + "\n")
        for path, text, mode in files:
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(mode)
        configuration = [f"/{path}\n" for path, _, _ in files if path.startswith("etc/")]
        if configuration:
            (tree / "DEBIAN/conffiles").write_text("".join(configuration))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, folder / f"{name}_{version}_{architecture}.deb"], check=True,
                       capture_output=True, timeout=60)


class Archive:
    """Keys, releases and the archive, each in a folder of its own."""

    def __init__(self, folder):
        self.folder, self.base, self.keys = folder, folder / "archive", folder / "keys"
        self.gnupg = folder / "gnupg"
        folder.mkdir(parents=True, exist_ok=True)
        self.gnupg.mkdir(mode=0o700)
        self.environment = os.environ | {"GNUPGHOME": str(self.gnupg), "ARCHIVE_KEYS": str(self.keys)}

    def run(self, *words, good=True):
        done = subprocess.run([SCRIPT, *map(str, words)], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=120, check=False)
        output = done.stdout + done.stderr
        if good and done.returncode:
            raise AssertionError(f"archive.sh {words}: {output}")
        return output

    def make_keys(self, *names):
        for name in names:
            self.run("key", name)

    def keyring(self):
        file = self.folder / "keyring.pgp"
        self.run("keyring", file)
        return file.read_bytes()

    def release(self, version, broken=(), **files):
        """The packages of a release like those of `make release`, but small."""
        folder = self.folder / f"release-{version}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        package(folder, "adhand", version, files=files.get("adhand", ()))
        # An upgrade must not pass over the previous version.
        package(folder, "adhand-programs", version)
        package(folder, "adhand-remote", version, depends=f"adhand, adhand-programs (= {version})")
        package(folder, "adhand-box", version, "all", depends=f"adhand (>= {version})")
        keyring = folder / "keyring.pgp"
        self.run("keyring", keyring)
        package(folder, "adhand-archive-keyring", version, "all", files=files.get("keyring", ()))
        keyring.unlink()
        for name, number in broken:
            package(folder, name, number, source=name)
        return folder

    def publish(self, version, **more):
        return self.run("publish", self.base, self.release(version, **more))

    def forget_secret(self, name):
        """Removes the secret key, as if its machine was lost or the key was off-line."""
        shown = subprocess.run(["gpg", "--show-keys", "--with-colons", self.keys / f"{name}.asc"], env=self.environment,
                               capture_output=True, text=True, check=True, timeout=60)
        fingerprint = re.search(r"^fpr:*([0-9A-F]+):", shown.stdout, re.M)[1]
        subprocess.run(["gpg", "--batch", "--yes", "--delete-secret-keys", fingerprint], env=self.environment, check=True,
                       capture_output=True, timeout=60)

    @property
    def index(self):
        return self.base / "public/dists/stable"

    def sign_as(self, change, home=None):
        """Signs the index with changed text: an index that this archive once published, or one that a thief signs."""
        text = change((self.index / "Release").read_text())
        (self.index / "Release").write_text(text)
        (self.index / "Release.gpg").unlink(missing_ok=True)
        (self.index / "InRelease").unlink()
        environment = self.environment | ({"GNUPGHOME": str(home)} if home else {})
        subprocess.run(["gpg", "--batch", "--clearsign", "-o", self.index / "InRelease", self.index / "Release"], env=environment,
                       check=True, capture_output=True, timeout=60)


class Machine:
    """This machine's apt, or that of another Debian root, with folders of its own in which adhand and libc6 are installed."""

    INSTALLED = {"adhand": "0.1.0", "adhand-remote": "0.1.0", "adhand-box": "0.1.0", "adhand-archive-keyring": "0.1.0", "libc6": "2.36-9"}

    def __init__(self, folder, url, keyring, root=None):
        self.root = root
        self.outside = (root / "test" if root else folder / "apt")
        self.inside = "/test" if root else str(self.outside)
        shutil.rmtree(self.outside, ignore_errors=True)
        for name in ("sources.list.d", "preferences.d", "lists/partial", "cache/archives/partial", "state"):
            (self.outside / name).mkdir(parents=True)
        self.keep(keyring)
        self.source(url)
        shutil.copy(FILES / "adhand.preferences", self.outside / "preferences.d/adhand")
        (self.outside / "status").write_text("".join(self.entry(name, version) for name, version in self.INSTALLED.items()))

    @staticmethod
    def entry(name, version):
        architecture = "all" if name in ("adhand-box", "adhand-archive-keyring") else "amd64"
        depends = "Depends: adhand\n" if name in ("adhand-box", "adhand-remote") else ""
        source = "" if name in ("adhand", "libc6") else "Source: adhand\n"
        return (
            f"Package: {name}\nStatus: install ok installed\nPriority: optional\nSection: sound\nMaintainer: nobody <nobody@localhost>\n"
            f"Architecture: {architecture}\n{source}Version: {version}\n{depends}Description: {name}\n\n")

    def keep(self, keyring):
        (self.outside / "keyring.pgp").write_bytes(keyring)

    def source(self, url, name="adhand.sources"):
        text = (FILES / "adhand.sources").read_text().replace("@ARCHIVE_URL@", url)
        text = text.replace("/usr/share/keyrings/adhand-archive-keyring.pgp", f"{self.inside}/keyring.pgp")
        (self.outside / "sources.list.d" / name).write_text(text)

    def apt(self, *words, identity=None, in_chroot=False, program="apt-get"):
        at = self.inside
        options = {
            "Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": f"{at}/sources.list.d", "Dir::Etc::Preferences": "/dev/null",
            "Dir::Etc::PreferencesParts": f"{at}/preferences.d", "Dir::State": f"{at}/state", "Dir::State::Lists": f"{at}/lists",
            "Dir::State::Status": f"{at}/status", "Dir::Cache": f"{at}/cache", "APT::Sandbox::User": "root", "APT::Architecture": "amd64",
            "Acquire::Languages": "none", "Acquire::Retries": "0", "Dir::Bin::ischroot": "/bin/true" if in_chroot else "/bin/false"}
        if identity is not None:
            options["APT::Machine-ID"] = identity
        command = [program, *[word for name, value in options.items() for word in ("-o", f"{name}={value}")], *words]
        if self.root:
            command = ["chroot", self.root, *command]
        # This machine's own settings of apt must not apply, such as one that accepts old indices.
        (self.outside / "apt.conf").write_text('Dir::Etc::Parts "/dev/null";\nDir::Etc::Main "/dev/null";\n')
        environment = {"APT_CONFIG": f"{at}/apt.conf", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    def update(self):
        return self.apt("-qq", "-o", "APT::Update::Error-Mode=any", "update")

    def planned(self, identity=machine_id(0), **more):
        """The packages that apt would install, with their versions."""
        code, output = self.apt("-s", "-qq", "upgrade", "--with-new-pkgs", identity=identity, **more)
        if code:
            raise AssertionError(output)
        return dict(re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+)", output, re.M))

    def version(self):
        command = ["chroot", self.root, "apt-get"] if self.root else ["apt-get"]
        return subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout.split()[1]
