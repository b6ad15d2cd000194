package import Texts

/// Where a sound's file belongs: `madinah`, `fajr.mp3`.
package struct SoundFilePlace: Equatable {
    let name: String
    let file: String

    /// `nil`: for every prayer that has none of its own.
    package init(_ name: String, for prayer: Prayer?) {
        self.name = name
        file = (prayer?.rawValue ?? "adhan") + ".mp3"
    }
}
