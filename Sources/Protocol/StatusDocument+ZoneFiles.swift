import PrayerEngine
import Texts
package import Times

extension StatusDocument.Problem {
    package init(_ warning: ZoneFilesWarning) {
        self.init(code: warning.code.rawValue, message: warning.message, fix: ZoneFilesWarning.fix)
    }

    /// Whether a change of clocks is missing, and the files are not merely old.
    public var isOutdated: Bool { code == ZoneFilesWarning.Code.outdated.rawValue }

    /// Warns that clock times of this zone are wrong. `status` reports the age of the machine's zone files.
    init?(of zone: Zone) {
        guard let warning = ZoneFilesWarning(zone, nil, now: nil) else { return nil }
        self.init(warning)
    }

    /// The problem and the command that repairs it.
    public var caution: String {
        PlainText.sentence(message) + (fix.map { " Run \"\($0)\"." } ?? "")
    }
}
