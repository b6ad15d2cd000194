import PrayerEngine
import Texts
package import Times

extension StatusDocument.Problem {
    package init(_ warning: ZoneFilesWarning) {
        self.init(code: warning.code.rawValue, message: warning.message, fix: ZoneFilesWarning.fix)
    }

    /// Whether a change of clocks is missing, and not only the files old.
    public var isOutdated: Bool { code == ZoneFilesWarning.Code.outdated.rawValue }

    /// Says that clock times of this very zone are wrong; how old its files are is said of the machine, by `status`.
    init?(of zone: Zone) {
        guard let warning = ZoneFilesWarning(zone, nil, now: nil) else { return nil }
        self.init(warning)
    }

    /// The problem and the command that mends it.
    public var caution: String {
        PlainText.sentence(message) + (fix.map { " Run \"\($0)\"." } ?? "")
    }
}
