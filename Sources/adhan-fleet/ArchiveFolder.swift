internal import CommandKit
internal import FleetPlan
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Settings
internal import Texts

/// `reprepro/` in the fleet's folder: the apt archive, copied from the machine that signs it. `rings/VERSION/NAME/dists` are
/// indices that are already signed, one per ring and one without the version. `public/dists` is a link to the index that is
/// served.
struct ArchiveFolder: Sendable {
    private let path: String

    init(_ folder: FleetFolder) { path = folder.path + "/reprepro" }

    private static let suite = "stable"
    /// The largest index that is read: one of a few packages has some KB.
    private static let mostBytes = 16 << 20

    private var link: String { path + "/public/dists" }

    private func suitePath(_ version: String, _ index: PackageRollout.Index) -> String {
        "\(path)/rings/\(version)/\(index.folder)/dists/\(Self.suite)"
    }

    // MARK: Looking

    /// Refuses a version whose roll-out would stop half-way: the index of every ring must exist for as many machines as its
    /// name states, and so must the index that a stop needs.
    func check(_ version: String, rings: [Int]) throws(FleetError) {
        for percent in rings {
            let index = PackageRollout.Index.ring(percent: percent)
            let entry = try entry(version, index)
            guard let entry, entry.version == version else {
                throw refusal(
                    version, index,
                    "has \(entry.map { "adhand \(PlainText.visible($0.version))" } ?? "no adhand"), not \(version)"
                )
            }
            guard entry.percent == percent else {
                throw refusal(version, index, "is for \(entry.percent) % of the machines")
            }
        }
        if let entry = try entry(version, .before), entry.version == version {
            throw refusal(version, .before, "has adhand \(version), so a stop would stop nothing")
        }
    }

    private func refusal(_ version: String, _ index: PackageRollout.Index, _ what: String) -> FleetError {
        FleetError(
            .invalidInput, "the index in \"\(suitePath(version, index))\" \(what); \(advice)")
    }

    private var advice: String {
        "run \"make archive-rings\" on the machine that signs, and copy its archive/fleet to \"\(path)\""
    }

    private struct Entry {
        var version: String
        var percent = 100
    }

    /// The package's entry in an index; `nil` where the index lacks the package.
    private func entry(_ version: String, _ index: PackageRollout.Index) throws(FleetError) -> Entry? {
        let folder = suitePath(version, index)
        guard unsafe access(folder + "/InRelease", R_OK) == 0 else {
            let code = errno
            throw FleetError(
                .invalidInput, "\(FileError("read", folder + "/InRelease", code: code).message); \(advice)")
        }
        var found: Entry?
        for architecture in ["amd64", "arm64"] {
            let file = "\(folder)/main/binary-\(architecture)/Packages"
            let bytes: [UInt8]
            do throws(FileError) { bytes = try FileBytes.read(file, limit: Self.mostBytes) } catch {
                if error.isMissing { continue }
                throw FleetError(.failed, error.message)
            }
            guard let entry = Self.entry(in: String(decoding: bytes, as: UTF8.self)) else { continue }
            if let found, found.version != entry.version || found.percent != entry.percent {
                throw refusal(version, index, "has not the same adhand for all architectures")
            }
            found = entry
        }
        return found
    }

    /// The package's entry in the text of a `Packages` file.
    private static func entry(in text: String) -> Entry? {
        var (isMeant, version, percent): (Bool, String?, Int?) = (false, nil, nil)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if isMeant { break }
                (version, percent) = (nil, nil)
            } else if let colon = line.firstIndex(of: ":") {
                let value = String(line[line.index(after: colon)...].drop { $0 == " " })
                switch line[..<colon] {
                case "Package": isMeant = value == PackageRollout.packageName
                case "Version": version = value
                case "Phased-Update-Percentage": percent = Int(value) ?? 0
                default: break
                }
            }
        }
        guard isMeant, let version else { return nil }
        return Entry(version: version, percent: percent ?? 100)
    }

    // MARK: Serving

    /// The link's target; `nil` where there is no link.
    private var served: String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// The index that is served; `nil` where there is none, or where it has no end.
    var servedIndex: ServedIndex? {
        guard let bytes = try? FileBytes.read("\(link)/\(Self.suite)/InRelease", limit: Self.mostBytes) else {
            return nil
        }
        return ServedIndex(inRelease: String(decoding: bytes, as: UTF8.self))
    }

    /// Makes the web server serve this index of a version from now on.
    /// - Returns: whether a different index was served before.
    func serve(_ version: String, _ index: PackageRollout.Index) throws(FileError) -> Bool {
        let target = "../rings/\(version)/\(index.folder)/dists"
        // A link to a missing index would leave boxes without any archive.
        let file = suitePath(version, index) + "/InRelease"
        guard unsafe access(file, R_OK) == 0 else { throw FileError("read", file, code: errno) }
        if served == target { return false }
        let draft = link + ".new"
        _ = unsafe unlink(draft)
        guard unsafe symlink(target, draft) == 0 else { throw FileError("create", draft, code: errno) }
        guard unsafe rename(draft, link) == 0 else {
            let code = errno
            _ = unsafe unlink(draft)
            throw code == EISDIR || code == ENOTEMPTY || code == EEXIST
                ? FileError(
                    "replace", link,
                    reason: "it is a folder; remove it, since a link to a ring takes its place")
                : FileError("replace", link, code: code)
        }
        return true
    }
}
