/// The evidence whether a recording is fit to be called: everything found by decoding it to its end.
package struct RecordingEvidence: Codable, Sendable, Equatable {
    /// Seconds of sound that decode.
    package var seconds: Double
    /// Seconds that were encoded, as the encoder noted; nil where it noted none.
    package var promisedSeconds: Double?
    /// Share of the file's bytes, without tags at its beginning, that are decodable MPEG frames.
    package var audioShare: Double
    /// Whether the file ends with a whole frame, or with tags behind one. An interrupted download ends inside a frame.
    package var endsWhole: Bool
    /// Whether more of it is too loud than in any intact recording.
    package var isTooLoud = false
    /// Share of its windows of 400 ms that are audible at the gain of playback; nil where it has no window.
    package var audibleShare: Double?

    package init(
        seconds: Double, promisedSeconds: Double? = nil, audioShare: Double = 1, endsWhole: Bool = true,
        isTooLoud: Bool = false, audibleShare: Double? = nil
    ) {
        self.seconds = seconds
        self.promisedSeconds = promisedSeconds
        self.audioShare = audioShare
        self.endsWhole = endsWhole
        self.isTooLoud = isTooLoud
        self.audibleShare = audibleShare
    }
}

/// Whether a recording is fit to be called. Import, check, preflight, doctor and the daemon all use it.
package struct RecordingVerdict: Sendable, Equatable {
    /// Why it should not be called; nil where there is no objection.
    package var objection: RecordingObjection?
    /// Why a person should listen to it before it is called, as the end of a sentence. It is played all the same.
    package var caution: String?

    package init(_ evidence: RecordingEvidence) {
        objection = Self.objection(to: evidence)
        guard objection == nil else { return }
        if let share = evidence.audibleShare, share < RecordingLimits.leastUsualAudibleShare {
            caution = "only \(Self.percent(share)) % of it can be heard, and the rest is silent"
        } else if let promised = evidence.promisedSeconds, Self.isShort(evidence.seconds, of: promised) {
            caution =
                "its header says \(Self.tenths(promised)) s, and it has \(Self.tenths(evidence.seconds)) s: "
                + "it was trimmed, or it is not complete"
        }
    }

    private static func objection(to evidence: RecordingEvidence) -> RecordingObjection? {
        if evidence.seconds < RecordingLimits.shortestSeconds { return .tooShort(seconds: evidence.seconds) }
        if evidence.seconds >= RecordingLimits.longestSeconds { return .tooLong }
        if evidence.isTooLoud { return .tooLoud }
        if let share = evidence.audibleShare, share < RecordingLimits.leastAudibleShare {
            return .inaudible(share: share)
        }
        if let promised = evidence.promisedSeconds {
            // Tools that trim a recording leave the encoder's note unchanged. Where every byte is sound, nothing is missing.
            let isComplete =
                evidence.endsWhole && evidence.audioShare >= RecordingLimits.leastShare
            guard Self.isShort(evidence.seconds, of: promised), !isComplete else { return nil }
            return .partial(seconds: evidence.seconds, promised: promised)
        }
        guard evidence.audioShare < RecordingLimits.leastAudioShare else { return nil }
        return .mostlyOther(audioShare: evidence.audioShare)
    }

    private static func isShort(_ seconds: Double, of promised: Double) -> Bool {
        seconds < RecordingLimits.leastShare * promised
    }

    fileprivate static func percent(_ share: Double) -> Int { Int((100 * share).rounded(.down)) }

    fileprivate static func tenths(_ seconds: Double) -> String {
        let tenths = Int((min(seconds, 1e9) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Why a recording should not be called. `description` is the end of a sentence: "only 0.2 s of its 7.3 s decode".
package enum RecordingObjection: Sendable, Equatable, CustomStringConvertible {
    case tooShort(seconds: Double)
    case tooLong
    case tooLoud
    case inaudible(share: Double)
    case partial(seconds: Double, promised: Double)
    case mostlyOther(audioShare: Double)

    /// The code that is kept beside a recording that a person added in spite of the objection.
    package var code: String {
        switch self {
        case .tooShort: "too-short"
        case .tooLong: "too-long"
        case .tooLoud: "too-loud"
        case .inaudible: "inaudible"
        case .partial: "partial"
        case .mostlyOther: "mostly-other"
        }
    }

    /// Whether the time signal is played instead, as for a file that does not decode. The readable part of an incomplete
    /// recording is played.
    package var isReplaced: Bool {
        switch self {
        case .tooShort, .tooLoud, .inaudible: true
        case .tooLong, .partial, .mostlyOther: false
        }
    }

    package var description: String {
        switch self {
        case .tooShort(let seconds): "it is only \(Int((seconds * 1000).rounded())) ms long"
        case .tooLong: "it is longer than \(Int(RecordingLimits.longestSeconds / 3600)) h"
        case .tooLoud: "it is damaged: much of it is louder than any recording"
        case .inaudible(0): "it is silent from beginning to end"
        case .inaudible(let share): "only \(RecordingVerdict.percent(share)) % of it can be heard"
        case .partial(let seconds, let promised):
            "only \(RecordingVerdict.tenths(seconds)) s of its \(RecordingVerdict.tenths(promised)) s decode"
        case .mostlyOther(let bytes): "only \(RecordingVerdict.percent(bytes)) % of the file is MP3 audio"
        }
    }
}
