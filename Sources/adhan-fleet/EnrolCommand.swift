internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Settings
internal import Signature
internal import Texts

/// `adhan-fleet enrol VERB`
struct EnrolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Invite boxes, and say which of them belong to the fleet.",
        discussion: """
            "new" writes one file for the cards of many boxes. Each makes a password of its own and asks for its place with the word \
            of that file; "adhan-fleet watch" lets it in, or keeps it waiting for "accept".
            """,
        subcommands: [NewEnrolment.self, ListEnrolments.self, AcceptBox.self, RevokeBox.self])
}

/// For the verbs of `enrol`.
struct EnrolOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    var folder: EnrolFolder { EnrolFolder(place.folder) }

    func desk() throws(FleetError) -> EnrolDesk {
        do throws(FileError) { return try folder.read() } catch { throw FleetError(.failed, error.message) }
    }

    /// Changes the desk on the disk.
    func edit<Result>(_ work: (inout EnrolDesk) throws(FileError) -> Result) throws(FleetError) -> Result {
        try folder.make()
        do throws(FileError) {
            return try folder.edit { () throws(FileError) in
                var desk = try folder.read()
                let result = try work(&desk)
                try folder.save(desk)
                return result
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
    }
}

struct NewEnrolment: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write the file that goes onto the cards of new boxes.",
        discussion: """
            The word of an earlier invitation stops counting. Who has the file can ask for a place until the date: keep it as a \
            password is kept.
            """)

    @OptionGroup var options: EnrolOptions

    @Option(help: ArgumentHelp("How many boxes it is for.", valueName: "number"))
    var count: Int

    @Option(help: ArgumentHelp("Until the end of this day, such as 2027-01-31.", valueName: "date"))
    var until: String

    @Option(
        help: ArgumentHelp(
            "auto lets each box in, hand keeps it waiting for \"enrol accept\". Default: auto.",
            valueName: "how"))
    var approve = "auto"

    @Option(
        help: ArgumentHelp(
            "The broker as the boxes reach it; may be given several times. Default: those of fleet.toml.",
            valueName: "url"))
    var broker: [String] = []

    @Option(
        help: ArgumentHelp(
            "The certificate of the authority behind the broker's, where it is none that everybody knows.",
            valueName: "file"), completion: .file())
    var ca: String?

    @Option(
        help: ArgumentHelp("A group of all these boxes; may be given several times.", valueName: "group"))
    var group: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the file here.", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var labelling: LabelOptions

    private struct Document: Encodable {
        let file: String
        let count: Int
        let until: String
        let approve: EnrolDesk.Approval
        /// How many were written; absent where nobody asked for any.
        let labels: Int?
    }

    private static let mostCertificateBytes = 65_536

    func run() throws {
        let content = try options.place.folder.read()
        guard let signing = content.config.signingKey else {
            throw FleetError(
                .invalidInput, "fleet.toml has no signing-key, so the boxes would obey nobody; write it")
        }
        guard (1...EnrolDesk.mostBoxes).contains(count) else {
            throw FleetError(.usage, "--count is 1 to \(EnrolDesk.mostBoxes)")
        }
        guard let approval = EnrolDesk.Approval(rawValue: approve) else {
            throw FleetError(.usage, "--approve is auto or hand")
        }
        guard let day = CivilDate(until) else {
            throw FleetError(.usage, "--until is a day such as 2027-01-31")
        }
        let end = Instant(unixSeconds: Double(day.adding(days: 1).dayNumber) * 86_400)
        guard end > WallClock.now() else {
            throw FleetError(.usage, "--until \(until) is over")
        }
        if let wrong = group.first(where: { !FleetName.isGroup($0) }) {
            throw FleetError(.usage, "\"\(PlainText.visible(wrong))\" is no group such as uk/london")
        }
        let brokers = broker.isEmpty ? content.config.brokers : broker
        if broker.isEmpty, let own = brokers.first(where: { BrokerAddress($0)?.isLoopback == true }) {
            throw FleetError(
                .usage,
                "\(own) of fleet.toml is this machine alone, where no box would find it; name the broker as the boxes reach it: --broker mqtts://HOST:8883"
            )
        }
        if let wrong = brokers.first(where: { BrokerAddress($0) == nil }) {
            throw FleetError(
                .usage, "\"\(PlainText.visible(wrong))\" is no broker such as mqtts://HOST:8883")
        }
        let seed = Ed25519.newSeed()
        let word = seed.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let text = try card(content, signing, brokers, word)
        let labels = try labelling.write(try options.desk(), org: content.org, brokers: brokers)
        do throws(FileError) { try OutputFile.create(Array(text.utf8), at: output) } catch {
            throw FleetError(.failed, error.message)
        }
        let invitation = EnrolDesk.Invitation(count: count, until: end, approve: approval)
        let folder = options.folder
        try options.edit { desk throws(FileError) in
            desk.invite(invitation)
            try folder.change([EnrolFolder.user: PasswordHash.make(Array(word.utf8))])
        }
        let document = Document(
            file: output, count: count, until: invitation.until, approve: approval, labels: labels)
        try options.common.output.show(document) { _ in
            "\"\(output)\" is for \(count == 1 ? "one box" : "\(count) boxes") until \(until): copy it beside adhand.toml on each card.\n"
                + labelling.line(labels)
        }
    }

    private func card(
        _ content: FleetFolder.Content, _ signing: String, _ brokers: [String], _ word: String
    ) throws(FleetError) -> String {
        func quoted(_ text: String) -> String { TOMLEscapes.quote(text) }
        func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }
        var lines = [
            "# For the cards of \(count == 1 ? "one box" : "\(count) boxes") of \(content.org), until \(until). Whoever has this file can ask for a place: keep it secret.",
            "[fleet]", "org = \(quoted(content.org))", "signing-key = \(quoted(signing))",
        ]
        if let recovery = content.config.recoveryKey { lines.append("recovery-key = \(quoted(recovery))") }
        if !group.isEmpty { lines.append("groups = \(list(group))") }
        lines.append("[enrol]")
        lines.append("broker = \(list(brokers))")
        lines.append("token = \(quoted(word))")
        if let ca {
            let bytes: [UInt8]
            do throws(FileError) { bytes = try FileBytes.read(ca, limit: Self.mostCertificateBytes) } catch {
                throw FleetError(.failed, error.message)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("-----BEGIN CERTIFICATE-----") else {
                throw FleetError(.invalidInput, "\"\(PlainText.visible(ca))\" has no certificate as PEM")
            }
            lines.append("ca = \(quoted(text))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

struct ListEnrolments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the invitation, the boxes that came, and those that wait.")

    @OptionGroup var options: EnrolOptions
    @OptionGroup var labelling: LabelOptions

    private struct Document: Encodable {
        struct Box: Encodable {
            let box, hardware, version: String
            /// `nil` while it waits.
            let at: String?
        }

        @Nullable var invitation: EnrolDesk.Invitation?
        var isOpen = false
        let boxes, waiting: [Box]
        /// How many were written; absent where nobody asked for any.
        var labels: Int?
    }

    func run() throws {
        let content = try options.place.folder.read()
        let desk = try options.desk()
        var document = Document(
            boxes: desk.members.sorted { $0.key < $1.key }.map {
                .init(box: $0.key, hardware: $0.value.hardware, version: $0.value.version, at: $0.value.at)
            },
            waiting: desk.waiting.sorted { $0.key < $1.key }.map {
                .init(box: $0.key, hardware: $0.value.hardware, version: $0.value.version, at: nil)
            })
        document.invitation = desk.invitation
        document.isOpen = desk.invitation?.isOpen(at: WallClock.now()) ?? false
        document.labels = try labelling.write(desk, org: content.org, brokers: content.config.brokers)
        let shown = document
        try options.common.output.show(document) { _ in
            let document = shown
            var lines: [String] = []
            if let invitation = document.invitation {
                lines.append(
                    "invitation: \(invitation.used) of \(invitation.count) boxes, until \(invitation.until), \(document.isOpen ? "open" : "closed")"
                )
            } else {
                lines.append("there is no invitation")
            }
            lines += document.boxes.map { "\($0.box)  since \($0.at ?? "")  \($0.version)" }
            lines += document.waiting.map { "\($0.box)  waits  \($0.version)" }
            return lines.map { $0 + "\n" }.joined() + labelling.line(document.labels)
        }
    }
}

struct AcceptBox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let a box in that waits.")

    @OptionGroup var options: EnrolOptions

    @Argument(help: ArgumentHelp("The box.", valueName: "box")) var box: String

    private struct Document: Encodable { let box: String }

    func run() throws {
        let content = try options.place.folder.read()
        let folder = options.folder
        let isKnown = try options.edit { desk throws(FileError) in
            let users = try folder.users().union([content.config.username])
            guard let request = desk.accept(box, users: users, at: WallClock.now()) else { return false }
            try folder.change([request.box: request.hash])
            return true
        }
        guard isKnown else {
            throw FleetError(
                .failed,
                "no box \"\(PlainText.visible(box))\" waits; \"adhan-fleet enrol list\" shows those that do")
        }
        try options.common.output.show(Document(box: box)) { _ in "\(box) is let in.\n" }
    }
}

struct RevokeBox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a box out: the broker knows it no longer, and keeps nothing of it.",
        discussion: "It goes on calling the adhan as it did.")

    @OptionGroup var options: EnrolOptions

    @Argument(help: ArgumentHelp("The box.", valueName: "box")) var box: String

    private struct Document: Encodable { let box: String }

    func run() throws {
        let content = try options.place.folder.read()
        guard FleetName.isBox(box), box != content.config.username, !FleetTopic.reserved.contains(box) else {
            throw FleetError(.usage, "\"\(PlainText.visible(box))\" is no box")
        }
        let folder = options.folder
        let isKnown = try options.edit { desk throws(FileError) in
            let wasRevoked = desk.wasRevoked(box)
            let isMember = desk.revoke(box)
            let users = try folder.users()
            // Once more after a broker that was away: what it keeps is still to be cleared.
            guard isMember || users.contains(box) || wasRevoked else { return false }
            let none: String? = nil
            try folder.change([box: none])
            return true
        }
        guard isKnown else {
            throw FleetError(
                .failed,
                "the fleet has no box \"\(PlainText.visible(box))\"; \"adhan-fleet enrol list\" shows those that it has"
            )
        }
        do throws(FleetError) {
            try BrokerDelivery.send(
                [], to: FleetTopic(org: content.org).all(of: box), content, as: "adhan-fleet-revoke")
        } catch {
            throw FleetError(
                error.status,
                "\(error.message). \(box) has lost its password already; type the same again once the broker is there, so that it keeps nothing of the box"
            )
        }
        try options.common.output.show(Document(box: box)) { _ in "\(box) is taken out.\n" }
    }
}
