import ArgumentParser
import CommandKit
import Maintenance
import Settings
import Texts

/// The hint for a command line that the parser refuses.
enum UsageHint {
    /// One sentence: the parser's message, the probable meaning, and the command for help.
    static func refusal(_ message: String, arguments: [String]) -> CommandError {
        let path = commandPath(arguments)
        var sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        sentence = sentence.prefix(1).lowercased() + sentence.dropFirst()
        if let unknown = unknownCommand(arguments, after: path) {
            sentence = "there is no command \"\(unknown)\""
            if path.isEmpty, let meant = meant[unknown.lowercased()] {
                sentence += "; did you mean \"adhanctl \(meant)\"?"
            } else if let near = NearestName.of(unknown, among: names(in: path)) {
                sentence += "; did you mean \"\(near)\"?"
            }
        }
        let words = words(arguments)
        if path == ["iqama"], words.dropFirst().first == "set", words.count > 2 {
            let key = Spelling.prayer(words[2])?.rawValue ?? words[2]
            let time = words.count > 3 ? words[3] : "13:30"
            sentence = "iqama only shows; did you mean \"adhanctl set iqama.\(key) \(time)\"?"
        }
        let help = (["adhanctl"] + path + ["--help"]).joined(separator: " ")
        return CommandError(.usage, sentence + (sentence.hasSuffix("?") ? " See" : "; see") + " \"\(help)\"")
    }

    /// Common words for things that have another name in adhand.
    private static let meant: [String: String] = [
        "volume": "set adhan.volume 70", "test": "test-play fajr", "play": "test-play fajr",
        "version": "--version", "undo": "set --undo", "sounds": "sound list", "get": "check",
        "config": "check", "devices": "check", "start": "enable fajr", "install": "setup",
        "location": "setup", "restart": "reload",
    ]

    /// The refusal of `help` with an unknown command, for which the parser would print its whole help and succeed.
    static func unknownTopic(_ arguments: [String]) -> CommandError? {
        let words = words(arguments)
        guard words.first == "help" else { return nil }
        let topic = Array(words.dropFirst())
        let path = commandPath(topic)
        guard path.count < topic.count else { return nil }
        return refusal("there is no command \"\(topic[path.count])\"", arguments: topic)
    }

    /// The command of the longest known beginning of the words.
    private static func commandPath(_ arguments: [String]) -> [String] {
        var path: [String] = []
        for word in words(arguments) {
            guard names(in: path).contains(word) else { break }
            path.append(word)
        }
        return path
    }

    /// The first word in the position of a command that is not one.
    private static func unknownCommand(_ arguments: [String], after path: [String]) -> String? {
        let names = names(in: path)
        guard !names.isEmpty, !acceptsOtherWords(path) else { return nil }
        return words(arguments).dropFirst(path.count).first.flatMap { names.contains($0) ? nil : $0 }
    }

    /// The arguments without the global options.
    private static func words(_ arguments: [String]) -> [String] {
        var words: [String] = []
        var isValue = false
        for argument in arguments {
            if isValue {
                isValue = false
            } else if argument == "--socket" {
                isValue = true
            } else if !argument.hasPrefix("-") {
                words.append(argument)
            }
        }
        return words
    }

    private static func names(in path: [String]) -> [String] {
        command(path).map { subcommands(of: $0).map(name) } ?? []
    }

    /// Whether a command accepts words that are not names of its subcommands.
    private static func acceptsOtherWords(_ path: [String]) -> Bool {
        command(path)?.configuration.defaultSubcommand != nil
    }

    private static func command(_ path: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = Adhanctl.self
        for word in path {
            guard let next = subcommands(of: command).first(where: { name(of: $0) == word }) else {
                return nil
            }
            command = next
        }
        return command
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command._commandName
    }
}
