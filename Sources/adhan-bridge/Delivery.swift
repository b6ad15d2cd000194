internal import BridgePlan
internal import Host
internal import PrayerEngine
internal import Texts
internal import WebDelivery

/// One attempt to deliver one message. It waits for the answer, and the service therefore makes it on a thread of its own.
enum Delivery {
    static func attempt(
        _ message: AlertMessage, _ destination: BridgeFile.Destination, zone: Zone
    ) -> (DeliveryQueue.Outcome, detail: String) {
        switch destination.settings.kind {
        case .webhook: post(message, destination)
        case .mail: mail(message, destination.settings, zone)
        case .mqtt: (.failed, "only the session sends it")
        }
    }

    private static func post(
        _ message: AlertMessage, _ destination: BridgeFile.Destination
    ) -> (DeliveryQueue.Outcome, detail: String) {
        guard let web = try? WebMessage(message, destination.settings.format, extra: destination.headers)
        else {
            return (.failed, "it has no form as JSON")
        }
        let headers =
            web.headers.map { WebRequest.Header($0.name, $0.value) }
            + [WebRequest.Header("User-Agent", "adhan-bridge/\(adhandVersion)")]
        do throws(WebError) {
            let status = try WebDelivery.perform(
                WebRequest(url: destination.url, body: web.body, headers: headers))
            return (200..<300).contains(status)
                ? (.delivered, "status \(status)") : (.refused(status: status), "status \(status)")
        } catch {
            return (.failed, error.sentence)
        }
    }

    private static func mail(
        _ message: AlertMessage, _ settings: AlertDestination, _ zone: Zone
    ) -> (DeliveryQueue.Outcome, detail: String) {
        let sender = settings.from ?? ""
        do throws(Mailer.MailError) {
            try Mailer.send(
                message.mail(from: sender, to: settings.to, at: WallClock.now(), zone: zone),
                by: settings.sendmail,
                arguments: AlertMessage.mailArguments(from: sender, to: settings.to))
            return (.delivered, "sendmail took it")
        } catch {
            return (.failed, error.sentence)
        }
    }

    /// Requests an address once.
    /// - Returns: the reason for a failure; `nil` for a success.
    static func get(_ url: String) -> String? {
        do throws(WebError) {
            let status = try WebDelivery.perform(
                WebRequest(
                    url: url, headers: [WebRequest.Header("User-Agent", "adhan-bridge/\(adhandVersion)")]))
            return (200..<300).contains(status) ? nil : "status \(status)"
        } catch {
            return error.sentence
        }
    }
}

extension Mailer.MailError {
    var sentence: String {
        switch self {
        case .notStarted(let reason): reason
        case .timedOut: "sendmail had not ended after \(Int(Mailer.limitSeconds)) s"
        case .refused(let status, let text):
            "sendmail ended with status \(status)"
                + (text.isEmpty
                    ? "" : ": \(PlainText.visible(String(text.split(separator: "\n").last ?? "")))")
        }
    }
}
