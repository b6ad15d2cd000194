/// The ports of this machine on which the display's programs listen unless their units set others.
package enum ScreenPort {
    /// The screen itself, on this machine alone.
    package static let page: UInt16 = 8787
    /// Handles the taps of the screen's browser, on this machine alone.
    package static let touch: UInt16 = 8789
}
