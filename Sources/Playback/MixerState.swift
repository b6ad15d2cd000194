internal import CAlsa
internal import Glibc

/// The card's own volume controls. adhand does not change them: they belong to the owner of the room. But a muted card silences
/// the most careful player, so they are read; and so is whether a device's name leads anywhere.
package enum MixerState {
    /// A control that is muted, or at zero.
    package struct Silence: Sendable, Equatable {
        /// The reason: a sentence without its full stop.
        package let reason: String
        /// The command to type.
        package let fix: String
    }

    /// Why `device` would be inaudible although it opens: a control of its mixer, or a missing loudspeaker.
    /// - Returns: nil where nothing is muted or the device has no mixer (sound servers often have none).
    ///
    /// May block like opening a device; not to be called on the playback thread.
    package static func silence(of device: String) -> Silence? {
        Worker(name: "playback-mixer")?.run(timeoutSeconds: 2) {
            AlsaMessages.listen()
            if DiscardingDevice.discards(device) {
                return Silence(
                    reason:
                        "\"\(device)\" is silent: ALSA's device \"null\" stands behind it and drops every sound",
                    fix: "adhanctl setup")
            }
            return examine(card(of: device), device: device)
        } late: { _ in
        } ?? nil
    }

    /// Controls between every sound and the loudspeaker; a muted headphone or microphone control is irrelevant.
    private static let decisive = ["Master", "PCM", "Speaker", "Digital", "HDMI"]

    /// The mixer of a PCM name: the card's for `hw:1,0` and similar names, otherwise the mixer of the same name.
    static func card(of device: String) -> String {
        let parts = device.split(separator: ":", maxSplits: 1)
        guard parts.count == 2,
            ["hw", "plughw", "sysdefault", "front", "dmix", "hdmi", "iec958"].contains(parts[0])
        else { return device }
        let options = parts[1].split(separator: ",")
        let named = options.first { $0.hasPrefix("CARD=") }?.dropFirst(5)
        return named.map { "hw:\($0)" } ?? options.first.map { "hw:\($0)" } ?? device
    }

    private static func examine(_ card: String, device: String) -> Silence? {
        var opened: OpaquePointer?
        guard unsafe snd_mixer_open(&opened, 0) >= 0, let mixer = unsafe opened else { return nil }
        defer { unsafe snd_mixer_close(mixer) }
        guard unsafe snd_mixer_attach(mixer, card) >= 0,
            unsafe snd_mixer_selem_register(mixer, nil, nil) >= 0,
            unsafe snd_mixer_load(mixer) >= 0
        else { return nil }
        var element = unsafe snd_mixer_first_elem(mixer)
        while let control = unsafe element {
            unsafe element = snd_mixer_elem_next(control)
            guard unsafe snd_mixer_elem_get_type(control) == SND_MIXER_ELEM_SIMPLE else { continue }
            let name = unsafe String(cString: snd_mixer_selem_get_name(control))
            guard decisive.contains(name), let how = unsafe silent(control) else { continue }
            return Silence(
                reason: "\"\(device)\" is silent: the mixer's \(name) control is \(how)",
                fix: advice(card, name))
        }
        return nil
    }

    private static func advice(_ card: String, _ control: String) -> String {
        let option = card.hasPrefix("hw:") ? "-c \(card.dropFirst(3))" : "-D \(card)"
        return "amixer \(option) sset \(control) 80% unmute"
    }

    /// - Returns: "muted" or "at zero" where every channel is.
    private static func silent(_ control: OpaquePointer) -> String? {
        let channels = (SND_MIXER_SCHN_FRONT_LEFT.rawValue...SND_MIXER_SCHN_LAST.rawValue)
            .map { snd_mixer_selem_channel_id_t(rawValue: $0) }
            .filter { unsafe snd_mixer_selem_has_playback_channel(control, $0) != 0 }
        guard !channels.isEmpty else { return nil }
        if unsafe snd_mixer_selem_has_playback_switch(control) != 0 {
            let on = channels.contains { channel in
                var value: Int32 = 1
                unsafe snd_mixer_selem_get_playback_switch(control, channel, &value)
                return value != 0
            }
            if !on { return "muted" }
        }
        guard unsafe snd_mixer_selem_has_playback_volume(control) != 0 else { return nil }
        var (lowest, highest) = (0, 0)
        unsafe snd_mixer_selem_get_playback_volume_range(control, &lowest, &highest)
        let audible = channels.contains { channel in
            var value = highest
            unsafe snd_mixer_selem_get_playback_volume(control, channel, &value)
            return value > lowest
        }
        return audible || highest == lowest ? nil : "at zero"
    }
}
