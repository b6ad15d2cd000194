internal import Languages
internal import Protocol

/// Past announcements, and refusals without a page of their own.
extension PageMaker {
    func log(_ facts: LogFacts) -> [HTML] {
        let heads = ["date", "prayer", "time", "heard"].map { context.text($0) }
        return [
            table(
                heads,
                facts.entries.map {
                    [number($0.date), .text(prayer($0.prayer)), number($0.time), .text(outcome($0.outcome))]
                })
        ]
    }

    func problem(_ problem: PageProblem) -> [HTML] {
        // A refusal before the cookie was read has no phone, and only keepers may see these pages.
        let isOpen = context.role == .keeper || ![.setup, .phones].contains(context.back)
        let way = isOpen ? context.back ?? .now : .now
        // Both problems need a code from the room.
        let back = [.unpaired, .fresh].contains(problem) ? .pair : way
        let link = HTML.element("a", [("href", context.link(to: back))], [.text(name(of: back))])
        return [.element("p", [], [link])]
    }
}
