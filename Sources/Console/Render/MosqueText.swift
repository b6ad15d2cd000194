import PrayerEngine
package import Protocol
package import Texts

/// Renders decisions by hand, for people.
package enum MosqueText {
    package static func exceptions(_ reply: ExceptionsReply, _ style: Style) -> String {
        guard !reply.exceptions.isEmpty else { return "nothing is set by hand\n" }
        var table = TextTable([.left, .left, .left, .left, .left, .left])
        table.add(
            [.init("Date", .heading), "", .init("Prayer", .heading), .init("Time", .heading)]
                + [.init("Iqama", .heading), .init("Reason", .heading)])
        for entry in reply.exceptions {
            table.add([
                .init(entry.date), .init(CivilDate(entry.date).map(LocalText.weekday) ?? "", .faint),
                .init(Prayer(rawValue: entry.prayer)?.title ?? entry.prayer), .init(entry.adhan ?? "-"),
                .init(entry.iqama ?? "-"), .init(entry.reason ?? ""),
            ])
        }
        return table.rendered(style)
    }

    package static func skips(_ reply: SkipsReply, _ style: Style) -> String {
        guard !reply.skips.isEmpty else { return "no prayer is skipped\n" }
        var table = TextTable([.left, .left, .left, .left])
        for skip in reply.skips {
            table.add([
                .init(skip.date), .init(CivilDate(skip.date).map(LocalText.weekday) ?? "", .faint),
                .init(Prayer(rawValue: skip.prayer)?.title ?? skip.prayer),
                .init(skip.at.map(LocalText.minute) ?? "", .faint),
            ])
        }
        return table.rendered(style)
    }

    package static func pins(_ reply: HijriPinsReply, _ style: Style) -> String {
        guard !reply.pins.isEmpty else {
            return "no month's beginning was decided; they are the calendar's\n"
        }
        var table = TextTable([.left, .left, .left, .left])
        table.add(
            [.init("Month", .heading), "", .init("First day", .heading), .init("Decided by", .heading)])
        for pin in reply.pins {
            let source = pin.source == .configuration ? "configuration" : "command"
            table.add([
                .init(pin.month), .init(pin.name), .init(pin.date),
                .init(
                    source + (pin.inForce ? "" : ", not in force: the configuration says otherwise"),
                    pin.inForce ? .plain : .caution),
            ])
        }
        return table.rendered(style)
    }
}
