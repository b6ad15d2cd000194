import CommandKit
import Host
import PrayerEngine
import Settings
import Times

/// The site of a configuration that is about to be saved. A broken zone file only prevents a change of that zone, because adhand
/// uses a substitute for it.
struct SavedSite {
    let site: Site
    /// The problem of the zone, and the command to type.
    let warning: String?

    init(_ config: Config, before: Config, _ zones: ZoneFiles = ZoneFiles(in: .process)) throws(CommandError)
    {
        let resolved: ResolvedSite
        do throws(SiteError) {
            resolved = try ResolvedSite(config, zones, kept: nil, isMeant: true)
        } catch {
            throw CommandError(.invalidInput, "\(error.message); nothing was changed")
        }
        site = resolved.site
        guard let problem = resolved.problem else {
            warning = nil
            return
        }
        // Times in a zone that this machine cannot read would be a guess.
        guard config.timezone == before.timezone else {
            throw CommandError(
                .failed,
                "the time zone cannot be read: \(problem.reason); nothing was changed; first type: \(problem.fix)"
            )
        }
        warning = "Warning: \(problem.message). Type: \(problem.fix)."
    }
}
