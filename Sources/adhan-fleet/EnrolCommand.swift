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

    func record() throws(FleetError) -> EnrolRecord {
        do throws(FileError) { return try folder.read() } catch { throw FleetError(.failed, error.message) }
    }

    /// Changes the list on the disk.
    /// - Parameter finish: what the broker learns of it, once the list is saved: a box that is let in has its place.
    func edit<Result>(
        _ work: (inout EnrolDesk) throws(FileError) -> Result,
        then finish: (Result) throws(FileError) -> Void
    ) throws(FleetError) -> Result {
        try folder.make()
        do throws(FileError) {
            return try folder.edit { () throws(FileError) in
                let record = try folder.read()
                if let complaint = record.complaint { StandardError.write("adhan-fleet: \(complaint)") }
                var desk = record.desk
                let result = try work(&desk)
                if desk != record.desk || record.isSaveDue { try folder.save(desk, over: record) }
                try finish(result)
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
        let labels = try labelling.write(try options.record().desk, org: content.org, brokers: brokers)
        do throws(FileError) { try OutputFile.create(Array(text.utf8), at: output) } catch {
            throw FleetError(.failed, error.message)
        }
        let invitation = EnrolDesk.Invitation(count: count, until: end, approve: approval)
        let folder = options.folder
        try options.edit { desk throws(FileError) in
            desk.invite(invitation)
            // Before the list is saved: the word of an earlier file must not open the places of this one.
            try folder.change([EnrolFolder.user: PasswordHash.make(Array(word.utf8))])
        } then: { _ in
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
        /// Users of the broker that may be boxes, where an earlier list was lost.
        let unlisted: [String]
        /// How many were written; absent where nobody asked for any.
        var labels: Int?
    }

    func run() throws {
        let content = try options.place.folder.read()
        let folder = options.folder
        let record: EnrolRecord
        var unlisted: Set<String> = []
        do throws(FileError) {
            record = try folder.read()
            if record.desk.isRebuilt {
                unlisted = try folder.users().subtracting(record.desk.members.keys)
                    .subtracting([content.config.username, EnrolFolder.user])
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        let desk = record.desk
        var document = Document(
            boxes: desk.members.sorted { $0.key < $1.key }.map {
                .init(box: $0.key, hardware: $0.value.hardware, version: $0.value.version, at: $0.value.at)
            },
            waiting: desk.waiting.sorted { $0.key < $1.key }.map {
                .init(box: $0.key, hardware: $0.value.hardware, version: $0.value.version, at: nil)
            }, unlisted: unlisted.sorted())
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
            lines += document.unlisted.map { "\($0)  known to the broker; the list that had it was lost" }
            return lines.map { $0 + "\n" }.joined() + labelling.line(document.labels)
        }
        if let complaint = record.complaint {
            throw FleetError(.failed, "\(complaint); \"adhan-fleet watch\" writes the file again")
        }
        for file in folder.brokenFiles() {
            StandardError.write("adhan-fleet: \(FleetWatch.Damage.enrolment.sentence(file))")
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
        let outcome = try options.edit {
            (desk: inout EnrolDesk) throws(FileError) -> Result<EnrolRequest, EnrolDesk.AcceptRefusal> in
            let users = try folder.users().union([content.config.username])
            do throws(EnrolDesk.AcceptRefusal) {
                return .success(try desk.accept(box, users: users, at: WallClock.now()))
            } catch {
                return .failure(error)
            }
        } then: { outcome throws(FileError) in
            guard case .success(let request) = outcome else { return }
            try folder.change([request.box: request.hash])
        }
        if case .failure(let refusal) = outcome { throw FleetError(.failed, Self.sentence(refusal, box)) }
        try options.common.output.show(Document(box: box)) { _ in "\(box) is let in.\n" }
    }

    private static func sentence(_ refusal: EnrolDesk.AcceptRefusal, _ box: String) -> String {
        let box = PlainText.visible(box)
        return switch refusal {
        case .notWaiting: "no box \"\(box)\" waits; \"adhan-fleet enrol list\" shows those that do"
        case .taken:
            "the broker has a user \"\(box)\" already, who did not come by an invitation; \"adhan-fleet enrol revoke \(box)\" takes that one out"
        case .usedUp(let count):
            "the invitation has had all its boxes, which are \(count), so \"\(box)\" goes on waiting; \"adhan-fleet enrol new\" invites more, and then this box can be accepted"
        }
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
        let (isKnown, complaint) = try takeOut(folder)
        guard isKnown else {
            throw FleetError(
                .failed,
                complaint
                    ?? "the fleet has no box \"\(PlainText.visible(box))\"; \"adhan-fleet enrol list\" shows those that it has"
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
        if let complaint {
            throw FleetError(
                .failed,
                "\(complaint), so the list of boxes was not changed; \(box) is taken out all the same")
        }
    }

    /// The broker's passwords decide who comes in, so a list that cannot be read or written holds nothing up.
    /// - Returns: whether the box was known, and why the list was not changed.
    private func takeOut(_ folder: EnrolFolder) throws(FleetError) -> (isKnown: Bool, complaint: String?) {
        try folder.make()
        do throws(FileError) {
            return try folder.edit { () throws(FileError) in
                let isUser = try folder.users().contains(box)
                var (isKnown, complaint): (Bool, String?) = (isUser, nil)
                do throws(FileError) {
                    let record = try folder.read()
                    if let loss = record.complaint { StandardError.write("adhan-fleet: \(loss)") }
                    var desk = record.desk
                    // Once more after a broker that was away: what it keeps is still to be cleared.
                    isKnown = desk.wasRevoked(box) || isUser
                    isKnown = desk.revoke(box, isUser: isUser) || isKnown
                    if desk != record.desk || record.isSaveDue { try folder.save(desk, over: record) }
                } catch {
                    complaint = error.message
                }
                let none: String? = nil
                if isKnown { try folder.change([box: none]) }
                return (isKnown, complaint)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
    }
}
