/// Removes everything from a text that identifies its machine: its name, its users' names, home directories, network addresses,
/// and coordinates finer than a tenth of a degree.
package struct Redaction: Sendable {
    /// Names of the machine.
    private let hosts: [String]
    /// Names of people who use it.
    private let users: [String]
    /// Their home directories.
    private let homes: [String]
    /// Whether coordinates are rounded everywhere.
    private let rounding: Bool
    /// Coordinates in all their spellings.
    private let coordinates: [(exact: String, rounded: String)]

    /// Words that a report needs and that identify no person.
    private static let ours: Set = [
        "root", "adhan", "adhand", "adhanctl", "audio", "default", "localhost", "pulse", "pipewire", "alsa",
        "system",
        "hw", "local", "user", "users", "sound", "signal", "standard", "debian", "linux",
    ]

    package init(
        hosts: [String] = [], users: [String] = [], homes: [String] = [], coordinates: [Double] = [],
        rounding: Bool = true
    ) {
        self.rounding = rounding
        // The longest first: a name may be part of another.
        func usable(_ names: [String]) -> [String] {
            Set(names).filter { $0.count > 1 && !Self.ours.contains($0.lowercased()) }
                .sorted { ($1.count, $0) < ($0.count, $1) }
        }
        self.hosts = usable(hosts)
        self.users = usable(users)
        self.homes = Set(homes).filter { $0.count > 1 && $0.hasPrefix("/") && $0 != "/root" }
            .sorted { ($1.count, $0) < ($0.count, $1) }
        self.coordinates = coordinates.flatMap { value in
            let rounded = NumberText.decimals(value, 1)
            return Set(["\(value)", NumberText.decimals(value, 4), NumberText.decimals(value, 2)])
                .filter { ($0.split(separator: ".").last?.count ?? 0) > 1 && $0.contains(".") }
                .map { (exact: $0, rounded: rounded) }
        }.sorted { $0.exact.count > $1.exact.count }
    }

    package func applied(to text: String) -> String {
        var text = text
        for home in homes { text = Self.replaceWord(home, with: "~", in: text) }
        text = Self.withoutHomes(text)
        for (exact, rounded) in coordinates { text = Self.replaceWord(exact, with: rounded, in: text) }
        if rounding { text = Self.withRoundedPairs(text) }
        text = Self.withoutAddresses(text)
        for host in hosts { text = Self.replaceWord(host, with: "(host)", swallowingDomain: true, in: text) }
        for user in users { text = Self.replaceWord(user, with: "(user)", in: text) }
        return text
    }

    /// Replaces `word` as a whole word, in upper or lower case.
    private static func replaceWord(
        _ word: String, with substitute: String, swallowingDomain: Bool = false, in text: String
    ) -> String {
        let (wanted, characters) = (Array(word.lowercased()), Array(text))
        var result: [Character] = []
        var index = 0
        while index < characters.count {
            let end = index + wanted.count
            let isThere =
                end <= characters.count
                && zip(characters[index..<end], wanted).allSatisfy {
                    $0 == $1 || $0.lowercased() == String($1)
                }
                && !(index > 0 && isWord(characters[index - 1]) && isWord(characters[index]))
                && !(end < characters.count && isWord(characters[end]))
            guard isThere else {
                result.append(characters[index])
                index += 1
                continue
            }
            result += substitute
            index = end
            while swallowingDomain, index + 1 < characters.count, characters[index] == ".",
                isWord(characters[index + 1])
            {
                index += 1
                while index < characters.count, isWord(characters[index]) || characters[index] == "-" {
                    index += 1
                }
            }
        }
        return String(result)
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Replaces `/home/NAME` of other users.
    private static func withoutHomes(_ text: String) -> String {
        let parts = text.split(separator: "/home/", omittingEmptySubsequences: false)
        guard let first = parts.first else { return text }
        return parts.dropFirst().reduce(String(first)) { result, part in
            let rest = part.drop { isWord($0) || $0 == "-" || $0 == "." }
            return result + (rest.count == part.count ? "/home/" + part : "~" + rest)
        }
    }

    /// Rounds pairs such as `40.7282, -73.7949`, the usual form of coordinates.
    package static func withRoundedPairs(_ text: String) -> String {
        var words = text.split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
        for index in words.indices.dropLast() {
            let head = words[index].reversed().prefix { $0.isNumber || $0 == "." || $0 == "-" }.reversed()
            let tail = words[index + 1].prefix { $0.isNumber || $0 == "." || $0 == "-" }
            guard isCoordinate(String(head)), isCoordinate(String(tail)), let first = Double(String(head)),
                let second = Double(tail)
            else { continue }
            words[index] = words[index].dropLast(head.count) + NumberText.decimals(first, 1)
            words[index + 1] = NumberText.decimals(second, 1) + words[index + 1].dropFirst(tail.count)
        }
        return words.joined(separator: ", ")
    }

    private static func isCoordinate(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].count == 4 && abs(Double(text) ?? 999) <= 180
    }
}
