internal import CAlsa

/// Keeps alsa-lib's messages about its own errors for the sentence that reports the failed call instead of
/// printed.
///
/// "Unknown PCM hw:9" explains far more than the errno it comes with. Everything here is about the calling
/// thread.
enum AlsaMessages {
    /// From now on this thread's messages are kept.
    static func listen() { adhand_alsa_listen() }

    /// The errno's own words, with alsa-lib's complaint where it adds something.
    static func cause(_ code: Int32) -> String {
        let known = unsafe String(cString: snd_strerror(code))
        let words = known.isEmpty ? "error \(-code)" : known
        let message = take()
        if message.isEmpty { return words }
        return message.contains(words) ? message : "\(words) (\(message))"
    }

    /// The kept message, which is forgotten.
    static func take() -> String {
        var text = [CChar](repeating: 0, count: 512)
        unsafe adhand_alsa_take(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
