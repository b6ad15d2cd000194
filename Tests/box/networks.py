"""Tests home networks with problems, and a phone that leaves, over the air and on a machine without a battery clock: a hidden
network, one of another country than the named one, and one without internet."""

import re
import shlex

from radio import HOTSPOT, HOME_KEY, Phone, boot, named, tools, wait_for_hotspot, why

EPOCH = 946684800


def at_home(machine):
    return re.search(r"inet (192\.168\.44\.\d+)", machine.ask("ip -4 address show dev wlan0", 20) or "")


def own(world, machine, phone):
    """The box's own network is up, and the phone is in it."""
    if not world.wait(lambda: wait_for_hotspot(world, machine, 5), 200):
        return False
    name, key = machine.ask("cat /run/adhan-box/hotspot; cat /var/lib/adhan-box/hotspot-key").split("\n")
    return re.match(r"10\.77\.77\.", phone.joins(name, key) or "") and key


def networks(world):
    world.extra = tools(world.folder)
    machine = boot(world, world.flash(), EPOCH)
    phone = Phone(machine)
    key = own(world, machine, phone)
    if not world.expect("a box that has no time makes its own network, too", key, why(machine)):
        return
    status, headers, body = phone.web("POST", HOTSPOT, "/r/pair", {"code": key, "name": "Phone"})
    world.expect("a phone claims it", status == 303 and HOTSPOT in phone.cookies, f"{status} {headers} {body}")
    leaving(world, machine, phone)
    hidden(world, machine, phone)
    nobody_out(world, machine, phone)
    country(world, machine, phone)
    machine.off(60 * world.slow)


def leaving(world, machine, phone):
    """Because the box's network has no internet, the phone returns to the mobile network in the middle of the questions."""
    for fields in ({"step": "place", "place": "Sarajevo"}, {"step": "method", "method": "auto"}):
        status, _, body = phone.web("POST", HOTSPOT, "/r/setup", fields, json_wanted=True)
        world.expect(f"{fields['step']} is answered", status == 200, f"{status} {body}")
    # The phone leaves while the third answer is on its way.
    phone.web("POST", HOTSPOT, "/r/setup", {"step": "asr", "asr": "hanafi"}, json_wanted=True, background=True)
    phone.ask("leave")
    world.expect("a phone that leaves takes nothing along: the network stays",
                 not world.wait(lambda: machine.ask("ls /run/adhan-box/hotspot") == "", 30), why(machine))
    world.expect("and it comes back", own(world, machine, phone), why(machine))
    _, _, page = phone.web("GET", HOTSPOT, "/r/setup")
    world.expect("to the question that is next, with its answers kept",
                 "Sarajevo" in page and re.search(r'name="step" value="(asr|loudspeaker)"', page), page)


def hidden(world, machine, phone):
    home(machine, "hidden")
    for outcome, reason in (("", "not-found"), ("yes", None)):
        named(world, machine, phone, {"ssid": "Home", "password": HOME_KEY, "hidden": outcome})
        if reason:
            world.expect("a network that does not say its name is not found under it", own(world, machine, phone)
                and (state := phone.state()).get("last") == reason, f"{state}\n{why(machine)}")
        else:
            world.expect("called hidden it is joined", world.wait(lambda: at_home(machine), 60), why(machine))


def nobody_out(world, machine, phone):
    """The box joins a network, but reaches neither a time server nor anything else."""
    address = at_home(machine)
    address = address and address[1]
    outcome = phone.joins("Home", HOME_KEY)
    world.expect("the phone goes home as well", re.match(r"192\.168\.44\.", outcome or ""), outcome)
    phone.cookies[address] = phone.cookies[HOTSPOT]
    for path, fields in (("/r/setup", {"step": "asr", "asr": "standard"}), ("/r/setup", {"step": "loudspeaker", "device": ""}),
                         ("/r/heard", {"device": "", "heard": "yes"}), ("/r/setup", {"step": "volume", "volume": "40"}),
                         ("/r/setup", {"step": "done"})):
        status, _, body = phone.web("POST", address, path, fields, port=8790, json_wanted=True)
        world.expect(f"there it answers what is left: {fields}", status == 200, f"{status} {body}")
    status = machine.up(60 * world.slow) or {}
    world.expect("without a time the box calls nothing, and says so", status.get("awaiting") == "clock" and not status.get("next"), status)
    _, _, page = phone.web("GET", address, "/r/", port=8790)
    world.expect("on the page as well", "clock" in page, page)
    looked = machine.ask("adhanctl doctor", 60) or ""
    world.expect("and doctor", "clock" in looked, looked)


def country(world, machine, phone):
    """The country of a person who has moved, and a country that does not exist."""
    machine.ask("/run/trial/around.sh gone", 60)
    world.wait(lambda: machine.ask("cat /sys/class/net/wlan0/operstate", 20) != "up", 60)
    machine.ask("adhanctl card hotspot", 30)
    if not world.expect("asked for, its own network is there again", own(world, machine, phone), why(machine)):
        return
    home(machine)
    status, _, body = phone.web("POST", HOTSPOT, "/r/network", {"ssid": "Home", "password": HOME_KEY, "country": "XQ1", "hidden": ""},
                                json_wanted=True)
    world.expect("a country that there is not is refused in a sentence", status == 422 and "country" in body, f"{status} {body}")
    world.expect("and the network stays for another try", own(world, machine, phone), why(machine))
    named(world, machine, phone, {"ssid": "Home", "password": HOME_KEY, "country": "JP"})
    world.expect("the country of another place keeps nobody from a channel that both have", world.wait(lambda: at_home(machine), 60),
                 why(machine))


def home(machine, words=""):
    machine.ask(f"/run/trial/around.sh home {shlex.quote(HOME_KEY)} {words}", 60)
