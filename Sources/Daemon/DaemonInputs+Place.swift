import Announcements
import PrayerEngine
package import Protocol
import Times

extension DaemonInputs {
    package var placeProblem: PlaceProblem? {
        if site.isUnplaced { return PlaceProblem(code: .noPlace, zone: site.zone.name) }
        guard site.approximate, !callsApproximate else { return nil }
        return PlaceProblem(code: .approximate, zone: site.zone.name)
    }
}
