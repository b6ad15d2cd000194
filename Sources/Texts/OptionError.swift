/// Why a command line cannot be carried out: one sentence that names the option, what is allowed, and what was meant.
package struct OptionError: Error, Sendable, Equatable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}
