package import Announcements
import Protocol

extension Notice.Fields {
    package init(_ announcement: Announcement, device: String? = nil, reason: String? = nil) {
        self.init(
            id: announcement.id.description, prayer: announcement.isCall ? nil : announcement.prayer,
            scheduled: announcement.at,
            device: device,
            reason: reason)
    }
}
