/// The reasons that playback and the disk give, worded for the log and `status`.
enum Reason {
    /// The reason, never empty, and never a sentence that breaks off at its colon.
    static func stated(_ reason: String) -> String {
        var text = Substring(reason)
        while let last = text.last, last.isWhitespace || last == ":" || last == ";" { text.removeLast() }
        return text.isEmpty ? "no reason was given" : String(text)
    }
}

extension JobEvent {
    /// The event, with a reason where one belongs.
    var stated: Self {
        switch self {
        case .substituted(let sound, let reason): .substituted(sound: sound, reason: Reason.stated(reason))
        case .noDevice(let reason, let next): .noDevice(reason: Reason.stated(reason), next: next)
        case .soundDamaged(let reason): .soundDamaged(reason: Reason.stated(reason))
        case .trouble(let reason): .trouble(reason: Reason.stated(reason))
        case .deviceLost(let device, let reason): .deviceLost(device: device, reason: Reason.stated(reason))
        case .deviceSilent(let device, let reason):
            .deviceSilent(device: device, reason: Reason.stated(reason))
        case .ended(let result): .ended(result.stated)
        case .cued, .began, .dropout, .deviceRecovered, .deviceAudible, .soundMissing: self
        }
    }
}

extension JobResult {
    fileprivate var stated: Self {
        guard case .failed(let reason) = end else { return self }
        var result = self
        result.end = .failed(reason: Reason.stated(reason))
        return result
    }
}
