package import Host
package import Protocol
package import ScreenPlan
package import Settings
package import Texts

/// Whether a `display.toml` is valid, and whether the screen can use it here: `adhan-display --check`, and a part of
/// `adhanctl check`.
package struct DisplayCheck: Codable, Sendable, Equatable {
    package let file: String
    /// Whether the text could be read and is valid.
    package private(set) var valid: Bool
    /// Whether everything that it refers to can be shown; warnings do not count.
    package private(set) var usable: Bool
    /// The user whose rights the check had.
    package var view: CheckDocument.View
    package let user: String
    package private(set) var problems: [CheckProblem]
    package let files: [String]
    package let settings: [ConfigSetting]
    /// The distance from which each part can be read; `null` where the screen's size is not set.
    @Nullable package private(set) var legibility: Legibility?
    /// Every available view, each at `?view=NAME`.
    package private(set) var views: [String] = []
    /// The view on this machine's own display.
    package private(set) var displayView = View.wall

    /// Checks with the rights of the user who runs this program.
    package init(_ named: String?, view: CheckDocument.View, user: String, in environment: Environment) {
        file = named ?? DisplayConfig.systemFile
        self.view = view
        self.user = user
        var isRead = true
        do throws(DisplayFileError) {
            let read = try DisplayFile.read(named, in: environment)
            (files, settings) = (read.files, read.keys)
            legibility = Legibility(read.config.page)
            views = read.config.viewNames
            displayView = read.config.displayView
            problems = Self.problems(of: read.config)
        } catch {
            (files, settings) = ([], [])
            switch error {
            case .mistakes(let mistakes): problems = mistakes.all.map { CheckProblem($0) }
            case .file(let error):
                isRead = false
                problems = [CheckProblem(.access, .problem, error.message, file: error.path)]
            }
        }
        valid = isRead && !problems.contains { $0.kind == .configuration }
        usable = !problems.contains { $0.severity == .problem }
    }

    /// 65: the text is invalid; 1: it is unreadable, or it is valid but refers to files that cannot be shown.
    package var exitStatus: Int32 {
        problems.contains { $0.kind == .configuration } ? 65 : usable ? 0 : 1
    }

    private static func problems(of config: DisplayConfig) -> [CheckProblem] {
        var problems: [CheckProblem] = []
        for name in config.viewNames {
            guard let page = config.seen(as: name)?.page, let small = Legibility(page)?.tooSmall,
                !small.isEmpty,
                name == View.wall || page.distance != config.page.distance
                    || page.diagonal != config.page.diagonal
            else { continue }
            let screen = name == View.wall ? "screen" : "view \"\(name)\""
            problems.append(
                CheckProblem(
                    .access, .warning,
                    "at \(page.distance) m part of the \(screen) is too small: \(Legibility.text(small)). A larger or nearer screen is needed",
                    key: name == View.wall ? "screen.distance" : "view"))
        }
        if config.page.distance > 0, config.page.diagonal == 0 {
            problems.append(
                CheckProblem(
                    .access, .warning,
                    "the letters do not follow the distance, because the screen's size is not set: write diagonal, in inches, beside distance",
                    key: "screen.distance"))
        }
        let found = SlideFolder.read(config)
        if let picture = config.background, found.background == nil {
            problems.append(
                CheckProblem(
                    .access, .problem,
                    "\"\(PlainText.visible(picture))\" is no JPEG, PNG, GIF or WebP of at most 8 MB and 36 megapixels that can be read",
                    key: "screen.background"))
        }
        if let logo = config.logo, found.logo == nil {
            problems.append(
                CheckProblem(
                    .access, .problem,
                    "\"\(PlainText.visible(logo))\" is no PNG that can be read, and no SVG of at most 200 kB without scripts, styles from elsewhere, embedded pictures and references to other files",
                    key: "logo"))
        }
        let lost = Set(config.display.announcements.compactMap(\.picture)).subtracting(found.pictures)
            .map(SlideFolder.shortened)
        if !lost.isEmpty {
            problems.append(
                CheckProblem(
                    .access, .warning,
                    "of the announcements' pictures in \(config.pictureFolder) these cannot be shown, and the texts replace them: \(lost.sorted().joined(separator: ", "))",
                    key: "announcement"))
        }
        guard let folder = config.slides else { return problems }
        do throws(FileError) {
            _ = try Directories.names(in: folder)
        } catch {
            return problems
                + [CheckProblem(.access, .problem, "the slides: \(error.message)", key: "slides.folder")]
        }
        let broken = found.broken.filter {
            $0 != config.background && $0 != config.logo && !lost.contains($0)
        }
        guard !broken.isEmpty else { return problems }
        let names = broken.map { PlainText.visible($0) }.joined(separator: ", ")
        return problems + [
            CheckProblem(
                .access, .warning,
                "of the slides in \(folder) these cannot be shown, and are left out: \(names)",
                key: "slides.folder")
        ]
    }
}

/// The names of the views, with the one on this machine's own display if that is not the default.
package enum ViewText {
    package static func list(_ names: [String], display: String?) -> String {
        let own = display.flatMap { $0 == View.wall ? nil : " (\($0) on this machine's display)" } ?? ""
        return names.joined(separator: ", ") + own
    }
}

/// The result for people. Problems are reported separately, on standard error.
package enum DisplayCheckText {
    package static func render(_ check: DisplayCheck, _ style: Style) -> String {
        guard check.valid else { return "" }
        let verdict = check.usable ? style("valid", .good) : style("valid, but not usable here", .alarm)
        let reach = check.legibility.map { "readable: \(Legibility.text($0.parts))\n" } ?? ""
        return "\(check.file): \(verdict)\n" + reach
            + "views: \(ViewText.list(check.views, display: check.displayView))\n"
            + CheckText.dropIns(of: check.file, files: check.files, settings: check.settings)
    }
}
