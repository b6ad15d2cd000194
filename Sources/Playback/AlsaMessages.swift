internal import CAlsa

/// Keeps alsa-lib's messages about its own errors for the sentence that reports the failed call, instead of printing them.
///
/// "Unknown PCM hw:9" explains far more than the errno that it comes with. Everything here concerns the calling thread only.
enum AlsaMessages {
    /// Begins to keep this thread's messages.
    static func listen() { adhand_alsa_listen() }

    /// The text of the errno, with alsa-lib's message where it adds something.
    static func cause(_ code: Int32) -> String {
        let known = unsafe String(cString: snd_strerror(code))
        let words = known.isEmpty ? "error \(-code)" : known
        let message = drain()
        if message.isEmpty { return words }
        return message.contains(words) ? message : "\(words) (\(message))"
    }

    /// Returns the kept message and forgets it.
    static func drain() -> String {
        var text = [CChar](repeating: 0, count: 512)
        unsafe adhand_alsa_take(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
