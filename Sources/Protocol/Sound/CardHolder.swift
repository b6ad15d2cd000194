/// A program that has an output of a sound card open.
package struct CardHolder: Sendable, Hashable {
    /// The program's name: `pipewire`.
    package let program: String
    package let process: Int
    /// The owner: `yours`, `of adhand`, `another person's`. The text may be part of a bug report, which names no person.
    package let whose: String

    package init(program: String, process: Int, whose: String) {
        self.program = program
        self.process = process
        self.whose = whose
    }

    /// - Parameter account: the name of a user that is a service and not a person.
    package static func whose(isOwn: Bool, account: String?) -> String {
        isOwn ? "yours" : account.map { "of \($0)" } ?? "another person's"
    }

    /// The process that `/proc/asound/card0/pcm0p/sub0/status` names; `nil` while the output is closed.
    package static func process(inStatus text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix("owner_pid") }
            .flatMap { $0.split(separator: ":").last }
            .flatMap { Int($0.filter { $0 != " " && $0 != "\t" }) }
    }

    /// The process and the user of a thread, from `/proc/812/status`.
    package static func owner(inStatus text: String) -> (process: Int, user: Int)? {
        func number(_ key: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
                .flatMap { $0.dropFirst(key.count + 1).split { $0 == "\t" || $0 == " " }.first }.flatMap {
                    Int($0)
                }
        }
        guard let process = number("Tgid"), let user = number("Uid") else { return nil }
        return (process, user)
    }
}
