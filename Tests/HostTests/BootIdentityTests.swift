import Host
import Testing

@Suite("Which boot of the machine this is")
struct BootIdentityTests {
    private func environment(_ variables: [String: String]) -> Environment {
        Environment(variables: variables, userID: 0, exists: { _ in false })
    }

    @Test("The service manager's word and the kernel's are the same identity, however they are written")
    func written() {
        let configured = environment(["ADHAND_BOOT_ID": "0F6A5A3C12344C0E9d1e5a7b8c9d0e1f"])
        let kernel = environment(["ADHAND_BOOT_ID": "0f6a5a3c-1234-4c0e-9d1e-5a7b8c9d0e1f\n"])
        #expect(BootIdentity.current(in: configured) == "0f6a5a3c12344c0e9d1e5a7b8c9d0e1f")
        #expect(BootIdentity.current(in: configured) == BootIdentity.current(in: kernel))
    }

    @Test("Without a word of the service manager the kernel is asked, and says the same every time")
    func kernel() throws {
        let first = try #require(BootIdentity.current(in: environment([:])))
        #expect(first.count == 32)
        #expect(BootIdentity.current(in: environment(["ADHAND_BOOT_ID": ""])) == first)
    }
}
