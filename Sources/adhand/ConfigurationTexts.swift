internal import Host
internal import Settings
import Texts
internal import Times

/// The texts of the configuration as they are now on disk.
struct ConfigurationTexts: Sendable {
    /// The path that was read, or a name for a text without one.
    let name: String
    let sources: [ConfigSource]
    /// The mark of the text that the last command wrote; `nil` where there is no record of one.
    private(set) var mark: ConfigurationMark?

    /// The most bytes of a record, far beyond any real one.
    private static let longestRecord = 1 << 20

    init(_ configuration: Paths.Configuration) throws(ConfigError) {
        name = Self.name(of: configuration)
        guard case .file(let path) = configuration else {
            sources = []
            return
        }
        do throws(FileError) {
            sources = try ConfigFiles.read(path).sources
        } catch {
            throw ConfigError(
                file: error.path, line: 1, column: 1, key: nil, reason: Self.cause(error) ?? error.message)
        }
        // Without it every missing part counts as lost, which is the safe side.
        mark = (try? FileBytes.read(ConfigurationMark.record(of: path), limit: Self.longestRecord))
            .flatMap { try? ConfigurationMark(fileBytes: $0) }
    }

    static func name(of configuration: Paths.Configuration) -> String {
        switch configuration {
        case .file(let path): path
        case .embedded(let lookedFor):
            "embedded default (there is no \(lookedFor.joined(separator: ", no ")))"
        }
    }

    /// Why an existing file cannot be read, and the remedy; "Permission denied" alone explains neither.
    private static func cause(_ error: FileError) -> String? {
        if error.isMissing, let target = Links.target(error.path) {
            return
                "cannot read \"\(PlainText.visible(error.path))\": it is a link to \"\(PlainText.visible(target))\", which is not there"
        }
        let access = FileAccess.of(error.path)
        guard access != .missing, let obstacle = access.obstacle(for: ConfigChecker.user) else { return nil }
        let remedy = access.remedy(for: error.path).map { "; run \"\($0)\"" } ?? ""
        return "\(error.message): \(obstacle)\(remedy)"
    }
}
