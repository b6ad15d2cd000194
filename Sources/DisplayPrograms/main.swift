// The programs of the screen alone, for `make run`, which builds neither the companion nor the bridge.
import CommandKit
import Glibc
import Host
import adhan_display
import adhan_kiosk
import adhan_touch

switch CalledProgram.name(among: ["adhan-display", "adhan-kiosk", "adhan-touch"]) {
case "adhan-display": runAdhanDisplay()
case "adhan-kiosk": runAdhanKiosk()
case "adhan-touch": runAdhanTouch()
default:
    StandardError.write(
        "adhan-display-programs: this file is the programs adhan-display, adhan-kiosk and adhan-touch; "
            + "call it by one of these names")
    exit(ExitStatus.usage.rawValue)
}
