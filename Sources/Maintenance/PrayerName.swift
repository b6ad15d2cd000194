import CommandKit
import Console
import PrayerEngine
import Protocol
import Settings
package import Texts

/// A prayer's name on the command line.
package enum PrayerName {
    package static func read(_ text: String) throws(CommandError) -> Prayer {
        if let prayer = Spelling.prayer(text) { return prayer }
        let near =
            NearestName.of(text, among: Prayer.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
        throw CommandError(.usage, ControlError.unknownPrayer(prayer: text).sentence + near)
    }
}
