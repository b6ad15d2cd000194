package import Host

/// The screen of a flashed box, which shows how the box is set up until it has a place: its units say so.
package enum SetUpScreen {
    package static func isShown(in environment: Environment) -> Bool {
        environment.value("ADHAN_SET_UP") == "yes"
    }
}
