internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Settings
internal import Signature
internal import Texts

/// `adhan-fleet enrol new`
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
        /// The number of labels; absent where none were requested.
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
        let labels = try labelling.write(try options.record().desk, org: content.org, brokers: brokers)
        do throws(FileError) { try OutputFile.create(Array(text.utf8), at: output) } catch {
            throw FleetError(.failed, error.message)
        }
        let invitation = EnrolDesk.Invitation(count: count, until: end, approve: approval)
        let folder = options.folder
        try options.edit { desk throws(FileError) in
            desk.invite(invitation)
            // The password is changed before the list is saved: the password of an earlier invitation must not give access to
            // the places of this one.
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
