package import Protocol
package import Texts

/// `adhanctl outputs`, and the block `Outputs` of `status`: a line for each output.
package enum OutputsText {
    package static func render(_ outputs: [OutputState], now: String, _ style: Style) -> String {
        var table = TextTable([.left, .left])
        for output in outputs {
            let (text, tone) = sentence(output, now: now)
            table.add([.init(output.name, .heading), .init(text, tone)])
        }
        return table.rendered(style)
    }

    static func facts(_ outputs: [OutputState], now: String) -> [StatusFact] {
        outputs.enumerated().map { index, output in
            let (text, tone) = sentence(output, now: now)
            return StatusFact(index == 0 ? "Outputs" : "", "\(output.name): \(text)", tone)
        }
    }

    /// `healthy on "hw:1,0"; silent until 06:00 (night-law)`
    static func sentence(_ output: OutputState, now: String) -> (text: String, tone: Style.Tone) {
        let (health, tone) = health(output)
        var parts = [health]
        // A quiet window or a mute does not stop a sound that already plays.
        let isHeard = output.state == .playing || output.state == .stopping
        if output.state == .playing, output.quiet != nil {
            parts.append("plays to its end")
        } else if output.state != .idle, output.state != .stuck {
            parts.append(output.state.rawValue)
        }
        if let quiet = output.quiet {
            let end = output.quietUntil.map { " until \(LocalText.spoken($0, now: now))" } ?? ""
            parts.append("\(isHeard ? "then " : "")silent\(end) (\(quiet))")
        }
        if !output.required { parts.append("not required") }
        return (parts.joined(separator: "; "), output.quiet != nil && tone == .plain ? .caution : tone)
    }

    private static func health(_ output: OutputState) -> (String, Style.Tone) {
        let faultTone: Style.Tone = output.required ? .alarm : .caution
        if output.state == .stuck { return ("does not answer", faultTone) }
        if output.hasFailed { return (output.lastError ?? "the last sound could not be played", faultTone) }
        let devices = output.devices.map { "\"\($0)\"" }.joined(separator: ", ")
        guard output.checkedAt != nil else { return ("\(devices), not used yet", .plain) }
        return ("healthy on \(output.device.map { "\"\($0)\"" } ?? devices)", .plain)
    }
}
