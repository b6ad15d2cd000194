import CPlaces
package import Places

/// The list that adhanctl carries.
package enum Embedded {
    package static let bytes = unsafe [UInt8](
        UnsafeRawBufferPointer(start: adhand_places(), count: adhand_places_count()))

    package static func gazetteer() throws -> Gazetteer { try Gazetteer(bytes: bytes) }
}
