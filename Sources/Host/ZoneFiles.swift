package import PrayerEngine
internal import Settings
package import Texts
package import Times

/// The system's time zones: the one that it uses, and the rules of each (tzfile(5), localtime(5)).
package struct ZoneFiles: Sendable {
    /// The directory: TZDIR, or /usr/share/zoneinfo.
    package let directory: String
    /// The path of a link into the directory of zones, or of a copy of one of them.
    package let localtime: String
    /// The path of Debian's note of the zone's name.
    package let timezoneNote: String
    /// The variable TZ; `nil` when unset.
    package let override: String?

    /// The most bytes of a zone file: the largest of tzdata has four kilobytes.
    private static let longestZone = 1 << 18
    private static let longestTable = 1 << 20

    package init(
        in environment: Environment, localtime: String = "/etc/localtime",
        timezoneNote: String = "/etc/timezone"
    ) {
        directory = environment.absolutePath("TZDIR") ?? "/usr/share/zoneinfo"
        self.localtime = localtime
        self.timezoneNote = timezoneNote
        override = environment.variables["TZ"]
    }

    /// A zone, and the bytes of the file with its rules.
    package struct Reading: Sendable {
        package let zone: Zone
        /// The bytes; `nil` where no file was read.
        package var tzif: [UInt8]?
        /// Whether the machine has no configured zone, so that it is UTC.
        package var isDefault = false
    }

    /// The zone called `name`, such as `America/New_York`.
    package func zone(named name: String) throws(ZoneFileError) -> Zone { try reading(named: name).zone }

    /// The zone that the system uses.
    package func systemZone() throws(ZoneFileError) -> Zone { try systemReading().zone }

    /// The zone called `name`.
    package func reading(named name: String) throws(ZoneFileError) -> Reading {
        guard ZonePlaces.isName(name) else { throw .noName(name) }
        let path = directory + "/" + name
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, limit: Self.longestZone)
        } catch  where error.isMissing || Directories.isDirectory(path) {
            guard Directories.isDirectory(directory) else { throw .noZones(directory: directory) }
            let places = places()
            // The tables know the zone, so the name is right and the file is missing.
            guard places.place(of: name) == nil else {
                throw .unreadable(FileError("read", path, reason: "the file is gone"))
            }
            throw .unknown(name, nearest: places.nearest(to: name))
        } catch {
            throw .unreadable(error)
        }
        return try Self.parse(bytes, name: name, path: path)
    }

    /// The zone that the system uses. TZ overrides /etc/localtime, as for every program; without either it is UTC.
    package func systemReading() throws(ZoneFileError) -> Reading {
        if let override { return try overridden(by: override) }
        if let name = linkedName() { return try reading(named: name) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(localtime, limit: Self.longestZone)
        } catch  where error.isMissing && Links.target(localtime) == nil {
            return Reading(zone: .utc, isDefault: true)
        } catch {
            throw .unreadable(error)
        }
        return try Self.parse(bytes, name: nameOfCopy(bytes) ?? Self.unnamed, path: localtime)
    }

    /// The name of a zone when only its rules are known.
    package static let unnamed = "localtime"

    /// The tables of places, read again at every call; a table that is missing is empty.
    package func places() -> ZonePlaces {
        ZonePlaces(
            zoneTab: table("zone.tab"), zone1970Tab: table("zone1970.tab"), rules: table("tzdata.zi"))
    }

    private func table(_ name: String) -> [UInt8] {
        (try? FileBytes.read(directory + "/" + name, limit: Self.longestTable)) ?? []
    }

    /// The release of the files, read again at every call; `nil` where they do not contain it.
    package func release() -> ZoneRelease? {
        ZoneRelease(rules: table("tzdata.zi"), version: table("+VERSION"))
    }

    /// The principal place of a zone.
    package func place(of zone: Zone) throws(ZoneFileError) -> ZonePlace { try place(named: zone.name) }

    package func place(named name: String) throws(ZoneFileError) -> ZonePlace {
        if let place = places().place(of: name) { return place }
        // A system without tzdata.zi still has the former names as links.
        if let target = Links.target(directory + "/" + name)?.split(separator: "/").last,
            let name = places().zones.first(where: { $0 == target || $0.hasSuffix("/" + target) }),
            let place = places().place(of: name)
        {
            return place
        }
        throw .noPlace(name)
    }

    /// Parses TZ: `:America/New_York`, `/usr/share/zoneinfo/…`, `EST5EDT,M3.2.0,M11.1.0`, or empty for UTC (tzset(3)).
    private func overridden(by text: String) throws(ZoneFileError) -> Reading {
        let text = text.hasPrefix(":") ? String(text.dropFirst()) : text
        if text.isEmpty { return Reading(zone: .utc) }
        if text.hasPrefix("/") {
            if let name = name(fromPath: text) { return try reading(named: name) }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try FileBytes.read(text, limit: Self.longestZone)
            } catch {
                throw .unreadable(error)
            }
            return try Self.parse(bytes, name: Self.unnamed, path: text)
        }
        // A zone's name is tried first: EST5EDT is both.
        do throws(ZoneFileError) {
            return try reading(named: text)
        } catch {
            if let zone = try? Zone(name: text, posix: text) { return Reading(zone: zone) }
            if case .noName = error { throw .unknown(text, nearest: places().nearest(to: text)) }
            throw error
        }
    }

    /// The name in the link's target, which may be relative or lead through another directory of zones.
    private func linkedName() -> String? {
        Links.target(localtime).flatMap { name(fromPath: $0) }
    }

    private func name(fromPath path: String) -> String? {
        let name: Substring
        if path.hasPrefix(directory + "/") {
            name = path.dropFirst(directory.count + 1)
        } else if let marker = path.ranges(of: "zoneinfo/").last {
            name = path[marker.upperBound...]
        } else {
            return nil
        }
        let plain = ZonePlaces.plain(String(name))
        return ZonePlaces.isName(plain) ? plain : nil
    }

    /// The zone of which /etc/localtime is a copy: the one in /etc/timezone if it matches, else the first identical one.
    private func nameOfCopy(_ bytes: [UInt8]) -> String? {
        func isAlike(_ name: String) -> Bool {
            ZonePlaces.isName(name)
                && (try? FileBytes.read(directory + "/" + name, limit: Self.longestZone)) == bytes
        }
        if let note = try? FileBytes.read(timezoneNote, limit: 4096) {
            let name = String(decoding: note, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
            if let name = name.map(String.init), isAlike(name) { return name }
        }
        return (["Etc/UTC"] + places().zones).first(where: isAlike)
    }

    /// The zone that the machine would have if its file could be read, if it has a name.
    package var systemName: String? { override.map { ZonePlaces.isName($0) ? $0 : nil } ?? linkedName() }

    private static func parse(_ bytes: [UInt8], name: String, path: String) throws(ZoneFileError) -> Reading {
        do throws(ZoneError) {
            return Reading(zone: try Zone(name: name, tzif: bytes), tzif: bytes)
        } catch {
            throw .broken(path: path, reason: error.description)
        }
    }
}
