package import Protocol
import Settings
package import Texts

/// `settings`: the settings that were made by command.
package enum SettingsText {
    package static func list(_ reply: SettingsReply, _ style: Style) -> String {
        guard !reply.settings.isEmpty else {
            return "Nothing is set by command; the files alone count.\n"
        }
        var table = TextTable([.left, .left, .left])
        for setting in reply.settings {
            let isInForce = setting.state == .set
            table.add([
                .init(setting.key), .init(shortened(setting.value), isInForce ? .good : .caution),
                .init(
                    (isInForce ? "" : "\(setting.state.rawValue), ")
                        + SettingText.author(setting.by, setting.at), .faint),
            ])
        }
        let reasons = reply.settings.filter { $0.state != .set }.map { setting in
            let place =
                setting.file.map { file in " (\(file)\(setting.line.map { ", line \($0)" } ?? ""))" } ?? ""
            let now = setting.inForce.isEmpty ? "nothing" : shortened(setting.inForce)
            return "\(setting.key) is not in force: \(setting.reason ?? "")\(place). In force is \(now).\n"
        }
        return table.rendered(style) + reasons.joined()
    }

    package static func log(_ reply: ChangesReply) -> String {
        guard !reply.changes.isEmpty else { return "Nothing has been set by command.\n" }
        return reply.changes.map { change in
            let undoes = change.undoes.map { ", undoes change \($0)" } ?? ""
            let by = change.by == change.user ? change.by : "\(change.by) (user \(change.user))"
            let head = "\(change.change)  \(change.at.prefix(16))Z  \(PlainText.visible(by))\(undoes)\n"
            return head
                + change.steps.map { step in
                    "   \(step.key): \(step.before.map(shortened) ?? "not set") → \(step.after.map(shortened) ?? "not set")\n"
                }.joined()
        }.joined()
    }

    package static func export(_ reply: SettingsReply) -> String {
        let inForce = reply.settings.filter { $0.state == .set }
        guard !inForce.isEmpty else { return "# Nothing is set by command.\n" }
        func lines(of home: SettableKey.Home, _ line: (String, SettingDocument) -> String) -> String {
            inForce.filter { SettableKey($0.key)?.home == home }.map { setting in
                let author = PlainText.visible(SettingText.author(setting.by, setting.at))
                return "\(line(setting.key, setting))  # \(author)\n"
            }.joined()
        }
        // Each file has its own keys. The text is valid in adhand's file, and names the lines for the other file in a comment.
        let screen = lines(of: .display) { key, setting in
            "# \(key.dropFirst(SettableKey.Home.displayTable.count + 1)) = \(setting.value)"
        }
        return lines(of: .adhand) { "\($0) = \($1.value)" }
            + (screen.isEmpty ? "" : "# In \(DisplayConfig.systemFile):\n" + screen)
    }

    private static func shortened(_ value: String) -> String {
        PlainText.visible(value.count > 60 ? value.prefix(57) + "..." : value)
    }
}
