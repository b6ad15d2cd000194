import CommandKit
import Console
import ControlClient
import Host
import PrayerEngine
import Settings
import Times

/// A new place in a changed configuration, and the timetable and exceptions of the old one.
struct PlaceChange {
    private let keeper: PlaceKeeper
    private let belongings: PlaceBelongings
    private let site: Site
    private let move: PlaceMove

    /// - Parameter isDecided: whether a person decided about the timetable or the times set by hand.
    init(
        _ target: SetupTarget, _ daemon: ControlClient, from before: Config?, to site: Site,
        isDecided: Bool = false
    ) {
        self.site = site
        keeper = PlaceKeeper(of: target, daemon)
        let zones = ZoneFiles(in: .process)
        let old = before.flatMap { try? ResolvedSite($0, zones, kept: nil, isMeant: true).site }
        // If the place stays, nothing needs a decision, and nothing is read.
        let isSame =
            old.map {
                $0.place.latitude == site.place.latitude && $0.place.longitude == site.place.longitude
                    && $0.zone.name == site.zone.name
            } ?? false
        belongings = isSame && !isDecided ? PlaceBelongings() : keeper.belongings()
        move = PlaceMove(
            belongings, from: Self.place(before, old, site),
            clockChanges: old.map { $0.zone.name != site.zone.name } ?? false, to: site,
            today: Self.today(site))
    }

    /// The chosen place before; if none is or was chosen, that of the zone.
    private static func place(_ before: Config?, _ old: Site?, _ site: Site) -> ConfiguredLocation? {
        if let location = before?.location { return location }
        guard let old, site.approximate else { return nil }
        return ConfiguredLocation(
            name: old.name, latitude: old.place.latitude, longitude: old.place.longitude)
    }

    private static func today(_ site: Site) -> CivilDate { site.zone.civilDate(of: WallClock.now()) }

    /// Refuses a move without a decision, and reads the timetable that is given.
    func decide(_ decision: PlaceDecision) throws(CommandError) -> CarriedDecision {
        guard !keeper.isElsewhere(decision) else {
            throw .usage(
                "--timetable and --exceptions are for the adhand that reads this configuration, and the one that answers "
                    + "reads another; nothing was changed")
        }
        let isDecided = decision.timetable != nil || decision.file != nil
        if let refusal = move.refusal(timetable: isDecided, exceptions: decision.exceptions != nil) {
            throw .usage("\(refusal); nothing was changed")
        }
        try keeper.check(decision.exceptions, belongings)
        var carried = CarriedDecision(timetable: decision.timetable, exceptions: decision.exceptions)
        guard let file = decision.file else { return carried }
        switch TimetableUnderstanding.read(file, site, WallClock.now()) {
        case .understood(let timetable): carried.table = timetable.table
        case .refused(let reason): throw CommandError(.invalidInput, "\(reason); nothing was changed")
        }
        return carried
    }

    func carryOut(
        _ decision: CarriedDecision, save: (ChangeRecord) throws(CommandError) -> Bool, putBack: () -> Void
    ) throws(CommandError) -> [String] {
        try keeper.carryOut(decision, belongings, at: site, save: save, putBack: putBack)
    }

    func bringBack(_ record: ChangeRecord?) -> [String] {
        keeper.bringBack(record, from: Self.today(site))
    }

    /// The settings that follow the place without a question.
    var warning: String? {
        let open = [
            move.timetable.map { "\($0.capitalized); \"adhanctl timetable remove\" takes it away." },
            move.exceptions.map { "\($0.capitalized); \"adhanctl exception remove\" takes them away." },
        ].compactMap(\.self)
        return open.isEmpty ? nil : open.joined(separator: " ")
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
