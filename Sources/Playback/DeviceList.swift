internal import CAlsa
internal import Glibc

/// A device that may produce sound.
package struct DeviceHint: Sendable, Equatable {
    /// The name that ALSA opens: `default`, `hdmi:CARD=PCH,DEV=0`.
    package let name: String
    /// A description for people, in one line; may be empty.
    package let description: String

    package init(name: String, description: String) {
        (self.name, self.description) = (name, description)
    }
}

/// The devices that alsa-lib knows, without opening any.
package enum DeviceList {
    /// The devices worth trying, in the order in which a person would try them: the default, sound servers, then each card's
    /// outputs. Devices for recording, raw ones and mere converters are left out.
    package static func playback() -> [DeviceHint] {
        AlsaMessages.listen()
        defer { _ = AlsaMessages.drain() }
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard unsafe snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints = unsafe hints else { return [] }
        defer { unsafe snd_device_name_free_hint(hints) }
        var found: [DeviceHint] = []
        var index = 0
        while let hint = unsafe hints[index] {
            index += 1
            guard let name = unsafe text(hint, "NAME"), unsafe text(hint, "IOID") != "Input",
                rank(name) != nil, !found.contains(where: { $0.name == name })
            else { continue }
            let lines = unsafe text(hint, "DESC")?.split(separator: "\n").joined(separator: ", ")
            found.append(DeviceHint(name: name, description: lines ?? ""))
        }
        return found.enumerated().sorted {
            (rank($0.element.name) ?? 0, $0.offset) < (rank($1.element.name) ?? 0, $1.offset)
        }.map(\.element)
    }

    /// Kinds of devices by the part of their names before the colon, the most probable one first.
    private static let kinds = ["default", "pipewire", "pulse", "sysdefault", "plughw", "hdmi", "iec958"]

    private static func rank(_ name: String) -> Int? {
        let kind = name.prefix { $0 != ":" }
        // Without a card the name is the default again.
        if kind == "sysdefault", !name.contains(":") { return nil }
        return kinds.firstIndex(of: String(kind))
    }

    /// Reads one of a hint's texts; the caller of ALSA owns and frees it.
    private static func text(_ hint: UnsafeMutableRawPointer, _ id: String) -> String? {
        guard let text = unsafe snd_device_name_get_hint(hint, id) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
