import Testing
import Texts

@Suite("Names of hosts")
struct AddressTextTests {
    @Test(
        "Letters, digits, hyphens and dots, as long as DNS allows",
        arguments: ["a", "Box-1.example.org", "192.0.2.1"])
    func names(name: String) {
        #expect(AddressText.isHostName(name))
        #expect(AddressText.hostAndPort("\(name):8080")?.port == 8080)
    }

    @Test("Other signs are none of a name; an underscore is one only of an address")
    func others() {
        for text in ["", "a b", "bücher.example", "a/b", "a:80", String(repeating: "a", count: 254)] {
            #expect(!AddressText.isHostName(text), "\(text)")
        }
        #expect(!AddressText.isHostName("a_b") && AddressText.hostAndPort("a_b")?.host == "a_b")
        #expect(AddressText.hostAndPort("-a") == nil && AddressText.hostAndPort(".a") == nil)
    }
}
