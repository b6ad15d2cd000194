/// The ports of this machine on which the display's programs listen unless their units say otherwise.
package enum ScreenPort {
    /// The screen itself, on this machine alone.
    package static let page: UInt16 = 8787
    /// What the screen's browser asks on a tap, on this machine alone.
    package static let touch: UInt16 = 8789
}
