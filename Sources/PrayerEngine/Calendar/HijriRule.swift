internal import Synchronization

/// The authority whose calendar determines when a month begins. docs/METHODS.md defines each exactly.
public enum HijriRule: String, CaseIterable, Sendable {
    /// Saudi Arabia's calendar, a published table.
    case ummAlQura = "umm-al-qura"
    /// Türkiye's calendar: a crescent that can be seen anywhere on the Earth.
    case diyanet
    /// The rule of the ministers of Malaysia, Singapore and Brunei: a crescent above Singapore.
    case mabims
    /// The same criterion as Indonesia applies it: at the country's western end.
    case kemenag

    /// The name of the authority, in documents and messages. Indonesia is one of MABIMS' countries, although it looks for the
    /// crescent from another place.
    public var name: String { self == .kemenag ? Self.mabims.rawValue : rawValue }

    /// The authority's name in a sentence.
    public var title: String {
        switch self {
        case .ummAlQura: "Umm al-Qura"
        case .diyanet: "Diyanet"
        case .mabims, .kemenag: "MABIMS"
        }
    }

    /// The rule by which a country's months begin, where it is known; others follow Umm al-Qura or their own sighting.
    /// - Parameter country: ISO 3166-1 alpha-2.
    public init?(country: String) {
        switch country {
        case "SA": self = .ummAlQura
        // The communities of the Balkans begin their months with Türkiye.
        case "TR", "AL", "BA", "MK", "XK": self = .diyanet
        case "BN", "MY", "SG": self = .mabims
        case "ID": self = .kemenag
        default: return nil
        }
    }

    /// The day number of a month's first day. In years outside Umm al-Qura's table, every rule uses its arithmetic continuation.
    func start(of month: HijriMonth) -> Int {
        guard self != .ummAlQura, (UmmAlQura.firstYear...UmmAlQura.lastYear).contains(month.year) else {
            return HijriDate.start(of: month)
        }
        let key = Kept(rule: self, month: month)
        if let known = Self.kept.withLock({ $0[key] }) { return known }
        let start = calculated(month)
        Self.kept.withLock { $0[key] = start }
        return start
    }

    /// The beginnings that were computed, kept because a month's is needed on each of its days. The table's years bound the keys.
    private static let kept = Mutex<[Kept: Int]>([:])

    private struct Kept: Hashable {
        let rule: HijriRule
        let month: HijriMonth
    }

    private func calculated(_ month: HijriMonth) -> Int {
        // Ramadan 1447 began with the conjunction of 2026-02-17, the 323rd after 2000-01-06.
        let conjunction = Conjunction(lunation: month.index - (1447 * 12 + 8) + 323)
        switch self {
        case .ummAlQura: return HijriDate.start(of: month)
        case .diyanet:
            return CrescentAnywhere.announced[month] ?? CrescentAnywhere.firstDay(after: conjunction)
        case .mabims: return CrescentOverhead.singapore.firstDay(after: conjunction)
        case .kemenag: return CrescentOverhead.bandaAceh.firstDay(after: conjunction)
        }
    }
}
