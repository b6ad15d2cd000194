import BoxCard
import PrayerEngine
import Protocol
import Texts

/// Whether a flashed box gets new versions.
extension Doctor {
    /// An index of the archive is valid for this long after it was signed.
    private static let validSeconds = 14 * 86400.0

    /// The time of the last valid index's signature; for a box that never had one, the time since when it has requested one.
    private static func silentSince(_ upgrades: CardUpgrades) -> Instant? {
        upgrades.archiveSigned ?? upgrades.archiveAskedSince
    }

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
        if let reason = upgrades.archive.reason { return DoctorCheck(.upgrades, .ok, reason + ".") }
        if let since = silentSince(upgrades), since + validSeconds < facts.now {
            let isNew = upgrades.archiveSigned == nil
            let from = isNew ? since : since + validSeconds
            return DoctorCheck(
                .upgrades, .warning,
                "adhand's archive has had no valid index \(isNew ? "for this box " : "")since "
                    + "\(InstantText.minute(from, in: facts.zone)), so this box gets no new version of adhand.",
                fix: "journalctl -u adhan-box-upgrade")
        }
        return DoctorCheck(.upgrades, .ok, "This box upgrades itself when nothing is due.")
    }
}
