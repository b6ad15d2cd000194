import Settings
import Texts

// Each device can have only one use.
extension HookConfig {
    static let buttonKeys: [ConfigKey<ButtonSettings>] = [
        .optionalText(
            "device", .text(.other(HookKinds.device)), \.device,
            example: "/dev/input/by-id/usb-Remote-event-kbd", "with key; or else chip and line"),
        .optionalText("key", .text(.other(HookKinds.key)), \.key, example: "KEY_PLAYPAUSE", ""),
        .optionalText("chip", .text(.other(HookKinds.device)), \.chip, example: "/dev/gpiochip0", ""),
        HookConfig.line {
            $0.chip == nil ? nil : $0.line
        } set: {
            $0.line = $1
        },
        HookConfig.lowActive("pressed when its line is low, which is pulled up otherwise") {
            $0.chip == nil ? nil : $0.isActiveLow
        } set: {
            $0.isActiveLow = $1
        },
        action("short", \.short, "of " + ButtonAction.words.map { "\"\($0)\"" }.joined(separator: ", ")),
        action("long", \.long, "when it is held"),
        ConfigKey(name: "long-press", rule: .text(.other(HookKinds.press)), meaning: "") {
            .text(PressText.format($0.longPressSeconds))
        } set: { button, value in
            if case .text(let text) = value, let seconds = PressText.parse(text) {
                button.longPressSeconds = seconds
            }
        },
    ]

    private static func action(
        _ name: String, _ place: ConfigKey<ButtonSettings>.Place<ButtonAction>, _ meaning: String
    ) -> ConfigKey<ButtonSettings> {
        ConfigKey(name: name, rule: .text(.other(HookKinds.action)), meaning: meaning) {
            .text($0[keyPath: place].word)
        } set: { button, value in
            if case .text(let word) = value, let action = ButtonAction(word) {
                button[keyPath: place] = action
            }
        }
    }

    static func buttonFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        switch (values["device"] != nil, values["chip"] != nil) {
        case (true, true): return ("chip", "stands beside device, and a button is one of both; keep one")
        case (true, false):
            if values["line"] != nil || values["active-low"] != nil {
                return ("line", "is of a chip, and this button is a key of a device; take it away")
            }
            return values["key"] == nil
                ? ("key", "is missing; write which key, such as \"KEY_PLAYPAUSE\"") : nil
        case (false, true):
            if values["key"] != nil {
                return ("key", "is of a device, and this button is a line of a chip; take it away")
            }
            return values["line"] == nil
                ? ("line", "is missing; write which line of the chip, such as 17") : nil
        case (false, false):
            return ("device", "is missing; write device and key, or chip and line")
        }
    }

    /// Complaints about devices with two exclusive uses.
    var sharing: [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for (index, relay) in relays.enumerated() {
            for other in relays[(index + 1)...] {
                if relay.drive == other.drive {
                    complaints.append(
                        .init(
                            ["relay"],
                            "the relays \"\(relay.name)\" and \"\(other.name)\" are switched by the same "
                                + "\(relay.chip == nil ? "commands" : "line"); keep one of them"))
                } else if relay.drive.excludes(other.drive) {
                    complaints.append(
                        .init(
                            ["relay"],
                            "the relays \"\(relay.name)\" and \"\(other.name)\" have the same line; give each its own"
                        ))
                }
            }
        }
        var seen: [String] = []
        for button in buttons {
            let place =
                switch button.source {
                case .key(let device, let key, _): "the key \(key) of \"\(device)\""
                case .line(let line): "line \(line.line) of \"\(line.chip)\""
                }
            if seen.contains(place) {
                complaints.append(.init(["button"], "two [[button]] are \(place); keep one of them"))
            }
            seen.append(place)
            if case .line(let line) = button.source,
                let relay = relays.first(where: { $0.drive.excludes(.line(line)) })
            {
                complaints.append(
                    .init(
                        ["button"],
                        "a [[button]] and the relay \"\(relay.name)\" are \(place); give each its own"))
            }
        }
        return complaints
    }
}
