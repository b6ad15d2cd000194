/// The outcome of trying devices without a sound.
package struct DeviceLook: Sendable, Equatable {
    /// Those that were tried, in this order.
    package let devices: [String]
    /// The one that would be used; `nil` where none opens.
    package let device: String?
    /// Sentences: what is wrong with all of them, or with the mixer of the one that opens.
    package let problems: [String]

    package init(devices: [String], device: String?, problems: [String]) {
        self.devices = devices
        self.device = device
        self.problems = problems
    }
}
