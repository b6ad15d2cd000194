import Announcements
package import Protocol

/// The last notices in memory, for `adhanctl log`. Debug notices are kept out, as they would push out the events.
/// Notices that callers cause at will have a share of their own, and push out nothing else.
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

    /// The newest last.
    package func last(_ count: Int) -> [Notice] {
        (ofCallers.notices + others.notices).sorted { $0.serial < $1.serial }.suffix(max(0, count))
            .map(\.notice)
    }
}

extension Notice.Kind {
    /// Whether one caller can make as many of these as it likes.
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
