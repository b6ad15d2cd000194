internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Glibc
internal import Host
internal import MQTT
internal import Texts

/// `adhan-fleet watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "The service: watches over the boxes, tells Alertmanager, and shows the overview.",
        discussion: """
            GET / is the overview, and there are /metrics for Prometheus, /status.json, /enrol and /healthz, on this machine alone. Alarms are \
            posted to each alertmanager of fleet.toml at their beginning, each minute, and at their end.
            """)

    @OptionGroup var place: FolderOptions

    @Flag(help: "Say whether fleet.toml is valid and each broker accepts its user and password, and end.")
    var check = false

    func run() throws {
        let folder = place.folder
        let content = try folder.read()
        for warning in content.config.warnings { StandardError.write("adhan-fleet: \(warning)") }
        if check {
            try BrokerCheck.run(content)
            return try Output(json: false).write(
                "\"\(folder.path)/fleet.toml\" is valid, and the broker accepts its user and password\n")
        }
        umask(0o077)
        let watch = FleetWatcher(content, in: folder)
        try watch.run()
    }
}
