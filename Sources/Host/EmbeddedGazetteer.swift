internal import CPlaces
package import Places

extension Gazetteer {
    /// The list of places that the program carries.
    package static var embedded: Gazetteer {
        let bytes = unsafe [UInt8](
            UnsafeRawBufferPointer(start: adhand_places(), count: adhand_places_count()))
        do throws(GazetteerError) {
            return try Gazetteer(bytes: bytes)
        } catch {
            preconditionFailure("built wrongly: \(error.message)")
        }
    }
}
