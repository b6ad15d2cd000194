"""The trials of the apt archive that phase.py and quick.py run. Each uses an archive and machines; `machine(url, keyring)`
makes a machine of one apt."""

import calendar
import os
import re
import shutil
import subprocess
import time

from world import Archive, expect, machine_id, package, serve

DAY = 86400
RINGS = (1, 10, 50, 100)


def stamp(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime(seconds))


def dated(days):
    """The index as it was signed some days ago."""
    def change(text):
        text = re.sub(r"^Date: .*", f"Date: {stamp(time.time() - days * DAY)}", text, flags=re.M)
        return re.sub(r"^Valid-Until: .*", f"Valid-Until: {stamp(time.time() + (14 - days) * DAY)}", text, flags=re.M)
    return change


def rings(folder, machine, count, twice):
    """This many machines of every ring. The first `twice` of them run apt a second time."""
    archive = Archive(folder / "rings")
    archive.make_keys("present", "next")
    archive.publish("0.2.0")
    allowed = 3 if count >= 1000 else 12
    before = set()
    with serve(archive.base / "public") as url:
        one = machine(url, archive.keyring())
        for percent in RINGS:
            if percent > 1:
                archive.run("phase", archive.base, percent)
            code, output = one.update()
            taken = {number for number in range(count) if one.planned(machine_id(number))}
            share = 100 * len(taken) / count
            expect(f"at {percent} % it is {share:.1f} % of {count} machines", code == 0 and abs(share - percent) <= allowed, output)
            expect("with those of the ring before", before <= taken, before - taken)
            again = {number for number in range(twice) if one.planned(machine_id(number))}
            expect(f"and twice the same {len(again)} of {twice}", again == {number for number in taken if number < twice})
            before = taken
            if percent == 1:
                waiting = next(number for number in range(count) if number not in taken)
                trap = one.planned(machine_id(waiting), in_chroot=True)
                expect("in a chroot every machine would take it at once, without the option against that",
                       trap and not one.planned(machine_id(waiting)), trap)
                later = one.apt("-s", "-qq", "-o", "APT::Get::Always-Include-Phased-Updates=true", "upgrade", identity=machine_id(waiting))
                expect("and what waits for its turn can be asked for", "Inst adhand " in later[1], later)
        packages = (archive.index / "main/binary-amd64/Packages").read_text()
        expect("in the end the index has no percentage", "Phased-Update-Percentage" not in packages, packages)
        archive.publish("0.3.0")
        one.update()
        fresh = {number for number in range(min(count, 300)) if one.planned(machine_id(number))}
        archive.run("phase", archive.base, 10)
        one.update()
        fresh = {number for number in range(min(count, 300)) if one.planned(machine_id(number))}
        expect("another version has other first machines", fresh and len(fresh & before) and fresh != {n for n in before if n < 300},
               len(fresh))


def replaced(source, target):
    """Replaces a file as rsync does: the old file is unlinked, so its other links keep their content."""
    if os.path.lexists(target):
        os.unlink(target)
    return shutil.copy2(source, target)


def whole(one):
    """Whether a plan contains all packages of adhand."""
    return set(one.planned()) >= {"adhand", "adhand-box", "adhand-programs", "adhand-remote", "adhand-archive-keyring"}


def signatures(folder, machine):
    archive = Archive(folder / "signatures")
    archive.make_keys("present", "next")
    archive.publish("0.2.0")
    archive.run("phase", archive.base, 100)
    keyring = archive.keyring()
    with serve(archive.base / "public") as url:
        one = machine(url, keyring)
        code, output = one.update()
        expect("an index with a right signature is taken", code == 0 and whole(one), output)
        shutil.copytree(archive.base / "public", folder / "kept")

        def refused(what, reason):
            other = machine(url, keyring)
            code, output = other.update()
            expect(f"{what} is refused, and nothing of it is installed", code != 0 and not other.planned() and re.search(reason, output),
                   f"{code} {output}")

        def restore():
            shutil.rmtree(archive.base / "public")
            shutil.copytree(folder / "kept", archive.base / "public")

        thief = Archive(folder / "thief")
        thief.make_keys("present")
        archive.sign_as(lambda text: text, home=thief.gnupg)
        refused("an index that another key has signed", "NO_PUBKEY|not signed|Missing key|verif")
        restore()
        archive.sign_as(dated(15))
        refused("an index of 15 days ago", "expired")
        restore()
        (archive.index / "InRelease").unlink()
        (archive.index / "Release.gpg").unlink()
        refused("an index without a signature", "not signed")
        restore()
        text = (archive.index / "InRelease").read_text()
        (archive.index / "InRelease").write_text(text.replace("Origin: adhand", "Origin: Debian"))
        (archive.index / "Release.gpg").unlink()
        refused("an index that was changed after it was signed", "BADSIG|not signed|invalid|verif|Signature")
        restore()
        for file in (archive.base / "public/pool").rglob("adhand-remote_*.deb"):
            file.write_bytes(file.read_bytes() + b"more")
        code, output = machine_updated(machine, url, keyring).apt("-qq", "-y", "--download-only", "upgrade", "--with-new-pkgs",
                                                                  identity=machine_id(0))
        expect("a package that was changed is not even kept", code != 0 and re.search("unexpected size|[Hh]ash", output), output)
        restore()
        archive.sign_as(dated(3))
        old = machine_updated(machine, url, keyring)
        expect("one of three days ago is still valid", whole(old))
        restore()
        one = machine_updated(machine, url, keyring)
        archive.sign_as(dated(3))
        one.update()
        shown = "".join(file.read_text() for file in (one.outside / "lists").glob("*InRelease"))
        restore()
        expect("and does not replace a newer one", f"Date: {stamp(time.time() - 3 * DAY)}"[:22] not in shown, shown[:400])
        archive.run("sign", archive.base)
        signed = re.search(r"^Valid-Until: (.*)$", (archive.index / "Release").read_text(), re.M)[1]
        left = time.mktime(time.strptime(signed, "%a, %d %b %Y %H:%M:%S %Z")) - time.mktime(time.gmtime())
        expect("signed again it is valid for 14 days", abs(left - 14 * DAY) < 300, signed)


def machine_updated(machine, url, keyring):
    one = machine(url, keyring)
    one.update()
    return one


def bounds(folder, machine):
    """Foreign packages in adhand's archive are not installed."""
    archive = Archive(folder / "bounds")
    archive.make_keys("present", "next")
    archive.publish("0.2.0", broken=[("libc6", "99")])
    archive.run("phase", archive.base, 100)
    with serve(archive.base / "public") as url:
        one = machine(url, archive.keyring())
        code, output = one.update()
        expect("a libc6 in our archive", code == 0 and "Package: libc6\n" in (archive.index / "main/binary-amd64/Packages").read_text(),
               output)
        plan = one.planned()
        expect("is no upgrade", whole(one) and "libc6" not in plan, plan)
        for words in (["install", "libc6"], ["dist-upgrade"]):
            code, output = one.apt("-s", "-qq", *words, identity=machine_id(0))
            expect(f"nor is it by apt-get {words[0]}", code == 0 and "Inst libc6" not in output, output)
    other = Archive(folder / "greedy")
    other.make_keys("present", "next")
    release = other.release("0.2.0", broken=[("libc6", "99")])
    package(release, "adhand", "0.2.0", depends="libc6 (>= 99)")
    other.run("publish", other.base, release)
    other.run("phase", other.base, 100)
    with serve(other.base / "public") as url:
        one = machine_updated(machine, url, other.keyring())
        plan = one.planned()
        expect("an adhand that needs it is not installed either", "adhand" not in plan and "libc6" not in plan, plan)
    # An old index brings an old version.
    past = Archive(folder / "past")
    past.make_keys("present", "next")
    past.publish("0.0.9")
    past.run("phase", past.base, 100)
    with serve(past.base / "public") as url:
        one = machine_updated(machine, url, past.keyring())
        expect("an older version of ours is no upgrade", one.planned() == {}, one.planned())


def stop(folder, machine):
    archive = Archive(folder / "stop")
    archive.make_keys("present", "next")
    archive.publish("0.2.0")
    archive.run("phase", archive.base, 100)
    archive.publish("0.3.0")
    archive.run("phase", archive.base, 50)
    with serve(archive.base / "public") as url:
        one = machine_updated(machine, url, archive.keyring())
        some = next(number for number in range(200) if one.planned(machine_id(number)).get("adhand") == "0.3.0")
        output = archive.run("withdraw", archive.base)
        one.update()
        plan = one.planned(machine_id(some))
        expect("after an emergency stop nobody takes the version, and the one before is there", plan.get("adhand") == "0.2.0",
               f"{output}{plan}")
        expect("for all", all(one.planned(machine_id(number)).get("adhand") == "0.2.0" for number in range(20)))
        refused = archive.run("phase", archive.base, 0, good=False)
        expect("0 % is refused, as it is no stop", "withdraw" in refused, refused)
        output = archive.run("publish", archive.base, archive.release("0.1.5"), good=False)
        expect("an older version is not published", "older" in output, output)
        archive.publish("0.3.1")
        archive.run("phase", archive.base, 100)
        one.update()
        expect("a higher one is the way on", one.planned().get("adhand") == "0.3.1", one.planned())
        output = archive.run("withdraw", archive.base) and archive.run("withdraw", archive.base)
        code, _ = one.update()
        expect("with no version left the index is empty, and valid", code == 0 and one.planned() == {}, output)


def prepared(folder, machine):
    """Prepares the indices of every ring and of a stop, for a server without a key that switches between them."""
    archive = Archive(folder / "prepared")
    archive.make_keys("present", "next")
    archive.publish("0.2.0")
    archive.run("phase", archive.base, 100)
    archive.publish("0.3.0")
    before = {file.name: file.read_bytes() for file in archive.index.iterdir() if file.is_file()}
    output = archive.run("rings", archive.base, *RINGS)
    after = {file.name: file.read_bytes() for file in archive.index.iterdir() if file.is_file()}
    expect("the archive itself stays as it is", before == after and "0.3.0" in output, output)
    # A copy on a server has other inodes than the archive.
    server = folder / "prepared/server"
    shutil.copytree(archive.base / "fleet", server)
    served = server / "public/dists"
    with serve(server / "public") as url:
        served.symlink_to(f"../rings/0.3.0/{RINGS[0]}/dists")
        one = machine_updated(machine, url, archive.keyring())
        counts = []
        for percent in RINGS:
            served.unlink()
            served.symlink_to(f"../rings/0.3.0/{percent}/dists")
            code, words = one.update()
            expect(f"the index for {percent} % is taken after the one before", code == 0, words)
            counts.append(sum(one.planned(machine_id(number)).get("adhand") == "0.3.0" for number in range(60)))
        expect("each is for more machines", counts == sorted(counts) and counts[0] < counts[2] < counts[3] == 60, counts)
        served.unlink()
        served.symlink_to("../rings/0.3.0/stop/dists")
        code, words = one.update()
        plans = [one.planned(machine_id(number)).get("adhand") for number in range(20)]
        expect("after the stop the version before is there for all", code == 0 and set(plans) == {"0.2.0"}, (words, plans))
        files = {file.name for file in server.glob("public/pool/**/*.deb")}
        expect("with the packages of both", {"adhand_0.2.0_amd64.deb", "adhand_0.3.0_amd64.deb"} <= files, files)
    def renewed():
        """Copies the rings to a server as it receives them daily: into the folder of those that it has, replacing them."""
        output = archive.run("rings", archive.base, *RINGS)
        shutil.copytree(archive.base / "fleet", server, symlinks=True, dirs_exist_ok=True, copy_function=replaced)
        return output

    def signed(version, ring):
        """The time at which an index was signed, in seconds; 0 if there is none."""
        file = archive.base / f"fleet/rings/{version}/{ring}/dists/stable/InRelease"
        return calendar.timegm(time.strptime(re.search(r"^Date: (.*)", file.read_text(), re.M)[1],
                                             "%a, %d %b %Y %H:%M:%S %Z")) if file.exists() else 0

    was = signed("0.3.0", 100)
    archive.publish("0.4.0")
    renewed()
    order = [signed(version, ring) for version in ("0.3.0", "0.4.0") for ring in (*RINGS, "stop")]
    expect("once 0.4.0 is published 0.3.0 is signed again, which a fleet is served until somebody begins 0.4.0", signed("0.3.0", 100) > was,
           order)
    expect("each index is younger than the one before it, and all of 0.4.0 than all of 0.3.0",
           0 < order[0] and all(a < b for a, b in zip(order, order[1:])), order)
    with serve(server / "public") as url:
        plans = []
        for version, ring in (("0.3.0", 100), ("0.4.0", 100), ("0.4.0", "stop")):
            served.unlink()
            served.symlink_to(f"../rings/{version}/{ring}/dists")
            if not plans:
                one = machine_updated(machine, url, archive.keyring())
            code, words = one.update()
            plans.append((code, one.planned().get("adhand")))
        expect("a machine goes from the one to the other, and back to 0.3.0 by the stop",
               plans == [(0, "0.3.0"), (0, "0.4.0"), (0, "0.3.0")], f"{plans} {words}")
        served.unlink()
        served.symlink_to("../rings/0.3.0/stop/dists")
        expect("the stop of the version before leads to the one before that",
               machine_updated(machine, url, archive.keyring()).planned().get("adhand") == "0.2.0")
        archive.run("withdraw", archive.base)
        was = signed("0.4.0", "stop")
        renewed()
        expect("the stop of a version that was withdrawn is signed again, as a fleet is served it until the next release",
            signed("0.4.0", "stop") > was and signed("0.4.0", 100) == 0 and signed("0.4.0", "stop") > signed("0.3.0", "stop"),
               signed("0.4.0", "stop"))
        served.unlink()
        served.symlink_to("../rings/0.4.0/stop/dists")
        code, words = one.update()
        expect("and machines take it", code == 0 and one.planned().get("adhand") == "0.3.0", words)
        archive.publish("0.5.0")
        output = renewed()
        order = [signed(*index) for index in (("0.3.0", "stop"), ("0.4.0", "stop"), ("0.5.0", 1))]
        expect("also beside the next release", 0 < order[0] < order[1] < order[2], order)
    expect("made again, as is needed daily, they take the place of the old ones", (archive.base / "fleet/rings/0.3.0/stop").is_dir()
        and not (archive.base / "fleet.new").exists() and not (archive.base / "rings.new").exists(), output)


def rotation(folder, machine):
    """Three releases; each contains the key that will sign the next one."""
    archive = Archive(folder / "rotation")
    keys = archive.keys
    archive.make_keys("present", "next")
    output = archive.run("key", "next", good=False)
    expect("a key is not written over", "is there" in output, output)
    output = archive.run("key", "somebody", good=False)
    expect("and has one of two names", "present" in output, output)
    names = subprocess.run(["gpg", "--show-keys", "--with-colons", *keys.glob("*.asc")], env=archive.environment, capture_output=True,
                           text=True, check=True, timeout=60).stdout
    users = re.findall(r"^uid:(?:[^:]*:){8}([^:]*):", names, re.M)
    expect("keys are Ed25519, and have the archive's name and nobody's",
           len(users) == 2 and names.count("\npub:") + names.startswith("pub:") == 2
        and all(re.fullmatch(r"adhand archive \d{4}-\d\d-\d\d", user) for user in users) and ":22:" in names and "@" not in names, names)
    first = archive.keyring()
    archive.publish("0.2.0")
    archive.run("phase", archive.base, 100)
    with serve(archive.base / "public") as url:
        one = machine(url, first)
        expect("the present key signs", one.update()[0] == 0)
        # The next key signs, and a new one is made and shipped.
        (keys / "present.asc").rename(keys / "old.asc")
        (keys / "next.asc").rename(keys / "present.asc")
        archive.make_keys("next")
        second = archive.keyring()
        archive.publish("0.3.0")
        expect("while both keys are on the machine both sign, for machines that missed a release", one.update()[0] == 0)
        archive.forget_secret("old")
        (keys / "old.asc").unlink()
        archive.run("phase", archive.base, 100)
        code, output = one.update()
        expect("a machine with the keyring of the release before takes the next key's signature", code == 0, output)
        two = machine(url, second)
        expect("and so does one with the new keyring", two.update()[0] == 0)
        archive.forget_secret("present")
        archive.run("sign", archive.base)
        late = machine(url, first)
        code, output = late.update()
        expect("a machine that missed two keys is held back, and does not take a stranger's", code != 0 and late.planned() == {}, output)
        archive.forget_secret("next")
        output = archive.run("sign", archive.base, good=False)
        expect("without a secret key nothing is signed, and it says where to go", "RELEASING" in output, output)


QUICK = (signatures, bounds, stop, prepared, rotation)
