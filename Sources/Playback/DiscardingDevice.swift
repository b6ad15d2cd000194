internal import CAlsa
internal import Glibc

/// Detects devices that accept every sound and play none: ALSA's type `null`, under any name.
enum DiscardingDevice {
    /// The longest chain of definitions that refer to one another; a longer one is a cycle.
    private static let longestChain = 8

    /// Whether everything written to `device` is discarded.
    ///
    /// Follows the definitions in ALSA's configuration and opens nothing. The behaviour of a sound server is not visible here.
    static func discards(_ device: String) -> Bool {
        // A separate copy: other threads may open devices with the shared one meanwhile.
        var top: OpaquePointer?
        var files: OpaquePointer?
        guard unsafe snd_config_update_r(&top, &files, nil) >= 0, let root = unsafe top else { return false }
        defer {
            unsafe snd_config_delete(root)
            if let files = unsafe files { unsafe snd_config_update_free(files) }
        }
        var found: OpaquePointer?
        guard unsafe snd_config_search_definition(root, "pcm", device, &found) >= 0, let found = unsafe found
        else { return false }
        defer { unsafe snd_config_delete(found) }
        return unsafe leadsToNull(found, root, longestChain)
    }

    private static func leadsToNull(_ definition: OpaquePointer, _ root: OpaquePointer, _ left: Int) -> Bool {
        guard left > 0, let type = unsafe text(definition, "type") else { return false }
        switch type {
        case "null": return true
        case "plug", "softvol", "rate", "route": return unsafe slave(definition, "slave.pcm", root, left)
        case "asym": return unsafe slave(definition, "playback.pcm", root, left)
        default: return false
        }
    }

    /// Whether the slave definition under `key`, a name or an inline definition, leads to the type `null`.
    private static func slave(
        _ definition: OpaquePointer, _ key: String, _ root: OpaquePointer, _ left: Int
    ) -> Bool {
        var found: OpaquePointer?
        guard unsafe snd_config_search(definition, key, &found) >= 0, let found = unsafe found else {
            return false
        }
        var name: UnsafePointer<CChar>?
        guard unsafe snd_config_get_string(found, &name) >= 0, let name = unsafe name else {
            return unsafe leadsToNull(found, root, left - 1)
        }
        var next: OpaquePointer?
        guard unsafe snd_config_search_definition(root, "pcm", name, &next) >= 0, let next = unsafe next
        else { return false }
        defer { unsafe snd_config_delete(next) }
        return unsafe leadsToNull(next, root, left - 1)
    }

    private static func text(_ definition: OpaquePointer, _ key: String) -> String? {
        var found: OpaquePointer?
        var text: UnsafePointer<CChar>?
        guard unsafe snd_config_search(definition, key, &found) >= 0, let found = unsafe found,
            unsafe snd_config_get_string(found, &text) >= 0, let text = unsafe text
        else { return nil }
        return unsafe String(cString: text)
    }
}
