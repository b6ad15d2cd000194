import CommandKit
import ControlClient
import Host
import LabSupport
import Protocol
import Testing

@testable import Maintenance

extension Scratch {
    /// No adhand answers there.
    var silent: ControlClient { ControlClient(socket: file("no-socket")) }

    /// This directory as the state of an adhand that does not run.
    var place: StatePlace { StatePlace(named: path, silent) }
}

/// The refusal of an act; `nil` if it was carried out.
func refusal(_ act: () throws -> Void) -> CommandError? {
    do {
        try act()
        return nil
    } catch let error as CommandError {
        return error
    } catch {
        Issue.record(error)
        return nil
    }
}

/// The reply of the intake to an act that it refuses; `nil` if it was carried out.
func refusedReply(_ act: () throws -> Void) -> IntakeReply? {
    do {
        try act()
        return nil
    } catch let error as IntakeError {
        return error.reply
    } catch {
        Issue.record(error)
        return nil
    }
}
