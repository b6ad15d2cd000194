"""The files that Raspberry Pi Imager writes onto a card, rewritten for the trials, and damaged or malicious variants. The keys
and their places are those of its customization_generator.cpp at 056cf6d (after 2.0.1) and in 2.0.11."""

import random

KEY = "0123456789abcdef" * 4
PASSPHRASE = 'correct "horse" battery'


def escaped(name, newer):
    if not newer:
        return name.decode().replace('"', '\\"').encode()
    signs = {0x5C: rb"\\", 0x22: rb"\"", 0x09: rb"\t"}
    return b"".join(signs.get(c) or (bytes([c]) if 0x20 <= c < 0x7F else b"\\x%02x" % c) for c in name)


def network_config(name, psk, newer=False, hidden=False, country="GB"):
    lines = [b"network:", b"  version: 2"]
    if newer:
        lines += [b"  ethernets:", b"    eth0:", b"      dhcp4: true", b"      dhcp6: true", b"      optional: true"]
    lines += [b"  wifis:", b"    wlan0:", b"      dhcp4: true"]
    if country:
        lines += [f'      regulatory-domain: "{country}"'.encode()]
    lines += [b"      access-points:", b'        "' + escaped(name, newer) + b'":']
    if hidden:
        lines += [b"          hidden: true"]
    if newer and not psk:
        lines += [b"          auth:", b"            key-management: none"]
    else:
        lines += [b'          password: "' + psk.replace('"', '\\"').encode() + b'"']
    return b"\n".join([*lines, b"      optional: true", b""])


def user_data(hostname="", timezone="", keys=(), newer=False, keyboard="", password="", full=False, marker="marker"):
    lines = ["#cloud-config"] + (["manage_resolv_conf: false", ""] if newer else [])
    if hostname:
        lines += [f"hostname: {hostname}", "manage_etc_hosts: true", "packages:", "- avahi-daemon", "apt:"]
        lines += ["  preserve_sources_list: true"] if newer else []
        lines += ["  conf: |", "    Acquire {", '      Check-Date "false";', "    };"]
    if timezone:
        lines += [f"timezone: {timezone}"]
    if keyboard:
        lines += ["keyboard:", "  model: pc105", f'  layout: "{keyboard}"']
    if keys or password:
        if newer:
            lines += ["user:", "  name: pi", "  shell: /bin/bash",
                      *(["  lock_passwd: false", f'  passwd: "{password}"'] if password else [])]
            lines += ["  ssh_authorized_keys:", *(f'    - "{key}"' for key in keys)] if keys else []
            lines += ["  sudo: null", f"ssh_pwauth: {'false' if keys else 'true'}"]
        else:
            lines += ["enable_ssh: true", "users:", "- name: pi", "  groups: users,adm,sudo", "  shell: /bin/bash"]
            lines += ["  lock_passwd: false", f"  passwd: {password}"] if password else ["  lock_passwd: true"]
            lines += ["  ssh_authorized_keys:", *(f"    - {key}" for key in keys), "  sudo: ALL=(ALL) NOPASSWD:ALL"] if keys else []
    if full:
        lines += ["rpi:", "  interfaces:", "    i2c: true", "    serial:", "      console: true"]
        lines += ["runcmd:", f'  - [ sh, -c, "touch {marker}; printf \'%s\\n\' \'a: b\' > {marker}" ]', f"  - [ touch, {marker} ]"]
    return ("\n".join(lines) + "\n").encode()


PIECES = [b"\t", b"  ", b"\n", b"\r", b": ", b"- ", b"---\n", b"&a ", b"*a", b"!!x ", b"<<: ", b"[", b"{}", b"|\n", b'"', b"'", b"\\",
    b"#", b"\x1b[0m", b"\0", b"\xff", b"$(touch marker)", b"`touch marker`", b"; touch marker;", b"\"\n\tpsk=\"12345678", b"}\nnetwork={\n"]


def damaged(text, chance):
    """A file with a few bytes lost, changed or repeated."""
    text = bytearray(text)
    for _ in range(chance.randint(1, 3)):
        if not text:
            break
        at, length = chance.randrange(len(text)), chance.randint(1, 20)
        match chance.randrange(5):
            case 0: text[at] = chance.randrange(256)
            case 1: del text[at:at + length]
            case 2: del text[at:]
            case 3: text[at:at] = text[at:at + length]
            case 4: text[at:at] = chance.choice(PIECES)
    return bytes(text)


def hostile(marker, key):
    """Malicious files: name and bytes."""
    run = f'[ sh, -c, "touch {marker}" ]'
    net = network_config(b"Evil", PASSPHRASE)
    ssh = f'command="touch {marker}" {key}'
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(f"{c}: &{c} [{','.join(['*' + p] * 10)}]\n" for p, c in zip("abcdef", "bcdefg"))
    user = [
        f"runcmd:\n- {run}\n", f"bootcmd:\n  - {run}\n", f"#!/bin/sh\ntouch {marker}\n", f"#include file://{marker}\n\nx\n",
        f"write_files:\n- path: {marker}\n  content: |\n    hostname: evil\n", f"hostname: $(touch {marker})\n",
        f"hostname: `touch {marker}`\n", f"hostname: a;touch {marker}\n", f"hostname: a\\ntouch {marker}\n",
        f'hostname: "a\\ntouch {marker}"\n', f"timezone: ../../../{marker}\n", f"timezone: $(touch {marker})\n",
        "timezone: Etc/../../shadow\n", f"user:\n  name: pi\n  ssh_authorized_keys:\n  - {ssh}\n",
        f"users:\n- name: pi\n  ssh_authorized_keys:\n  - '{ssh}'\n", f"user:\n  a: b\n  ssh_authorized_keys: [{key}]\n",
        "hostname: &a evil\n", "x: &a evil\nhostname: *a\n", "hostname: !!str evil\n",
        f"hostname: !!python/object/apply:os.system ['touch {marker}']\n", "<<: {hostname: evil}\n", "hostname: [evil]\n",
        "{hostname: evil}\n", "hostname: |\n  evil\n", "hostname: evil\n---\nhostname: worse\n", "hostname: evil\nhostname: worse\n",
        "hostname:\tevil\n", "\thostname: evil\n", "hostname: evil\0\n", "hostname: ev\u202eil\n", "hostname: evil\x1b]0;x\x07\n",
        "hostname: " + "e" * 64 + "\n", bomb + "hostname: *g\n", "x: *y\n" * 2000 + "hostname: evil\n",
        "x: " + "*a " * 400_000 + "\nhostname: evil\n", "hostname: " + "e" * 1_000_000 + "\n", "- " * 4000 + "hostname: evil\n",
        "[" * 8000 + "\n", "".join(" " * n + "a:\n" for n in range(100)) + "hostname: evil\nx\n", "hostname: evil\n\x85---\n",
        "hostname : evil\nx\n",
    ]
    files = [("user-data", text.encode()) for text in user]
    files += [("user-data", b"\xff\xfe" + "hostname: evil\n".encode("utf-16-le")), ("user-data", "hostname: evil\n".encode("utf-16-be"))]
    files += [("network-config", text) for text in (
        net.replace(b'"Evil"', b'"Evil\\"\n\tpsk=\\"x"'), net.replace(b'"Evil"', b'"' + b"e" * 1_000_000 + b'"'),
        net.replace(b"dhcp4: true", b"dhcp4: &a true"), net.replace(b"  wifis:", b"  renderer: NetworkManager\n  wifis:"),
        net.replace(b'battery"', b'battery\x0a}"'), net + b"---\n" + net, net + net, net.replace(b"version: 2", b"version: 1"),
        net.decode().encode("utf-16"), net.replace(b'"Evil"', b'"' + b"e" * 33 + b'"'), bomb.encode(),
        net.replace(b"          password", b"          <<: *a\n          password"), net.replace(b"wlan0", b"wlan0\x1b[0m"), net[:-40],
        net.replace(b'"Evil"', b"*a"), net.replace(b'"GB"', b'"GB\\ntouch"'), net.replace(b"      access", b"\taccess"),
    )]
    return files


def chance(seed):
    return random.Random(seed)
