package import Texts

/// The place of a sound's file in the folder: `madinah`, `fajr.mp3`.
package struct SoundFilePlace: Equatable {
    let name: String
    let file: String

    /// Makes the place of a prayer's recording; `nil`: for every prayer without one of its own.
    package init(_ name: String, for prayer: Prayer?) {
        self.name = name
        file = (prayer?.rawValue ?? "adhan") + ".mp3"
    }
}
