import BoxCard
import PrayerEngine
import Protocol
import Texts

/// Whether a flashed box gets new versions.
extension Doctor {
    /// An index of the archive is valid for so long after it was signed.
    private static let validSeconds = 14 * 86400.0

    static func upgrades(_ facts: DoctorFacts) -> DoctorCheck {
        guard let upgrades = facts.upgrades else {
            return DoctorCheck(
                .upgrades, .ok, "This is no flashed box, so its packages are upgraded by hand.")
        }
        if let failed = upgrades.state?.failed {
            return DoctorCheck(
                .upgrades, .warning,
                "adhand was not well with the upgrade \(PlainText.visible(String(failed.prefix(60)))), so the box went back to "
                    + "the one before. It is tried again in a week.")
        }
        guard upgrades.upgradesAdhand else {
            return DoctorCheck(
                .upgrades, .ok, "adhand stays as it is, by box.txt on the card; Debian's updates go on.")
        }
        if let signed = upgrades.archiveSigned, signed + validSeconds < facts.now {
            return DoctorCheck(
                .upgrades, .warning,
                "adhand's archive has had no valid index since \(InstantText.minute(signed + validSeconds, in: facts.zone)), so "
                    + "this box gets no new version of adhand. Debian's updates go on.",
                fix: "journalctl -u adhan-box-upgrade")
        }
        return DoctorCheck(.upgrades, .ok, "This box upgrades itself when nothing is due.")
    }
}
