internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Host
internal import Texts

/// `adhan-fleet enrol list`
struct ListEnrolments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the invitation, the boxes that came, and those that wait.")

    @OptionGroup var options: EnrolOptions
    @OptionGroup var labelling: LabelOptions

    private struct Document: Encodable {
        struct Box: Encodable {
            let box, hardware, version: String
            /// `nil` while the box waits.
            let at: String?
            /// For a box that waits: whether a member had its name before.
            var known: Bool?
        }

        @Nullable var invitation: EnrolDesk.Invitation?
        var isOpen = false
        let boxes, waiting: [Box]
        /// Users of the broker that may be boxes of a list that was lost.
        let unlisted: [String]
        /// The number of labels; absent where none were requested.
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
                .init(
                    box: $0.key, hardware: $0.value.hardware, version: $0.value.version, at: nil,
                    known: desk.waitsByKnownName($0.key))
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
            lines += document.waiting.map { box in
                let why = box.known == true ? "asks again, by a board without a number" : "waits"
                return "\(box.box)  \(why)  \(box.version)"
            }
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
