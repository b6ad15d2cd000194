/// The directories given on the command line; `nil` leaves them to the adhand that answers.
package struct NamedPlaces: Sendable {
    /// The directory with the timetable and the added sounds.
    var state: String?
    /// The directory with the shipped sounds.
    var audio: String?
    var configuration: String?

    package init(state: String? = nil, audio: String? = nil, configuration: String? = nil) {
        (self.state, self.audio, self.configuration) = (state, audio, configuration)
    }
}
