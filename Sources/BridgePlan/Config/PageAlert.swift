package import Texts

/// The address that was set on the phone page. It is stored beside bridge.toml, which phones cannot change, and acts as another
/// `[[alert]]` named `page`, unless the file has one of that name.
package struct PageAlert: Codable, Sendable, Equatable {
    package static let name = "page"
    private static let version = 1

    /// The address, such as `https://…`.
    package let address: String
    private let v: Int

    /// Reads an address from a phone. A phone must not make this machine send requests to its own network, so addresses there
    /// can only be set in the file.
    /// - Parameter isNearAllowed: for tests, which have no other network.
    package static func typed(
        _ typed: String, isNearAllowed: Bool = false
    ) -> Result<PageAlert, DeliveryAddress.AddressError> {
        func refuse(_ reason: String) -> Result<PageAlert, DeliveryAddress.AddressError> {
            .failure(DeliveryAddress.AddressError(reason: reason))
        }
        switch DeliveryAddress.typed(typed) {
        case .failure(let error): return .failure(error)
        case .success(let address):
            let isFar =
                address.text.lowercased().hasPrefix("https://") && !DeliveryAddress.isNear(address.host)
            guard isFar || isNearAllowed else {
                return refuse(
                    "an address that begins with http:// or lies in this network is set in bridge.toml; "
                        + "run \"sudo adhanctl setup\" on the box")
            }
            guard !address.isFrontPage else { return refuse(DeliveryAddress.noTopic) }
            return .success(PageAlert(address: address.text))
        }
    }

    private init(address: String) { (self.address, v) = (address, Self.version) }

    /// - Returns: `nil` if the bytes are not such a document.
    package init?(json: [UInt8]) {
        guard let read = try? JSON.decode(PageAlert.self, from: json), read.v == Self.version,
            case .success = DeliveryAddress.read(read.address)
        else { return nil }
        self = read
    }

    package var json: [UInt8] { get throws { try JSON.encode(self) } }

    package var destination: AlertDestination {
        var destination = AlertDestination()
        (destination.name, destination.url) = (Self.name, address)
        if case .success(let read) = DeliveryAddress.read(address) {
            destination.format = AlertEdit.format(of: read)
        }
        return destination
    }
}

extension BridgeConfig {
    package mutating func add(_ page: PageAlert) {
        guard !destinations.contains(where: { $0.name == PageAlert.name }) else { return }
        destinations.append(page.destination)
    }
}
