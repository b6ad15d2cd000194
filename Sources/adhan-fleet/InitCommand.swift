internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Glibc
internal import Host
internal import Settings
internal import Texts

/// `adhan-fleet init`
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Write the files of a fleet's server: its own, and those of the broker and of the monitoring.",
        discussion: """
            Writes fleet.toml, mosquitto.conf, acl, mosquitto.service.d/adhan-fleet.conf, adhan-fleet.rules.yml, alertmanager.yml and \
            reprepro/conf/distributions. A file that is there stays as it is.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Option(help: ArgumentHelp("The name of the fleet, which is in all its topics.", valueName: "org"))
    var org: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The broker, such as mqtt://127.0.0.1:1883; several are tried in turn.", valueName: "url"))
    var broker: [String]

    private struct Document: Encodable {
        let written, kept: [String]
    }

    func run() throws {
        guard FleetName.isOrganisation(org) else {
            throw FleetError(
                .usage, "\"\(PlainText.visible(org))\" is no name of a fleet: use \(FleetName.organisation)")
        }
        if let wrong = broker.first(where: { BrokerAddress($0) == nil }) {
            throw FleetError(
                .usage,
                "\"\(PlainText.visible(wrong))\" is no broker such as mqtt://127.0.0.1:1883 or mqtts://HOST:8883"
            )
        }
        let folder = place.folder.path
        guard folder.hasPrefix("/") else {
            throw FleetError(
                .usage,
                "--dir is an absolute path, as it stands in the files: \"\(PlainText.visible(folder))\" is not"
            )
        }
        try Self.refuseOther(org, in: place.folder)
        var written: [String] = []
        var kept: [String] = []
        for (name, text) in FleetTemplates.files(org: org, brokers: broker, folder: folder) {
            let path = "\(folder)/\(name)"
            try Self.makeFolders(of: path)
            guard unsafe access(path, F_OK) != 0 else {
                kept.append(path)
                continue
            }
            do throws(FileError) { try OutputFile.create(Array(text.utf8), at: path) } catch {
                throw FleetError(.failed, error.message)
            }
            // Other programs read these files, and they hold no secret.
            unsafe chmod(path, 0o644)
            written.append(path)
        }
        try common.output.show(Document(written: written, kept: kept)) { _ in
            written.map { "written: \($0)\n" }.joined() + kept.map { "kept as it was: \($0)\n" }.joined()
        }
    }

    /// Refuses the folder of another fleet: files of two fleets in one folder would deprive boxes of their access.
    private static func refuseOther(_ org: String, in folder: FleetFolder) throws(FleetError) {
        let file = "\(folder.path)/\(FleetConfig.fileName)"
        guard let found = try? ConfigFiles.read(file),
            let known = try? FleetConfig.schema.read(found.sources).settings.org, known != org
        else { return }
        throw FleetError(
            .usage,
            "\"\(PlainText.visible(file))\" is of the fleet \"\(known)\", not of \"\(org)\"; name another folder by --dir"
        )
    }

    private static func makeFolders(of path: String) throws(FleetError) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            if unsafe mkdir(folder, 0o755) != 0, errno != EEXIST {
                throw FleetError(.failed, FileError("create", folder, code: errno).message)
            }
        }
    }
}
