internal import CAlsa
internal import Glibc
internal import Synchronization

/// What alsa-lib says about its own errors, kept for the sentence that reports the failed call instead of
/// printed.
///
/// "Unknown PCM hw:9" explains far more than the errno it comes with. alsa-lib keeps one handler a thread;
/// `listen` is to be called on the thread that will use the devices.
enum AlsaMessages {
    private static let latest = Mutex("")

    static func listen() {
        adhand_alsa_keep_quiet()
        _ = unsafe snd_lib_error_set_local { _, _, _, _, format, arguments in
            guard let format = unsafe format, let arguments = unsafe arguments else { return }
            var text = [CChar](repeating: 0, count: 512)
            unsafe vsnprintf(&text, text.count, format, arguments)
            let message = String(
                decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            AlsaMessages.latest.withLock { latest in
                // The first complaint names the cause; the ones after it are its echo in the layers above.
                if latest.isEmpty { latest = message }
            }
        }
    }

    static func forget() { latest.withLock { $0 = "" } }

    /// The errno's own words, with alsa-lib's complaint where it adds something.
    static func cause(_ code: Int32) -> String {
        let words = unsafe String(cString: snd_strerror(code))
        let message = latest.withLock { latest in
            defer { latest = "" }
            return latest
        }
        return message.isEmpty || message.contains(words)
            ? (message.isEmpty ? words : message) : "\(words) (\(message))"
    }
}
