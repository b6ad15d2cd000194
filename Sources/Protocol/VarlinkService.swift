/// The methods that every Varlink service answers: its name and its interfaces.
extension Varlink {
    package static let serviceInterface = "org.varlink.service"

    package struct Info: ReplyDocument, Equatable {
        package static var described: String {
            "vendor: string, product: string, version: string, url: string, interfaces: []string"
        }
        package var vendor = "adhand"
        package var product = "adhand"
        package var version: String
        /// The address, which is empty: adhand has none on the network.
        package var url = ""
        package var interfaces = [serviceInterface, ControlError.interface]

        package init(version: String) {
            self.version = version
        }
    }

    package struct Description: ReplyDocument, Equatable {
        package static var described: String { "description: string" }
        package static var hasLines: Bool { true }
        package let description: String
    }

    package static func describe(_ interface: String) -> Reply {
        switch interface {
        case ControlError.interface: .document(Description(description: controlDescription))
        case serviceInterface: .document(Description(description: serviceDescription))
        default: .refused(.interfaceNotFound(interface: interface))
        }
    }

    static let serviceDescription = """
        # What every Varlink service answers.
        interface org.varlink.service

        method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
