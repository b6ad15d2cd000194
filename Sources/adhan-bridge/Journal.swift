internal import BridgePlan
internal import CommandKit

typealias Journal = TopicJournal<BridgeTopic>

/// The topics of adhan-bridge's journal.
enum BridgeTopic: JournalTopic {
    case broker
    case fleetBroker
    case admission(FleetAdmission.Standing)
    case fleet
    case droppedCommand
    case delivery(String)
    case stateFile
    case textfile
    case adhand
    case thread
    case page

    static let program = "adhan-bridge"
}
