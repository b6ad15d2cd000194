internal import Glibc
internal import Host
package import ScreenPlan
internal import Texts

/// A folder of people's pictures and texts. Unusable files are skipped and reported, without waiting for them.
package struct SlideFolder: Sendable {
    package struct Found: Sendable, Equatable {
        package var slides: [StateDocument.SlideEntry] = []
        /// The pictures by their names below `/slides/`.
        package var files: [String: Picture] = [:]
        /// The names among ``files`` that are pictures of announcements.
        package var pictures: [String] = []
        /// The picture behind the board.
        package var background: Picture?
        /// The mosque's logo, in the header.
        package var logo: Picture?
        package var broken: [String] = []

        package init() {}
    }

    package struct Picture: Sendable, Equatable {
        package let path: String
        package let type: String
        /// A version that changes with the file, so that a page that has shown it loads it again.
        package let version: String
        /// The bytes to serve; `nil`: the file as it is at that time.
        package var bytes: [UInt8]?
    }

    private let path: String

    /// The limits in bytes: a browser on a small box decodes no more without a pause, and longer texts are not read at a glance.
    private static let largestPictureBytes = 8 << 20
    private static let largestText = 2000
    private static let most = 100

    private init(_ path: String) {
        self.path = path
    }

    /// All pictures and texts that the settings name.
    package static func read(_ config: DisplayConfig) -> Found {
        var found = config.slides.map { SlideFolder($0).read() } ?? Found()
        for name in Set(config.display.announcements.compactMap(\.picture)).sorted() {
            // The name is the digest of the bytes, written by a program, so it serves as the version.
            if let picture = picture("\(config.pictureFolder)/\(name)") {
                found.pictures.append(name)
                found.files[name] = picture
            } else {
                found.broken.append(shortened(name))
            }
        }
        // Follow links in files that the settings name, because root writes the settings.
        if let picture = config.background {
            found.background = real(picture).flatMap(Self.picture)
            if found.background == nil { found.broken.append(picture) }
        }
        if let logo = config.logo {
            found.logo = real(logo).flatMap(Self.logo)
            if found.logo == nil { found.broken.append(logo) }
        }
        return found
    }

    /// A part of a name that suffices to identify it in a sentence.
    package static func shortened(_ name: String) -> String { name.prefix(8) + "…" }

    private static func real(_ file: String) -> String? {
        guard let path = unsafe realpath(file, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Reads a logo: a PNG, or an SVG that can only draw.
    private static func logo(_ file: String) -> Picture? {
        if let picture = picture(file) { return picture.type == "image/png" ? picture : nil }
        guard let bytes = try? FileBytes.read(file, limit: SafeSVG.mostBytes), SafeSVG.isSafe(bytes) else {
            return nil
        }
        // Serve the checked text, whatever happens to the file.
        return Picture(
            path: file, type: "image/svg+xml", version: SHA256.hex(bytes), bytes: bytes)
    }

    func read() -> Found {
        var found = Found()
        guard let names = try? Directories.names(in: path) else {
            found.broken = [path]
            return found
        }
        for name in names.prefix(Self.most) where !name.hasPrefix(".") {
            let file = "\(path)/\(name)"
            guard case .dates(var dates, _) = SlideDates.read(name) else {
                found.broken.append(name)
                continue
            }
            if name.hasSuffix(".txt") {
                guard !Self.isLink(file), let bytes = try? FileBytes.read(file, limit: Self.largestText),
                    let text = SlideText.read(bytes), let shown = Self.text(text, &dates)
                else {
                    found.broken.append(name)
                    continue
                }
                found.slides.append(.init(text: PlainText.visible(shown, keepingLines: true), dates: dates))
            } else if let picture = Self.picture(file) {
                found.slides.append(.init(image: name, version: picture.version, dates: dates))
                found.files[name] = picture
            } else {
                found.broken.append(name)
            }
        }
        return found
    }

    /// A text without its first line if that has only dates; `nil` if the dates are invalid.
    private static func text(_ text: String, _ dates: inout SlideDates) -> String? {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        switch SlideDates.read(lines[0]) {
        case .wrong: return nil
        case .dates(let own, alone: true):
            dates = SlideDates(from: own.from ?? dates.from, until: own.until ?? dates.until)
            return dates.isPossible && lines.count > 1 ? String(lines[1]) : nil
        case .dates: return text
        }
    }

    private static func isLink(_ file: String) -> Bool {
        var status = stat()
        return unsafe lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Reads a picture; `nil` for a file that is no picture, or too large. A link is refused: it may lead to private files, and
    /// the people who fill the folder need not administer the machine.
    private static func picture(_ file: String) -> Picture? {
        let raw = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= largestPictureBytes
        else { return nil }
        let head = PictureHead { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(raw, $0.baseAddress, count, off_t(offset))
            }
            return Array(bytes.prefix(max(0, got)))
        }
        guard let head, head.isShowable else { return nil }
        let time = status.st_mtim
        return Picture(
            path: file, type: head.type, version: "\(time.tv_sec).\(time.tv_nsec).\(status.st_size)")
    }
}
