/// The document that a failing command prints with `--json`: one document for every error.
package struct ErrorDocument: Codable, Sendable, Equatable {
    package struct Details: Codable, Sendable, Equatable {
        /// The error's name for programs: `NotPermitted`, `Usage`; the daemon's own errors have the names of the control
        /// interface.
        package let name: String
        /// One sentence for a person.
        package let message: String
        /// The file, if the error is in one.
        package var file: String?
        package var line: Int?
        package var column: Int?
        /// The entry in a timetable.
        package var cell: String?
        /// The exit status.
        package let exit: Int32

        package init(
            name: String, message: String, file: String? = nil, line: Int? = nil, column: Int? = nil,
            cell: String? = nil, exit: Int32
        ) {
            self.name = name
            self.message = message
            self.file = file
            self.line = line
            self.column = column
            self.cell = cell
            self.exit = exit
        }
    }

    package let error: Details

    package init(_ error: Details) {
        self.error = error
    }
}
