// The executable file of the package adhand-programs: every program but adhand and adhanctl.
import CommandKit
import Glibc
import Host
import adhan_bridge
import adhan_companion
import adhan_display
import adhan_fleet
import adhan_hooks
import adhan_hotspot_dns
import adhan_kiosk
import adhan_remote
import adhan_touch

let programs = [
    "adhan-bridge", "adhan-companion", "adhan-display", "adhan-fleet", "adhan-hooks", "adhan-hotspot-dns",
    "adhan-kiosk", "adhan-remote", "adhan-touch",
]
// `prayed` is one command of the companion, which looks at the name again.
switch CalledProgram.name(among: programs + ["prayed"]) {
case "adhan-bridge": runAdhanBridge()
case "adhan-companion", "prayed": runAdhanCompanion()
case "adhan-display": runAdhanDisplay()
case "adhan-fleet": runAdhanFleet()
case "adhan-hooks": runAdhanHooks()
case "adhan-hotspot-dns": runAdhanHotspotDNS()
case "adhan-kiosk": runAdhanKiosk()
case "adhan-remote": runAdhanRemote()
case "adhan-touch": runAdhanTouch()
default:
    StandardError.write(
        "adhan-programs: this file is the programs \(programs.joined(separator: ", ")); "
            + "call it by one of these names")
    exit(ExitStatus.usage.rawValue)
}
