internal import Host
internal import Languages
internal import NIOCore
internal import ScreenPlan
internal import Texts

/// The page's files, which are read once. No other file is ever served below `/assets/`.
struct Page: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: ByteBuffer
    }

    let index: File
    /// The files, by their path below `/assets/`.
    let assets: [String: File]
    let languages: [String: Language]
    /// The version of all files, which changes with any of them.
    let build: String

    private static let largest = 1 << 20

    init(folder: String) throws(FileError) {
        var assets: [String: File] = [:]
        var languages: [String: Language] = [:]
        for (prefix, directory) in [("", folder), ("languages/", folder + "/languages")] {
            for name in try Directories.names(in: directory) {
                guard let type = Self.type(of: name), name != "index.html" else { continue }
                let bytes = try FileBytes.read("\(directory)/\(name)", limit: Self.largest)
                assets[prefix + name] = File(type: type, bytes: ByteBuffer(bytes: bytes))
                if prefix == "languages/", let language = try? JSON.decode(Language.self, from: bytes) {
                    languages[language.code] = language
                }
            }
        }
        index = File(
            type: "text/html; charset=utf-8",
            bytes: ByteBuffer(bytes: try FileBytes.read(folder + "/index.html", limit: Self.largest)))
        guard languages["en"] != nil else {
            throw FileError("read", folder + "/languages/en.json", reason: "it is not a table of a language")
        }
        self.assets = assets
        let all =
            assets.sorted { $0.key < $1.key }.flatMap { Array($0.value.bytes.readableBytesView) }
            + index.bytes.readableBytesView
        build = String(
            all.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 36)
        self.languages = languages
    }

    /// The folder of the files, which is beside an installed program or in the checkout of a built one.
    static func folder(in environment: Environment) -> String {
        var folder = Directories.parent(of: environment.executable)
        var candidates = environment.underPrefix("share/adhand/display")
        while folder.utf8.count > 1 {
            candidates.append(folder + "/Resources/display/page")
            folder = Directories.parent(of: folder)
        }
        return candidates.first(where: environment.exists) ?? "/usr/share/adhand/display"
    }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        case "woff2": "font/woff2"
        default: nil
        }
    }
}
