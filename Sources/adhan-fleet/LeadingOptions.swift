internal import ArgumentParser
internal import CommandKit
internal import Texts

/// Moves `--dir` and `--json` behind the command, because the parser accepts them only there: `adhan-fleet --dir D --json
/// status`.
enum LeadingOptions {
    /// Commands that use no fleet's folder.
    private static var folderless: [String] {
        [KeysCommand._commandName, SignCommand._commandName, VerifyCommand._commandName]
    }

    /// The words of a command line with these options behind the command, which may have two words: `rollout status`.
    static func moved(_ words: [String]) throws(FleetError) -> [String] {
        var path: [String] = []
        var options: [String] = []
        var namesFolder = false
        var commands = AdhanFleet.configuration.subcommands
        var rest = words[...]
        while !commands.isEmpty, let word = rest.first {
            rest = rest.dropFirst()
            if word == "--json" {
                options.append(word)
            } else if word == "--dir" || word.hasPrefix("--dir=") {
                namesFolder = true
                options.append(word)
                if word == "--dir", let folder = rest.popFirst() { options.append(folder) }
            } else if let command = commands.first(where: { $0._commandName == word }) {
                path.append(word)
                commands = command.configuration.subcommands
            } else {
                // The parser's error would name the options before the unknown command instead of the command.
                guard options.isEmpty || word.hasPrefix("-") || word == "help" else {
                    throw unknown(word, commands.map { $0._commandName })
                }
                return words
            }
        }
        guard let command = path.first else { return words }
        if namesFolder, folderless.contains(command) {
            throw FleetError(.usage, "\(command) uses no folder of a fleet; leave --dir out")
        }
        return path + options + rest
    }

    private static func unknown(_ word: String, _ commands: [String]) -> FleetError {
        let near = NearestName.of(word, among: commands)
        return FleetError(
            .usage,
            "\"\(PlainText.visible(word))\" is no command\(near.map { "; did you mean \($0)?" } ?? ": see adhan-fleet --help")"
        )
    }
}
