package import Protocol
package import Texts

/// `fleet`: the fleet of a box, and the state of its envelopes.
package enum FleetText {
    package static func applied(_ reply: EnvelopeReply) -> String {
        let what = "\(reply.kind) \(reply.seq)"
        return switch reply.state {
        case "scheduled":
            "\(what) takes effect at \(reply.at.map { PlainText.visible($0) } ?? "a later time"): until then an announcement is near\n"
        case "already": "\(what) was taken before; nothing was changed\n"
        case "trial": "\(what) is in force, on trial: the next adhan decides\n"
        case "not-for-me": "\(what) is for other boxes; nothing was changed\n"
        default: "\(what) is in force\n"
        }
    }

    package static func status(_ fleet: FleetDocument?, _ style: Style) -> String {
        guard let fleet else {
            return "This box belongs to no fleet: its configuration has no [fleet].\n"
        }
        let groups = fleet.groups.isEmpty ? "none" : fleet.groups.joined(separator: ", ")
        let head = "fleet   \(fleet.org)\ngroups  \(groups)\nkey     \(fleet.signing)\n"
        guard !fleet.applied.isEmpty else { return head + "No envelope was taken.\n" }
        var table = TextTable([.left, .right, .left, .left])
        for entry in fleet.applied {
            let isGood = ["confirmed", "scheduled", "trial"].contains(entry.state)
            table.add([
                .init(entry.kind), .init("\(entry.seq)"), .init(entry.state, isGood ? .good : .caution),
                .init(entry.at, .faint),
            ])
        }
        let reasons = fleet.applied.compactMap { entry in
            entry.reason.map { "\(entry.kind) \(entry.seq): \($0)\n" }
        }
        return head + "\n" + table.rendered(style) + reasons.joined()
    }
}
