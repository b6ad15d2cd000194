import PrayerEngine
public import Settings
public import Texts
package import Times

/// How times are computed and who chose that, as in every document.
public struct CalculationBasics: Codable, Sendable, Equatable {
    /// The name of the method in force, even if the place chose it.
    public let method: String
    /// The school of Asr: `standard` or `hanafi`.
    public let asr: String
    /// The rule for nights without a Fajr or Isha, as configured: `auto`, `none`, `one-seventh` and so on.
    public let highLatitude: String
    /// The chooser of the method; omitted by an older adhand.
    public var methodChosenBy: MethodChoice.Chooser?
    /// The town whose country's practice it is, if the place chose it and a town is near.
    @Nullable public var methodPlace: String?
    /// Another country at the same distance, and its method.
    @Nullable public var methodNeighbour: Neighbour?
    /// The authority of the calendar; omitted by an older adhand.
    public var hijriCalendar: String?
    /// The chooser of the calendar; omitted by an older adhand.
    public var hijriCalendarChosenBy: MethodChoice.Chooser?

    /// A country whose towns are as near as those of the chosen one.
    public struct Neighbour: Codable, Sendable, Equatable {
        /// The country's name in English.
        public let country: String
        /// The method that is used there.
        public let method: String
    }

    package init(
        method: String, asr: String, highLatitude: String, methodChosenBy: MethodChoice.Chooser? = nil,
        methodPlace: String? = nil, hijriCalendar: String? = nil
    ) {
        (self.method, self.asr, self.highLatitude) = (method, asr, highLatitude)
        (self.methodChosenBy, self.methodPlace, self.hijriCalendar) = (
            methodChosenBy, methodPlace, hijriCalendar
        )
    }

    package init(_ site: Site) {
        method = site.calculation.method.name
        asr = site.calculation.asr.rawValue
        highLatitude = site.calculation.highLatitude.rawValue
        methodChosenBy = site.choice.chooser
        methodPlace = site.choice.place
        methodNeighbour = site.choice.neighbour.map { .init(country: $0.country, method: $0.method) }
        hijriCalendar = site.calculation.hijri.rule.name
        hijriCalendarChosenBy = site.choice.calendar
    }
}

/// The fields that several documents share and those of one document alone, as one object.
@dynamicMemberLookup
public struct ExtendedDocument<Basics, Own>: Codable, Sendable, Equatable
where Basics: Codable & Sendable & Equatable, Own: Codable & Sendable & Equatable {
    /// The fields that several documents share.
    public let basics: Basics
    /// The fields of this document alone.
    public let own: Own

    package init(_ basics: Basics, _ own: Own) {
        (self.basics, self.own) = (basics, own)
    }

    public init(from decoder: any Decoder) throws {
        (basics, own) = (try Basics(from: decoder), try Own(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try basics.encode(to: encoder)
        try own.encode(to: encoder)
    }

    /// A shared field.
    public subscript<Value>(dynamicMember field: KeyPath<Basics, Value>) -> Value { basics[keyPath: field] }
    /// A field of this document alone.
    public subscript<Value>(dynamicMember field: KeyPath<Own, Value>) -> Value { own[keyPath: field] }
}
