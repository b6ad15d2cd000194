import Protocol
import Testing

@testable import BridgePlan

struct FleetForgettingTests {
    @Test
    func `root and the bridge's own user may ask, and nobody else`() {
        #expect(FleetForgetting.mayAsk(user: 0, own: 990))
        #expect(FleetForgetting.mayAsk(user: 990, own: 990))
        #expect(!FleetForgetting.mayAsk(user: 991, own: 990))
        #expect(!FleetForgetting.mayAsk(user: nil, own: 990))
    }

    @Test
    func `A box that obeys its fleet keeps its password, connected or not`() {
        for isConnected in [true, false] {
            for isOver in [true, false] {
                #expect(
                    FleetForgetting.verdict(.member, isServiceConnected: isConnected, isOver: isOver)
                        == .refuse(.member))
            }
        }
    }

    @Test(arguments: [FleetForgetting.Membership.none, .unanswered])
    func `The farewell is awaited, for its time, and then nothing is removed`(
        membership: FleetForgetting.Membership
    ) {
        func verdict(_ isConnected: Bool, _ isOver: Bool) -> FleetForgetting.Verdict {
            FleetForgetting.verdict(membership, isServiceConnected: isConnected, isOver: isOver)
        }
        #expect(verdict(true, false) == .wait)
        #expect(verdict(true, true) == .refuse(.connected))
        #expect(verdict(false, false) == .forget && verdict(false, true) == .forget)
    }

    @Test
    func `The caller waits longer than the bridge may take`() {
        #expect(MessagesRequest.longestForgetSeconds > FleetForgetting.farewellSeconds + 5)
    }

    @Test
    func `The request and its refusals are words of their own`() {
        #expect(MessagesRequest.Act.forgetFleet.rawValue == "forget-fleet")
        #expect(MessagesReply.Refusal(rawValue: "not-permitted") == .notPermitted)
        #expect(MessagesReply.Refusal(rawValue: "member") == .member)
        #expect(MessagesReply.Refusal(rawValue: "connected") == .connected)
    }
}
