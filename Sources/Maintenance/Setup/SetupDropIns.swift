import Console
import Host
import Settings

/// The values of drop-ins beside the configuration, which override the file.
package struct SetupDropIns {
    private let files: [(path: String, edit: ConfigEdit)]

    /// Makes an empty value for an unreadable directory, which the configuration's reader reports.
    package init(beside path: String) {
        let paths = (try? ConfigFiles.dropIns(of: path)) ?? []
        files = paths.compactMap { path in
            (try? FileBytes.read(path, limit: ConfigLoader.longestFile)).map { (path, ConfigEdit($0)) }
        }
    }

    /// The last drop-in with a key, whose value is in force.
    private func holder(of key: [String]) -> String? {
        files.last { $0.edit.has(key) }?.path
    }

    /// A sentence for each key that setup may write and a drop-in has.
    package var notes: [String] {
        SetupDraft.keys.compactMap { key in
            holder(of: key).map {
                "Note: \(key.joined(separator: ".")) is set in \($0), which overrides the file: what is answered here has no effect."
            }
        }
    }
}
