package import Envelope
import Texts

extension FleetTopic {
    /// The filter that matches requests of boxes to be admitted.
    package var enrolFilter: String { enrolment(of: "+") }

    /// - Returns: the box that asks; `nil` for every other topic.
    package func enrolling(at topic: String) -> String? {
        let start = enrolment(of: "")
        guard topic.hasPrefix(start) else { return nil }
        let box = String(topic.dropFirst(start.count))
        return FleetName.isBox(box) ? box : nil
    }

    /// All topics on which a broker retains messages of a box.
    package func all(of box: String) -> [String] {
        let prayers = Prayer.allCases.map { report(.adhan($0), of: box) }
        let applied = FleetKind.allCases.map { report(.applied($0), of: box) }
        let down = FleetKind.allCases.map { change($0, for: box) }
        return [report(.status, of: box), report(.plan, of: box), report(.problems, of: box)] + prayers
            + applied
            + down
    }
}
