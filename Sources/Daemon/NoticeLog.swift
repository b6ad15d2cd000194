import Announcements
package import Protocol

/// The last notices in memory, for `adhanctl log`. Debug notices are left out, as they would displace the events. Notices that
/// callers can cause at will have a share of their own, and displace nothing else.
package struct NoticeLog: Sendable {
    private var ofCallers = Ring(capacity: LogReply.shareOfCallers)
    private var others = Ring(capacity: LogReply.capacity - LogReply.shareOfCallers)
    private var serial = 0

    private struct Ring {
        let capacity: Int
        var notices: [(serial: Int, notice: Notice)] = []
        var oldest = 0

        mutating func append(_ serial: Int, _ notice: Notice) {
            guard notices.count == capacity else { return notices.append((serial, notice)) }
            notices[oldest] = (serial, notice)
            oldest = (oldest + 1) % capacity
        }
    }

    mutating func append(_ notices: [Notice]) {
        for notice in notices where notice.level > .debug {
            serial += 1
            if notice.kind.isBroughtAboutByCallers {
                ofCallers.append(serial, notice)
            } else {
                others.append(serial, notice)
            }
        }
    }

    /// The last notices, the newest at the end.
    package func last(_ count: Int) -> [Notice] {
        (ofCallers.notices + others.notices).sorted { $0.serial < $1.serial }.suffix(max(0, count))
            .map(\.notice)
    }
}

extension Notice.Kind {
    /// Whether one caller can cause any number of these notices.
    fileprivate var isBroughtAboutByCallers: Bool {
        switch self {
        case .controlDenied, .muteChanged, .toggleChanged, .exceptionChanged, .hijriChanged, .settingsChanged,
            .timetableChanged, .planComputed, .configReloaded, .configRejected,
            .testStarted, .testFinished:
            true
        default: false
        }
    }
}
