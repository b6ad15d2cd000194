// The executable file of the package adhand: the daemon, and by the name of adhanctl the command line.
import CommandKit
import Glibc
import Host
import adhanctl
import adhand

switch CalledProgram.name(among: ["adhand", "adhanctl"]) {
case "adhand": runAdhand()
case "adhanctl": runAdhanctl()
default:
    StandardError.write(
        "adhand: this file is the programs adhand and adhanctl; call it by one of these names")
    exit(ExitStatus.usage.rawValue)
}
