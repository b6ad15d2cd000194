"""Tests who may log in over ssh: nobody at first, then the owners of the keys on the card, then nobody again."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from house import port as free_port  # noqa: E402
from world import CONFIGURATION, FIRST_DAY


def way_in(world):
    dhuhr = world.known_dhuhrs()[str(FIRST_DAY)]
    key, port = world.folder / "key", free_port()
    for leftover in (key, key.with_suffix(".pub")):
        leftover.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True, timeout=60)
    ssh = ["ssh", "-i", key, "-p", str(port), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
           "-o", "ConnectTimeout=20", "-F", "none", "root@127.0.0.1"]

    def log_in(command):
        return subprocess.run([*ssh, command], capture_output=True, text=True, timeout=120, check=False)

    def logged_in(command):
        done = log_in(command)
        return done.stdout.strip() if done.returncode == 0 else None

    disk = world.flash()
    disk.put("adhand.toml", CONFIGURATION.format(name="Way in"))
    disk.put("authorized_keys", key.with_suffix(".pub").read_bytes())
    world.extra = ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:22", "-device", "virtio-net-pci,netdev=net"]
    machine = world.boot(disk, dhuhr - 7200)
    world.expect("up", machine.up(150 * world.slow))
    place = world.wait(lambda: logged_in("adhanctl --json status | grep -c 'Way in'"), 60)
    world.expect("whoever's key is on the card may log in, and manage adhand", place == "1",
                 machine.ask("systemctl status ssh; networkctl; cat /etc/ssh/adhan-box.keys"))
    name = logged_in("hostname; adhanctl set --file adhan.volume 61 > /dev/null && grep -c 'volume = 61' /etc/adhand/adhand.toml")
    world.expect("and set what it goes by", name and name.startswith("adhan-") and name.endswith("\n1"), name)
    world.answered(machine)
    machine.cut()
    report = disk.get("adhand-report.txt")
    world.expect("the report says by which name it is reached", name and name.split("\n")[0] in report, report)
    disk.put("authorized_keys", "# nobody\n")
    machine = world.boot(disk, dhuhr - 3600)
    world.expect("up again, after a power cut", machine.up(150 * world.slow))
    world.answered(machine)
    # The box must refuse the connection; an unreachable box would not count.
    refused = world.wait(lambda: "Permission denied" in log_in("true").stderr, 30)
    world.expect("an emptied file removes it", refused and logged_in("true") is None, disk.get("adhand-report.txt"))
    machine.off()
