"""Tests that box/upgrade.sh upgrades from adhand's archive and from Debian's, with the apt, dpkg and overlay of a real root.
Both archives are on the loopback. phase.py runs it."""

import json
import shutil
import subprocess
import time

from trials import dated
from world import CHECKOUT, FILES, Archive, expect, machine_id, package, serve

PROGRAM = "#!/bin/sh\necho {}\n"
BOX = CHECKOUT / "box"


def adhand(version, works=True):
    return [("usr/bin/adhand", PROGRAM.format(version) if works else "#!/bin/sh\nexit 1\n", 0o755),
            ("usr/bin/adhanctl", PROGRAM.format(version), 0o755)]


def texts(folder):
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


PREFERENCES = "etc/apt/preferences.d/adhand"


def contents(version, works=True, change="", more=()):
    """The files of a release. `change` is appended to the preferences; `more` are further files of the keyring's package."""
    preferences = (FILES / "adhand.preferences").read_text() + change
    return {"adhand": adhand(version, works), "keyring": [(PREFERENCES, preferences, 0o644), *more]}


class Box:
    """A flashed box in folders: its image is a Debian root, and the data partition of its card is a folder."""

    def __init__(self, folder, image, archive, ours, debian):
        self.folder, self.archive = folder, archive
        self.run, self.etc = folder / "run", folder / "etc"
        self.layers = self.run / "data/system"
        shutil.rmtree(folder, ignore_errors=True)
        for path in (self.layers, self.etc / "apt/sources.list.d", self.etc / "apt/preferences.d", self.etc / "apt/apt.conf.d",
                     folder / "bin", folder / "state"):
            path.mkdir(parents=True)
        (self.run / "system").symlink_to(image)
        (self.run / "layer").write_text("none\n")
        self.keyring = folder / "keyring.pgp"
        shutil.copy(FILES / "adhand.preferences", self.etc / "apt/preferences.d/adhand")
        (self.etc / "apt/apt.conf.d/trial").write_text(
            'APT::Sandbox::User "root";\nAcquire::Retries "0";\nAcquire::Languages "none";\nDPkg::Options "--force-unsafe-io";\n')
        (self.etc / "apt/sources.list.d/adhand.sources").write_text((FILES / "adhand.sources").read_text().replace("@ARCHIVE_URL@", ours))
        (self.etc / "apt/sources.list.d/debian.list").write_text(f"deb [trusted=yes] {debian} ./\n")
        for name, text in (("adhanctl",
                            "#!/bin/sh\ncase \"$*\" in *'card health'*) echo '{\"problems\":[],\"sound\":\"healthy\"}' ;; *) exit 69 ;;"
                            " esac\n"), ("systemctl", "#!/bin/sh\n")):
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)

    def make(self, identity, upgrades="on"):
        (self.etc / "machine-id").write_text(f"{identity}\n")
        (self.folder / "state/upgrades").write_text(f"{upgrades}\n")
        environment = {"PATH": f"{self.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "ADHAN_BOX_RUN": str(self.run),
                       "ADHAN_BOX_ETC": str(self.etc),
            "ADHAN_BOX_STATE": str(self.folder / "state"), "ADHAN_BOX_LIB": str(BOX / "lib"), "ADHAN_BOX_SPACE": "0"}
        # The mounts disappear with their namespace, as those of the box's unit do.
        done = subprocess.run(["unshare", "--mount", "--propagation", "private", "/bin/sh", BOX / "upgrade.sh", "make"], env=environment,
            capture_output=True, text=True, timeout=300, check=False)
        return done.stdout + done.stderr

    @property
    def state(self):
        return json.loads((self.run / "upgrade.json").read_text())

    @property
    def look(self):
        return (self.layers / "last-look").read_text()

    @property
    def apt(self):
        """The files of the running box's /etc/apt."""
        return texts(self.etc / "apt")

    def apt_of_layer(self):
        """The files of /etc/apt that the prepared layer overrides."""
        return texts(self.layers / self.state["prepared"] / "upper/etc/apt")

    def forget(self):
        """Resets the box to its state before any upgrade, except for its knowledge of the archive."""
        (self.run / "upgrade.json").unlink(missing_ok=True)
        for path in self.layers.iterdir():
            if path.name not in ("archive-date", "archive-since"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def has(self, name):
        """The version of a package in the prepared layer."""
        layer = self.state["prepared"]
        if not layer:
            return None
        status = (self.layers / layer / "upper/var/lib/dpkg/status").read_text()
        entry = next((part for part in status.split("\n\n") if part.startswith(f"Package: {name}\n")), "")
        return next((line[9:] for line in entry.split("\n") if line.startswith("Version: ")), None)


def image(root, release, keyring):
    """Installs adhand into the root, as in an image."""
    (root / "usr/lib/systemd").mkdir(parents=True, exist_ok=True)
    (root / "usr/lib/systemd/systemd").write_text("#!/bin/sh\n")
    (root / "usr/lib/systemd/systemd").chmod(0o755)
    (root / "usr/share/keyrings/adhand-archive-keyring.pgp").write_bytes(keyring)
    (root / "etc/machine-id").write_text("")
    for path in root.glob("etc/apt/sources.list*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (root / "debs").mkdir()
    for file in release.glob("*.deb"):
        shutil.copy(file, root / "debs")
    subprocess.run(["chroot", root, "sh", "-c", "dpkg -i --force-unsafe-io /debs/*.deb && rm -r /debs"], check=True, capture_output=True,
                   timeout=600)


def debian_archive(folder, version):
    folder.mkdir(parents=True, exist_ok=True)
    package(folder, "debian-thing", version, "all", source="debian-thing")
    listing = subprocess.run(["dpkg-scanpackages", "-m", "."], cwd=folder, check=True, capture_output=True, timeout=60).stdout
    (folder / "Packages").write_bytes(listing)


def boxes(folder, root):
    archive = Archive(folder / "of-boxes")
    archive.make_keys("present", "next")
    release = archive.release("0.1.0", **contents("0.1.0"))
    package(release, "debian-thing", "1", "all", source="debian-thing")
    image(root, release, archive.keyring())
    archive.publish("0.2.0", **contents("0.2.0"))
    debian = folder / "debian"
    debian_archive(debian, "1")
    with serve(archive.base / "public") as url, serve(debian) as other:
        box = Box(folder / "box", root, archive, url, other)
        identities = [machine_id(number) for number in range(300)]
        since = box.layers / "archive-since"
        since.write_text("1000\n")
        output = box.make(identities[0])
        turn = "waits for its turn"
        expect("a valid index ends the time in which it was asked in vain", not since.exists() and (box.layers / "archive-date").exists())
        expect("a version whose turn has not come waits, says so, and is not taken",
               turn in output and box.state["prepared"] is None and turn in box.look
            and "does not fit" not in output, output)
        archive.run("phase", archive.base, 50)
        outcomes = {}
        for identity in identities[1:9]:
            output = box.make(identity)
            outcomes[identity] = bool(box.state["prepared"])
            box.forget()
        expect("at 50 % some of eight boxes take it and some do not", 0 < sum(outcomes.values()) < 8, outcomes)
        first = next((identity for identity, taken in outcomes.items() if taken), identities[0])
        waiting = next((identity for identity, taken in outcomes.items() if not taken), identities[0])
        output = box.make(first)
        expect("one that takes it has a layer with the new packages",
               box.has("adhand") == "0.2.0" and box.has("adhand-archive-keyring") == "0.2.0"
            and "a restart goes over to" in output, output)
        expect("and keeps how well adhand was before",
               "healthy" in (box.layers / "health").read_text() and (box.layers / "trial").read_text() == "3\n")
        # The initramfs leaves this state after a failure: the layer is listed as abandoned, and the one before it runs.
        layer = box.state["prepared"]
        (box.layers / "failed").write_text(f"{layer}\n")
        (box.layers / "current").write_text("none\n")
        (box.layers / "trial").unlink()
        output = box.make(first)
        expect("one that was left is not taken again for a week", box.state["prepared"] is None and box.state["failed"] == layer
            and "in a week" in box.look and box.state["at"], output)
        debian_archive(debian, "1.5")
        output = box.make(first)
        expect("and Debian's updates do not wait for a better one", box.has("debian-thing") == "1.5" and box.has("adhand") == "0.1.0"
            and "in a week" in box.look, output)
        box.forget()
        debian_archive(debian, "2")
        output = box.make(waiting)
        expect("Debian's updates do not wait for adhand's turn",
               box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0" and turn in output, output)
        box.forget()
        output = box.make(first, upgrades="off")
        expect("with adhand-upgrades = off adhand stays, and Debian's updates go on",
               box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0"
            and "adhand's own archive" not in output, output)
        box.forget()
        kept = folder / "of-boxes-kept"
        shutil.copytree(archive.base / "public", kept)

        def restore():
            shutil.rmtree(archive.base / "public")
            shutil.copytree(kept, archive.base / "public")

        for what, change in (("expired", dated(15)), ("of three days ago", dated(3))):
            archive.sign_as(change)
            output = box.make(first)
            expect(f"with an index that is {what} only Debian's updates are taken",
                   box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0"
                and "only Debian's updates" in box.look, output)
            box.forget()
            restore()
        thief = Archive(folder / "thief-of-boxes")
        thief.make_keys("present")
        archive.sign_as(lambda text: text, home=thief.gnupg)
        output = box.make(first)
        expect("and with one that a stranger signed",
               box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0" and "only Debian's" in box.look, output)
        box.forget()
        shutil.rmtree(archive.base / "public")
        output = box.make(first)
        expect("and with an archive that is gone",
               box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0" and "only Debian's" in box.look, output)
        box.forget()
        source = box.etc / "apt/sources.list.d/adhand.sources"
        text = source.read_text()
        for no in ("Enabled: no", "enabled:  False "):
            source.write_text(f"{text.rstrip()}\n{no}\n")
            since.write_text("1000\n")
            output = box.make(first)
            expect(f"with \"{no}\" in its source the archive is not asked, and not missed",
                   box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0"
                and "only Debian's" not in box.look and not since.exists(), output)
            box.forget()
        source.write_text(f"Enabled: no\n{text.rstrip()}\n\n{text}")
        output = box.make(first)
        expect("one that is switched off in part is", "only Debian's" in box.look, output)
        source.write_text(text)
        box.forget()
        shutil.copytree(kept, archive.base / "public")
        archive.publish("0.3.0", **contents("0.3.0", works=False))
        archive.run("phase", archive.base, 100)
        output = box.make(first)
        expect("an adhand that does not run is no layer at all", box.state["prepared"] is None and "do not run: adhand " in box.look
            and not (box.layers / "new").exists(), output)
        output = box.make(first)
        expect("the next day Debian's updates go on without it",
               box.has("debian-thing") == "2" and box.has("adhand") == "0.1.0" and "in a week" in box.look, output)
        box.forget()
        archive.publish("0.3.1", **contents("0.3.1", change="# newer\n", more=[("etc/apt/apt.conf.d/adhand", "// ours\n", 0o644)]))
        archive.run("phase", archive.base, 100)
        before = box.apt
        output = box.make(first)
        expect("and a newer adhand is taken at once", box.has("adhand") == "0.3.1" and "in a week" not in box.look, output)
        changed = {"preferences.d/adhand", "apt.conf.d/adhand"}
        expect("what its packages change under /etc/apt is in the layer", set(box.apt_of_layer()) == changed
            and box.apt_of_layer()["preferences.d/adhand"].endswith("# newer\n"), box.apt_of_layer())
        expect("and not on the running box, which may go back", box.apt == before, box.apt.keys() ^ before.keys())
        box.forget()
        preferences = box.etc / "apt/preferences.d/adhand"
        preferences.write_text("# of this mosque\n" + preferences.read_text())
        before = box.apt
        output = box.make(first)
        expect("a file that somebody changed on the box stays that person's", box.has("adhand") == "0.3.1" and box.apt == before
            and "preferences.d/adhand" not in box.apt_of_layer(), f"{output}{box.apt_of_layer().keys()}")
    box = Box(folder / "box", root, archive, "http://127.0.0.1:1", "http://127.0.0.1:1")
    output = box.make(identities[0])
    expect("where nothing answers it tries again tomorrow", "tries again tomorrow" in box.look and box.state["prepared"] is None, output)
    expect("and a box that never had an index notes since when it asks for one", abs(int(since.read_text()) - time.time()) < 300, since)
    since.write_text("1000\n")
    box.make(identities[0])
    expect("which stays", since.read_text() == "1000\n", since.read_text())
    since.write_text(f"{int(time.time()) + 9 * 86400}\n")
    box.make(identities[0])
    expect("but for what a clock wrote that was ahead", abs(int(since.read_text()) - time.time()) < 300, since.read_text())
    since.unlink()
    (box.run / "no-clock").touch()
    box.make(identities[0])
    expect("while the clock is not known nothing is noted", not since.exists())
    (box.run / "no-clock").unlink()
    (box.layers / "archive-date").write_text("1000\n")
    box.make(identities[0])
    expect("nor where there was an index, whose date counts", not since.exists())
