internal import Languages
internal import PrayerEngine
internal import Settings
internal import Texts

/// Changes of times by hand, each with its undo.
extension PageMaker {
    /// Changes that can be undone, each with a button.
    func byHand(_ changes: [HandChanges.Change], back page: Route.Name) -> [HTML] {
        guard context.role == .keeper, !changes.isEmpty else { return [] }
        let items = changes.map { change -> HTML in
            let subject =
                switch change.subject {
                case .exception(let day, let prayer):
                    "\(self.prayer(prayer.rawValue)) · \(date(day.description))"
                case .month(let month): hijriMonth(month)
                }
            let values = [change.before, change.after].map(value).joined(separator: " → ")
            return .joined([
                .element(
                    "p", [],
                    [.text(subject + " · "), number(values), .text(" · "), number(change.by)]),
                undo(hand: change.number, back: page),
            ])
        }
        return [.element("h3", [], [.text(context.text("changes"))]), list(items)]
    }

    private func value(_ value: HandChanges.Value?) -> String {
        switch value {
        case .times(let adhan, let iqama, _):
            [adhan, iqama].compactMap { $0.map(ClockText.format) }.joined(separator: " / ")
        case .begins(let day): day.description
        case nil: "–"
        }
    }

    /// A month such as `1448-09` in the reader's language.
    private func hijriMonth(_ text: String) -> String {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let month = Int(parts[1]),
            context.language.hijriMonths.indices.contains(month - 1)
        else { return text }
        return "\(context.language.hijriMonths[month - 1]) \(parts[0])"
    }
}
