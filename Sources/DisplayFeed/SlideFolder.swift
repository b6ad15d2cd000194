internal import AdhanCore
package import DisplayProgramme
internal import Glibc
internal import Host

/// A folder of pictures and texts that people put there. What cannot be shown is left out and told, never waited for.
package struct SlideFolder: Sendable {
    package struct Found: Sendable, Equatable {
        package var slides: [StateDocument.SlideEntry] = []
        /// Path and type by the name below `/slides/`.
        package var files: [String: (path: String, type: String)] = [:]
        /// Behind the board: path and type.
        package var background: (path: String, type: String)?
        package var broken: [String] = []

        package init() {}

        package static func == (a: Found, b: Found) -> Bool {
            a.slides == b.slides && a.broken == b.broken && a.files.keys == b.files.keys
                && a.background?.type == b.background?.type
        }
    }

    private let path: String

    /// Bytes: a browser on a small box decodes no more without a pause, and nobody reads more text at a glance.
    private static let largestPicture = 8 << 20
    private static let largestText = 2000
    private static let most = 100

    private init(_ path: String) {
        self.path = path
    }

    /// All pictures and texts that the settings name.
    package static func look(_ config: DisplayConfig) -> Found {
        var found = config.slides.map { SlideFolder($0).look() } ?? Found()
        if let picture = config.background {
            found.background = type(of: picture).map { (picture, $0) }
            if found.background == nil { found.broken.append(picture) }
        }
        return found
    }

    func look() -> Found {
        var found = Found()
        guard let names = try? Directories.names(in: path) else {
            found.broken = [path]
            return found
        }
        for name in names.prefix(Self.most) where !name.hasPrefix(".") {
            let file = "\(path)/\(name)"
            if name.hasSuffix(".txt") {
                guard let bytes = try? FileBytes.read(file, limit: Self.largestText),
                    let text = String(validating: bytes, as: UTF8.self)
                else {
                    found.broken.append(name)
                    continue
                }
                found.slides.append(.init(text: PlainText.visible(text, keepingLines: true)))
            } else if let type = Self.type(of: file) {
                found.slides.append(.init(image: name))
                found.files[name] = (file, type)
            } else {
                found.broken.append(name)
            }
        }
        return found
    }

    /// What the file's own first bytes say it is, whatever it is called; `nil` for what is no picture, or too large.
    private static func type(of file: String) -> String? {
        var status = stat()
        guard unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= largestPicture
        else { return nil }
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 12)
        let count = unsafe head.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count == 12 else { return nil }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if head.starts(with: Array("RIFF".utf8)), head[8...] == ArraySlice("WEBP".utf8) {
            return "image/webp"
        }
        return nil
    }
}
