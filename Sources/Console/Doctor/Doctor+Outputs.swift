import Protocol
import Texts

/// Checks the outputs of a configuration that names them.
extension Doctor {
    /// One finding for each output; `nil` where none is configured.
    static func outputs(_ facts: DoctorFacts) -> [DoctorCheck]? {
        guard let status = facts.status, let outputs = status.namedOutputs else { return nil }
        return outputs.map { output in
            var result = check(output, facts)
            result.output = output.name
            return result
        }
    }

    private static func check(_ output: OutputState, _ facts: DoctorFacts) -> DoctorCheck {
        let bad: DoctorCheck.Verdict = output.required ? .problem : .warning
        let name = "output \(output.name)"
        let failures = failures(of: output.name, facts)
        if output.state == .stuck {
            return DoctorCheck(
                .devices, bad, "\(name): it does not answer. Its device or the sound server behind it hangs.",
                fix: "aplay -L")
        }
        if output.hasFailed {
            let reason = output.lastError ?? "the last sound could not be played"
            let often =
                failures.isEmpty
                ? ""
                : "failed at the last \(failures.count == 1 ? "announcement" : "\(failures.count) announcements"): "
            return DoctorCheck(
                .devices, bad, "\(name): \(often)\(PlainText.sentence(reason))", fix: "aplay -L")
        }
        if let reason = failures.last {
            return DoctorCheck(
                .devices, .warning,
                "\(name): \(PlainText.sentence("it failed at the last announcement: \(reason)")) Now its device opens.",
                fix: sudo("adhanctl test-play next --output \(output.name)", facts))
        }
        guard output.checkedAt != nil else {
            return DoctorCheck(.devices, .ok, "\(name): it has not been used yet.")
        }
        return DoctorCheck(
            .devices, .ok,
            "\(name): all was well when it was last used or tried. To hear it, run \""
                + sudo("adhanctl test-play next --output \(output.name)", facts) + "\".")
    }

    /// The reasons of the latest announcements in a row that failed there, the oldest first.
    private static func failures(of output: String, _ facts: DoctorFacts) -> [String] {
        let proofs = (facts.history?.announcements ?? []).compactMap { entry in
            entry.outputs?.first { $0.name == output && $0.outcome != .quiet }
        }
        return proofs.reversed().prefix { $0.outcome == .failed }.reversed().map {
            $0.reason ?? "no reason is known"
        }
    }
}
