/// Why a command line is refused: one sentence with the option, the allowed values, and the probable intention.
package struct OptionError: Error, Sendable, Equatable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
