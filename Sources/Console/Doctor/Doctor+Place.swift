import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// The configuration, the place and its time zone.
extension Doctor {
    package static func configuration(_ facts: DoctorFacts) -> DoctorCheck {
        let configuration = facts.configuration
        let file = configuration.file
        // If the file is valid by now, or this user may not read it, adhand's own answer counts.
        if let problem = facts.status?.configurationProblem, !configuration.state.isInvalid {
            let fix = sudo(problem.fix ?? UnusableConfiguration.fix, facts)
            return DoctorCheck(
                .configuration, .problem,
                "\(PlainText.sentence(problem.message)) \(UnusableConfiguration.remedy(problem.cause, fix: fix))",
                fix: fix)
        }
        switch configuration.state {
        case .lost(let reason):
            return DoctorCheck(
                .configuration, .problem,
                "\(PlainText.sentence(reason)) The next start goes on by what was in force before. Restore the file, or reload "
                    + "adhand when it runs to go on without it.", fix: sudo("adhanctl reload", facts))
        case .invalid(let reason):
            let effect =
                facts.status == nil
                ? "adhand does not start until it is fixed."
                : "What was in force before stays in force, after a restart as well, until the file is right."
            return DoctorCheck(
                .configuration, .problem,
                "The configuration has a mistake. \(PlainText.sentence(reason)) \(effect)",
                fix: facts.isSystem ? "sudoedit \(file)" : "adhanctl check \(file)")
        case .unreadable(let reason):
            return DoctorCheck(
                .configuration, facts.status == nil ? .problem : .warning,
                "\(PlainText.sentence(reason)) So it cannot be checked by you.",
                fix: "sudo adhanctl check \(file)")
        case .closed(let reason, let fix):
            let effect =
                facts.status == nil
                ? "The next start will be refused."
                : "What was in force stays in force, but the next start will be refused."
            return DoctorCheck(.configuration, .problem, "\(PlainText.sentence(reason)) \(effect)", fix: fix)
        case .embedded:
            return DoctorCheck(
                .configuration, .warning,
                "There is no configuration file (\(file)): adhand takes a place and a method that nobody chose.",
                fix: sudo("adhanctl setup", facts))
        case .valid where configuration.isNewer:
            return DoctorCheck(
                .configuration, .warning,
                "\(file) is valid, but was changed after adhand read it: the changes are not in force.",
                fix: sudo("adhanctl reload", facts))
        case .valid:
            let force = facts.status == nil ? "" : " and in force"
            return DoctorCheck(.configuration, .ok, "\(file) is valid\(force).")
        }
    }

    static func location(_ facts: DoctorFacts) -> DoctorCheck {
        if let problem = facts.status?.placeProblem {
            return DoctorCheck(
                .location, .problem, PlainText.sentence(problem.message),
                fix: sudo(problem.fix ?? PlaceProblem.fix, facts))
        }
        let news = methodNews(facts)
        guard let site = facts.locationFacts else { return unknown(.location, facts) }
        let place = PlaceText.describe(site.name, site.place.latitude, site.place.longitude)
        guard site.isApproximate else {
            guard let news else { return DoctorCheck(.location, .ok, "\(place).") }
            return DoctorCheck(.location, .warning, news, fix: sudo(newsFix(facts), facts))
        }
        return DoctorCheck(
            .location, .warning,
            "Nobody has set a location: \(place), the main place of the time zone, stands in, and the times may be "
                + "minutes wrong." + (news.map { " \($0)" } ?? ""), fix: sudo("adhanctl setup", facts))
    }

    private static func newsFix(_ facts: DoctorFacts) -> String {
        let how = facts.status?.calculation
        if how?.methodBefore != nil { return "adhanctl method auto" }
        // The adjustment was made for the old calendar, and would make the new one wrong.
        guard let was = how?.hijriCalendarBefore, how?.hijriAdjustment != nil else {
            return "adhanctl set hijri.calendar auto"
        }
        return "adhanctl set hijri.calendar \(was)"
    }

    /// Reports that another version of adhand chose another method, or another calendar.
    private static func methodNews(_ facts: DoctorFacts) -> String? {
        guard let how = facts.status?.calculation else { return nil }
        let method = how.methodBefore.map { was in
            MethodNews.message(
                was: MethodNews.title(was.method, was.asr, was.highLatitude),
                now: MethodNews.title(
                    how.method, how.asr, was.highLatitude == nil ? nil : how.highLatitude),
                goingBack: was.method, place: how.methodPlace)
        }
        let calendar = how.hijriCalendarBefore.map {
            CalendarNews.message(
                was: $0, now: how.hijriCalendar ?? "", place: how.methodPlace,
                adjustment: how.hijriAdjustment ?? 0)
        }
        let news = [method, calendar].compactMap(\.self).map {
            PlainText.sentence($0)
        }
        return news.isEmpty ? nil : news.joined(separator: " ")
    }

    private static func unknown(_ name: DoctorCheck.Name, _ facts: DoctorFacts) -> DoctorCheck {
        DoctorCheck(
            name, .warning,
            "This could not be looked at: "
                + (facts.locationProblem.map { "\($0)." } ?? "the configuration cannot be used."),
            fix: facts.locationProblem == nil ? nil : "timedatectl list-timezones")
    }

    /// More hours than any zone's clocks differ from the Sun where people use them: western China has 3.1, Alaska's west 3.3.
    private static let strangestZoneHours = 3.5

    static func timezone(_ facts: DoctorFacts) -> DoctorCheck {
        let check = zoneOfPlace(facts)
        guard check.verdict == .ok, let warning = zoneWarning(facts) else { return check }
        return DoctorCheck(
            .timezone, warning.isOutdated ? .problem : .warning, PlainText.sentence(warning.message),
            fix: warning.fix)
    }

    /// The warning about the zone files: the daemon's, or the same one where the daemon does not answer.
    private static func zoneWarning(_ facts: DoctorFacts) -> StatusDocument.Problem? {
        if let status = facts.status { return status.zoneWarning }
        return facts.locationFacts.flatMap {
            ZoneFilesWarning(
                $0.zone, facts.zoneRelease, now: facts.clock.isSynchronized ? facts.now : nil)
        }.map { .init($0) }
    }

    private static func zoneOfPlace(_ facts: DoctorFacts) -> DoctorCheck {
        if let problem = facts.status?.zoneProblem {
            return DoctorCheck(.timezone, .problem, PlainText.sentence(problem.message), fix: problem.fix)
        }
        guard let locationFacts = facts.locationFacts else { return unknown(.timezone, facts) }
        let zone = locationFacts.zone
        guard !locationFacts.isApproximate else {
            guard zone.isUniversal else {
                return DoctorCheck(
                    .timezone, .ok, "\(zone.name), \(clockText(facts.now, zone)). The place is taken from it."
                )
            }
            let fact = "This machine's clock keeps \(zone.name), which does not say where it is"
            // The check of the place reports the consequences, so they are not repeated here.
            guard facts.status?.placeProblem == nil else {
                return DoctorCheck(.timezone, .warning, "\(fact).")
            }
            return DoctorCheck(
                .timezone, .problem, "\(fact), and no place is set: adhand calls nothing.",
                fix: sudo("adhanctl setup", facts))
        }
        let isStrange =
            abs(zone.leadHours(overMeridian: locationFacts.place.longitude, at: facts.now))
            > strangestZoneHours
        // On a machine that uses universal time, no zone was chosen, so a short distance to another zone proves nothing.
        let near = zone.isUniversal ? Array(locationFacts.nearby.prefix(1)) : locationFacts.nearby
        if near.contains(where: { $0.zone.agrees(with: zone, from: facts.now) })
            || near.isEmpty && !isStrange
        {
            return DoctorCheck(
                .timezone, .ok, "\(zone.name), \(clockText(facts.now, zone)), which fits the location.")
        }
        if isStrange,
            locationFacts.nearbyAcross.contains(where: { $0.zone.agrees(with: zone, from: facts.now) })
        {
            return missingMinus(locationFacts, facts)
        }
        return mismatch(locationFacts, near.first, isStrange, facts)
    }

    private static func missingMinus(_ site: DoctorFacts.LocationFacts, _ facts: DoctorFacts) -> DoctorCheck {
        let written = NumberText.decimals(site.place.longitude, 4)
        let meant = NumberText.decimals(-site.place.longitude, 4)
        return DoctorCheck(
            .timezone, .problem,
            "The time zone \(site.zone.name) does not fit the longitude \(written), but would fit \(meant): west of "
                + "Greenwich it is negative. Every time is hours wrong.",
            fix: facts.isSystem ? "sudoedit \(facts.configuration.file)" : nil)
    }

    private static func mismatch(
        _ locationFacts: DoctorFacts.LocationFacts, _ nearest: NearbyZone?, _ isStrange: Bool,
        _ facts: DoctorFacts
    ) -> DoctorCheck {
        let zone = locationFacts.zone
        guard let nearest else {
            return DoctorCheck(
                .timezone, .problem,
                "The time zone \(zone.name) does not fit the location: its clocks are hours away from the Sun there.",
                fix: "timedatectl list-timezones")
        }
        let lead = zone.leadHours(over: nearest.zone, at: facts.now)
        let isProblem =
            isStrange || abs(lead) >= 3 || lead != 0 && (zone.isUniversal || hasTimetable(facts))
        let amount = "\(hours(abs(lead))) \(lead > 0 ? "ahead of" : "behind")"
        let fact =
            lead == 0
            ? "agrees with \(nearest.zone.name) (\(nearest.place)) today, but not all through the year"
            : "is \(amount) \(nearest.zone.name) (\(nearest.place)), which is close to the location"
        let effect = isProblem ? effect(of: lead, facts) : " Compare the times with your mosque's."
        return DoctorCheck(
            .timezone, isProblem ? .problem : .warning,
            "The time zone \(zone.name) \(fact).\(effect)",
            fix: zoneFix(nearest.zone.name, locationFacts, facts))
    }

    /// The effect of a clock that is ahead of the right one. Computed times are instants; a timetable's times depend on
    /// this clock.
    private static func effect(of lead: Double, _ facts: DoctorFacts) -> String {
        if hasTimetable(facts), lead != 0 {
            return " Every time that the timetable publishes is called \(hours(abs(lead))) too "
                + "\(lead > 0 ? "early" : "late"), because it is read by this clock."
        }
        return
            " Times are shown by the wrong clock, Friday begins and ends at the wrong hour, and if somebody set the "
            + "clock by hand to the time around you, every adhan is called \(hours(abs(lead))) wrong."
    }

    /// Whether there is a timetable. A published time follows the clock of the zone, wherever the sun is.
    private static func hasTimetable(_ facts: DoctorFacts) -> Bool {
        facts.status?.timetable.map { $0.days + $0.everyYear > 0 } ?? false
    }

    /// The command that corrects the zone. A zone in the configuration overrides the machine's.
    private static func zoneFix(
        _ name: String, _ locationFacts: DoctorFacts.LocationFacts, _ facts: DoctorFacts
    ) -> String {
        locationFacts.zoneIsConfigured
            ? sudo("adhanctl set timezone \(name)", facts) : "sudo timedatectl set-timezone \(name)"
    }

    /// `where it is 14:31 now`
    private static func clockText(_ now: Instant, _ zone: Zone) -> String {
        "where it is \(InstantText.minute(now, in: zone)) now"
    }

    /// `5 hours`, `1 hour`, `30 minutes`, `4.5 hours`
    private static func hours(_ value: Double) -> String {
        if value < 1 { return "\(NumberText.decimals(value * 60, 0)) minutes" }
        let whole = value.rounded() == value
        return "\(NumberText.decimals(value, whole ? 0 : 2)) hour\(value == 1 ? "" : "s")"
    }
}
