package import Protocol

/// One address of the phone page with its method, the rights that it requires and the form of its body.
package struct Route: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// The least rights that a caller needs.
    package enum Right: Sendable, Equatable { case anybody, household, keeper, fresh }

    package enum Body: Sendable, Equatable {
        case none
        /// `application/x-www-form-urlencoded`, at most ``Route/longestForm`` bytes.
        case form
        /// `multipart/form-data` with one file of at most this many bytes.
        case upload(Int)
    }

    package enum Name: String, Sendable, CaseIterable {
        case root, now, week, friday, ramadan, announcements, sounds, timetable, health, log, settings, setup,
            phones, pair, messages, network
        case style, script, nowDocument, settingsDocument, networkDocument
        case mute, unmute, stop, prayers, test, exception, removeException, hijri
        case announcement, removeAnnouncement, picture, sound, removeSound
        case uploadTimetable, answerTimetable, takeTimetable, undoTimetable, removeTimetable
        case set, undo, answerSetup, heard, revoke, leave, enterCode, setMessages, join

        /// The page after the last question of the set-up. A box on its own network does not know the time yet and calls
        /// nothing, so joining a network comes next.
        /// - Parameter asksForMessages: whether no person would be informed of a missed adhan yet.
        package static func afterSetUp(
            entryPoint: RequestHead.EntryPoint, network: NetworkDocument.State?, asksForMessages: Bool
        ) -> Name {
            if entryPoint == .setUp, network == .hotspot { return .network }
            return asksForMessages ? .messages : .now
        }

        /// The page for a phone that opens the plain address of the set-up on the box's own network, where its test for
        /// internet access leads. It is the network page if the box could not join a network, or already has its place.
        /// - Parameter hasPlace: called only if nothing else decides.
        /// - Returns: `nil` for the set-up itself.
        package static func arrival(
            _ head: RequestHead, network: NetworkDocument?, hasPlace: () -> Bool
        ) -> Name? {
            guard head.entryPoint == .setUp, head.target == Route.path(of: .setup), let network,
                network.state == .hotspot
            else { return nil }
            return network.last != nil || hasPlace() ? .network : nil
        }
    }

    package let name: Name
    package let method: Method
    package let path: String
    package let right: Right
    package let body: Body
    /// Whether refusals are JSON whatever the caller accepts.
    package var isDocument = false

    package static let longestForm = 65_536
    /// Bytes for boundaries and heads around a file, and for the fields beside it.
    package static let uploadOverhead = 8192

    /// The most bytes of the body.
    package var longestBody: Int {
        switch body {
        case .none: 0
        case .form: Self.longestForm
        case .upload(let most): most + Self.uploadOverhead
        }
    }

    package var isAct: Bool { method == .post }

    /// Whether this is the network page, its document or its act.
    var isAboutNetwork: Bool { [.network, .networkDocument, .join].contains(name) }

    package static let all: [Route] =
        [
            page(.root, "/", .anybody), page(.now, "/r/"), page(.week, "/r/week"), page(.friday, "/r/friday"),
            page(.ramadan, "/r/ramadan"), page(.announcements, "/r/announcements"),
            page(.sounds, "/r/sounds"),
            page(.timetable, "/r/timetable"), page(.health, "/r/health"), page(.log, "/r/log"),
            page(.settings, "/r/settings"), page(.setup, "/r/setup", .keeper),
            page(.phones, "/r/phones", .keeper),
            page(.messages, "/r/messages", .keeper), page(.network, "/r/network", .keeper),
            page(.pair, "/r/pair", .anybody), page(.style, "/r/style.css", .anybody),
            page(.script, "/r/page.js", .anybody),
            Route(
                name: .nowDocument, method: .get, path: "/r/now.json", right: .household, body: .none,
                isDocument: true),
            Route(
                name: .settingsDocument, method: .get, path: "/r/settings.json", right: .household,
                body: .none,
                isDocument: true),
            Route(
                name: .networkDocument, method: .get, path: "/r/network.json", right: .keeper, body: .none,
                isDocument: true),
        ] + [
            act(.mute, "/r/mute", .household), act(.unmute, "/r/unmute", .household),
            act(.stop, "/r/stop", .household), act(.prayers, "/r/prayers", .household),
            act(.test, "/r/test", .household),
            act(.exception, "/r/exception", .keeper), act(.removeException, "/r/exception/remove", .keeper),
            act(.hijri, "/r/hijri", .keeper), act(.announcement, "/r/announcement", .keeper),
            act(.removeAnnouncement, "/r/announcement/remove", .keeper),
            act(.picture, "/r/picture", .keeper, .upload(4_000_000)),
            act(.sound, "/r/sound", .keeper, .upload(20_000_000)),
            act(.removeSound, "/r/sound/remove", .fresh),
            act(.uploadTimetable, "/r/timetable", .keeper, .upload(16_000_000)),
            act(.answerTimetable, "/r/timetable/answer", .keeper),
            act(.takeTimetable, "/r/timetable/take", .fresh),
            act(.undoTimetable, "/r/timetable/undo", .keeper),
            act(.removeTimetable, "/r/timetable/remove", .fresh),
            act(.set, "/r/settings", .household), act(.undo, "/r/undo", .household),
            act(.answerSetup, "/r/setup", .fresh), act(.heard, "/r/heard", .fresh),
            act(.revoke, "/r/phones/revoke", .keeper), act(.leave, "/r/leave", .household),
            act(.enterCode, "/r/pair", .anybody), act(.setMessages, "/r/messages", .keeper),
            act(.join, "/r/network", .keeper),
        ]

    private static func page(_ name: Name, _ path: String, _ right: Right = .household) -> Route {
        Route(name: name, method: .get, path: path, right: right, body: .none)
    }

    private static func act(_ name: Name, _ path: String, _ right: Right, _ body: Body = .form) -> Route {
        Route(name: name, method: .post, path: path, right: right, body: body)
    }

    /// The address of a page in links and in answers to forms. On the box's own network the plain address of the set-up may
    /// lead to another page (``Name/arrival(_:network:hasPlace:)``), but not with a query.
    package static func link(to name: Name, entryPoint: RequestHead.EntryPoint) -> String {
        let path = path(of: name)
        return name == .setup && entryPoint == .setUp ? path + "?open" : path
    }

    package static func path(of name: Name) -> String {
        all.first { $0.name == name }?.path ?? "/r/"
    }
}
