import Texts

/// The text to attach to a bug report.
package enum DiagnosticsText {
    /// The parts of the report.
    package struct Parts: Sendable {
        /// `Debian GNU/Linux 12 (bookworm)`, `alsa-lib 1.2.8` …
        package var versions: [String]
        package var doctor: DoctorDocument
        /// The daemon's own status; `nil` when it does not answer.
        package var daemon: String?
        /// The reason why adhand does not answer, in a sentence.
        package var silence: String?
        /// The configuration as far as it can be read without adhand.
        package var configuration: [String]
        /// The journal's last lines, which explain a daemon that does not run.
        package var journal: [String]

        package init(
            versions: [String], doctor: DoctorDocument, daemon: String? = nil, silence: String? = nil,
            configuration: [String] = [], journal: [String] = []
        ) {
            self.versions = versions
            self.doctor = doctor
            self.daemon = daemon
            self.silence = silence
            self.configuration = configuration
            self.journal = journal
        }
    }

    package static func render(_ parts: Parts, exact: Bool) -> String {
        var sections = [head(exact: exact), ReportText.section("versions", parts.versions)]
        let doctor = DoctorText.render(parts.doctor, .plain)
        sections.append(ReportText.section("doctor", doctor.split(separator: "\n").map(String.init)))
        if let daemon = parts.daemon {
            sections.append(daemon)
        } else {
            sections.append(ReportText.section("adhand", [parts.silence ?? "does not answer"]))
            sections.append(ReportText.section("configuration", parts.configuration))
            sections.append(
                ReportText.section("journal", parts.journal.isEmpty ? ["none available"] : parts.journal))
        }
        return sections.joined(separator: "\n")
    }

    private static func head(exact: Bool) -> String {
        let place =
            exact
            ? "It tells exactly where this machine is."
            : "Coordinates in it are rounded to a tenth of a degree, some ten kilometres; the place's name is as you wrote it."
        let text =
            "adhand's diagnostics, for a bug report. \(place) The names of this machine and of its users, home "
            + "directories and network addresses are left out. Read it before you send it."
        return Wrapping.lines(text, indent: 0).joined(separator: "\n") + "\n"
    }
}
