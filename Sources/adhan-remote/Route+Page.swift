internal import PhoneRules

extension Route {
    /// The page with the form of this act.
    var page: Route.Name {
        switch name {
        case .exception, .removeException: .week
        case .hijri: .ramadan
        case .announcement, .removeAnnouncement, .picture: .announcements
        case .sound, .removeSound: .sounds
        case .uploadTimetable, .answerTimetable, .takeTimetable, .undoTimetable,
            .removeTimetable:
            .timetable
        case .set, .undo: .settings
        case .answerSetup, .heard: .setup
        case .join: .network
        case .revoke: .phones
        case .setMessages: .messages
        case .leave, .enterCode: .pair
        default: .now
        }
    }
}

extension Route.Name {
    /// The page that contains the form, according to the form itself.
    init?(page form: Form) {
        let pages: [Route.Name] = [.now, .week, .friday, .ramadan, .announcements, .sounds, .settings]
        guard let page = form[Act.pageField].flatMap(Route.Name.init), pages.contains(page) else {
            return nil
        }
        self = page
    }
}
