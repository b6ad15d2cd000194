import CommandKit
import Console
package import Envelope
import Host
package import Settings
import Texts
package import Times

/// The configuration as this program reads it: the file that adhand would read if started by the same user.
package struct LocalConfiguration {
    /// The path, or a name for a text without one.
    let source: String
    let isFile: Bool
    package let config: Config
    /// The sources of the settings.
    let settings: [ConfigSetting]
    /// The files that were read.
    var files: [String] { sources.map(\.file) }
    private let sources: [ConfigSource]

    /// - Parameters:
    ///   - over: the settings by command, which override the files.
    ///   - fleet: the fleet's configuration, between the files. As in adhand, it is ignored if the two conflict.
    package init(
        file: String? = nil, over set: LocalSettings? = nil, fleet: FleetConfiguration? = nil
    ) throws(CommandError) {
        // A file given on the command line must exist.
        switch file.map({ .file($0) }) ?? Paths(Paths.Options(), in: .process).configuration {
        case .embedded:
            let files = EffectiveConfig(config: .default, settings: [])
            let effective = set?.over([], files) ?? files
            (source, isFile, sources) = ("embedded default", false, [])
            (config, settings) = (effective.config, effective.settings)
        case .file(let path):
            let own = try Self.read(path)
            let whole = fleet.map { FleetSources($0.toml, among: own, after: path).sources } ?? own
            let effective: EffectiveConfig
            do throws(ConfigError) {
                if let fleet, let both = try? ConfigLoader.load(whole), both.config.isMember(of: fleet) {
                    sources = whole
                    effective = set?.over(whole, both) ?? both
                } else {
                    sources = own
                    let files = try ConfigLoader.load(own)
                    effective = set?.over(own, files) ?? files
                }
            } catch {
                throw CommandError(error)
            }
            (source, isFile, config, settings) = (path, true, effective.config, effective.settings)
        }
    }

    /// Makes a configuration from settings by command alone, if there is no file.
    init(over set: LocalSettings?) {
        let files = EffectiveConfig(config: .default, settings: [])
        let effective = set?.over([], files) ?? files
        (source, isFile, sources) = ("embedded default", false, [])
        (config, settings) = (effective.config, effective.settings)
    }

    /// Whether a key has its value from a setting by command, including settings for all prayers or in a list of tables.
    func isSetByCommand(_ key: String) -> Bool {
        let parts = key.split(separator: ".")
        let shared = parts.count == 3 ? "\(parts[0]).\(parts[2])" : nil
        let table = parts.dropLast().joined(separator: ".")
        let setting = [key, shared, table].compactMap { $0 }.lazy.compactMap { name in
            settings.first { $0.key == name }
        }.first
        return setting?.file == LayeredConfig.sourceName
    }

    private static func read(_ path: String) throws(CommandError) -> [ConfigSource] {
        do throws(FileError) {
            return try ConfigFiles.read(path).sources
        } catch {
            throw CommandError(.failed, error.message)
        }
    }

    /// The site by the file alone, so that a missing value is the file's own mistake.
    func site(_ zones: ZoneFiles = ZoneFiles(in: .process)) throws(CommandError) -> Site {
        do throws(SiteError) {
            return try SiteReader.site(for: config, zones)
        } catch {
            throw invalid(error)
        }
    }

    /// The site that a daemon would use here. A daemon starts even if a zone file is broken or names no place.
    func daemonSite(_ zones: ZoneFiles = ZoneFiles(in: .process)) throws(CommandError) -> Site {
        do throws(SiteError) {
            return try ResolvedSite(config, zones, kept: nil, isMeant: true).site
        } catch {
            throw invalid(error)
        }
    }

    /// The site with `options` overriding the file, for a town if one is given.
    package func site(_ options: CalculationOptions, city: String? = nil) throws(CommandError) -> Site {
        let override = try PlaceOverride(city, options)
        let options = override.moved(options)
        var effective: Config
        do throws(OptionError) {
            effective = try options.apply(to: config)
        } catch {
            throw CommandError(error)
        }
        if options.movesPlace { try override.apply(to: &effective, zoneIsGiven: options.timezone != nil) }
        do throws(SiteError) {
            return try SiteReader.site(for: effective, ZoneFiles(in: .process))
        } catch {
            throw refusal(error, options)
        }
    }

    /// Makes the refusal with the source of the error: the command line, the file, or the machine.
    private func refusal(_ error: SiteError, _ options: CalculationOptions) -> CommandError {
        switch error {
        case .zone where options.timezone != nil: return CommandError(.usage, "--timezone: \(error.message)")
        case .noPlace(let cause):
            return CommandError(.usage, "\(cause.message), or give --latitude and --longitude")
        case .calculation
        where options.method != nil || options.zone != nil || options.fajrAngle != nil
            || options.ishaAngle != nil:
            return CommandError(.usage, error.message)
        case .systemZone: return CommandError(.failed, "\(error.message); give --timezone")
        case .zone, .calculation: return invalid(error)
        }
    }

    private func invalid(_ error: SiteError) -> CommandError {
        CommandError(ConfigLoader.error(at: error.key, in: sources, file: source, reason: error.message))
    }
}

extension Config {
    fileprivate func isMember(of configuration: FleetConfiguration) -> Bool {
        guard let fleet, let signing = fleet.signing else { return false }
        return configuration.isOf(fleet.org, signing: signing)
    }
}
