import ArgumentParser
import CommandKit
import Console
import ControlClient
import Host
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// The state directory, for commands whose options include a configuration already.
struct StateOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The state directory with the timetable.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?
}

extension CalculationArguments {
    /// The site of the configured place, with its timetable and exceptions, unless options request a calculation.
    func decidedSite(_ state: StateOption, _ daemon: ControlClient) throws(CommandError) -> Site {
        let place = statePlace(state.stateDir, daemon)
        let site = try configuration(place).site(options, city: city)
        if let far = ZoneText.farFromZones(site.calculation, at: site.place) {
            StandardError.write("adhanctl: \(far)")
        }
        return decided(place, daemon).map(site.applying) ?? site
    }

    /// The place of the state, as the answering daemon reports it; `nil` for a configuration of another daemon.
    func statePlace(_ directory: String? = nil, _ daemon: ControlClient) -> StatePlace? {
        let place = StatePlace(named: directory, daemon)
        guard directory == nil, let config else { return place }
        let usual = Paths(Paths.Options(), in: .process).configuration
        let own: String? = if case .file(let path) = usual { path } else { nil }
        guard let read = place.status == nil ? own : place.configuration, Directories.areSame(read, config)
        else { return nil }
        return place
    }

    /// The overrides; `nil` if options request a calculation, or a configuration whose state is unknown.
    func decided(_ place: StatePlace?, _ daemon: ControlClient) -> MosqueOverrides? {
        guard city == nil, options == CalculationOptions(), let place else { return nil }
        return OverridesReader(state: place, daemon: daemon).all()
    }

    /// adhand's own times, if it answers and no option requests others; else `nil`.
    func daemonTimes(
        _ selection: DateSelection, _ state: StateOption, _ daemon: ControlClient
    ) throws(CommandError) -> TimesDocument? {
        guard isEmpty, state.stateDir == nil,
            let status = try? daemon.ask(.getStatus, patienceSeconds: 2).status,
            let today = CivilDate(status.now.prefix(10))
        else { return nil }
        let dates: [CivilDate]
        do throws(OptionError) { dates = try selection.days(today: today) } catch {
            throw CommandError(error)
        }
        guard let first = dates.first else { return nil }
        var parts: [TimesDocument] = []
        for offset in stride(from: 0, to: dates.count, by: Self.mostDays) {
            let asked = TimesParameters(
                date: first.adding(days: offset).description, days: min(Self.mostDays, dates.count - offset))
            parts.append(try daemon.ask(.getTimes, asked).times)
        }
        return TimesDocument(parts)
    }

    /// The most days in one request to adhand.
    private static let mostDays = 35
}
