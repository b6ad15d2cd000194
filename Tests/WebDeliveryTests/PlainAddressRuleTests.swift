import Testing

@testable import WebDelivery

struct PlainAddressRuleTests {
    @Test(
        "Private IPv4 addresses may be reached without encryption",
        arguments: [
            [127, 0, 0, 1], [127, 255, 0, 9], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255],
            [192, 168, 1, 1],
            [169, 254, 7, 7],
        ] as [[UInt8]])
    func privateOnesAreSpokenTo(address: [UInt8]) {
        #expect(PlainAddressRule.allows(address: address))
        #expect(PlainAddressRule.allows(address: Array(repeating: 0, count: 10) + [0xFF, 0xFF] + address))
    }

    @Test(
        "Public IPv4 addresses may not be reached without encryption",
        arguments: [
            [8, 8, 8, 8], [172, 15, 0, 1], [172, 32, 0, 1], [192, 167, 1, 1], [11, 0, 0, 1], [0, 0, 0, 0],
            [100, 64, 0, 1],
        ] as [[UInt8]])
    func publicOnesAreNot(address: [UInt8]) {
        #expect(!PlainAddressRule.allows(address: address))
        #expect(!PlainAddressRule.allows(address: Array(repeating: 0, count: 10) + [0xFF, 0xFF] + address))
    }

    @Test("IPv6 addresses of the own network may be reached without encryption, and no others")
    func theSameForIPv6() {
        func address(_ first: UInt8, _ second: UInt8, last: UInt8) -> [UInt8] {
            [first, second] + Array(repeating: 0, count: 13) + [last]
        }
        #expect(PlainAddressRule.allows(address: address(0, 0, last: 1)))
        #expect(PlainAddressRule.allows(address: address(0xFD, 0x12, last: 9)))
        #expect(PlainAddressRule.allows(address: address(0xFE, 0x80, last: 9)))
        #expect(!PlainAddressRule.allows(address: address(0, 0, last: 0)))
        #expect(!PlainAddressRule.allows(address: address(0x20, 0x01, last: 1)))
        #expect(!PlainAddressRule.allows(address: address(0xFE, 0xC0, last: 1)))
        #expect(!PlainAddressRule.allows(address: []))
    }

    @Test("Names under .local may be reached without encryption, and no others")
    func localNamesAreSpokenTo() {
        for name in ["ha.local", "HA.Local.", "a.b.local"] { #expect(PlainAddressRule.allows(host: name)) }
        for name in ["local", "ha.local.example", "localhost.example", ""] {
            #expect(!PlainAddressRule.allows(host: name))
        }
    }

    @Test(
        "The scheme and the host of a web address are read",
        arguments: [
            ("http://ha.local/x", false, "ha.local"), ("HTTPS://ntfy.sh", true, "ntfy.sh"),
            ("http://[::1]:80/", false, "::1"), ("https://a:8443?x", true, "a"),
        ])
    func addressesOfTheWeb(url: String, isEncrypted: Bool, host: String) {
        let address = WebAddress(url)
        #expect(address?.isEncrypted == isEncrypted)
        #expect(address?.host == host)
    }

    @Test(
        "Other texts are not web addresses",
        arguments: [
            "", "ntfy.sh", "ftp://x", "file:///etc/passwd", "http://", "http://u:p@x/", "http://x y/",
            "http://x\n/",
        ])
    func othersAreNone(url: String) {
        #expect(WebAddress(url) == nil)
    }
}
