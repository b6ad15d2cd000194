// The executable file of the package adhand-remote: the phone page, and the names in a box's own network.
import CommandKit
import Glibc
import Host
import adhan_hotspot_dns
import adhan_remote

switch CalledProgram.name(among: ["adhan-remote", "adhan-hotspot-dns"]) {
case "adhan-remote": runAdhanRemote()
case "adhan-hotspot-dns": runAdhanHotspotDNS()
default:
    StandardError.write(
        "adhan-remote: this file is the programs adhan-remote and adhan-hotspot-dns; call it by one of these names"
    )
    exit(ExitStatus.usage.rawValue)
}
