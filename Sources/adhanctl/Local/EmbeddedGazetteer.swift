import AdhanCore
import CPlaces

extension Gazetteer {
    /// The list that this program carries.
    static func embedded() throws(CommandError) -> Gazetteer {
        let bytes = unsafe [UInt8](
            UnsafeRawBufferPointer(start: adhand_places(), count: adhand_places_count()))
        do throws(GazetteerError) {
            return try Gazetteer(bytes: bytes)
        } catch {
            throw CommandError(.failed, "this adhanctl was built wrongly: \(error.message)")
        }
    }
}
