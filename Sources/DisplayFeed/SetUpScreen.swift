package import Host

/// The screen of a flashed box, which shows how to set the box up until it has a place; its units enable this.
package enum SetUpScreen {
    package static func isShown(in environment: Environment) -> Bool {
        environment.value("ADHAN_SET_UP") == "yes"
    }
}
