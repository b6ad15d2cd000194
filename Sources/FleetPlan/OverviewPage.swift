import Texts

/// The overview as a page without a script, in which every text of a box is escaped.
package enum OverviewPage {
    package static let style = """
        body{font:16px/1.4 system-ui,sans-serif;margin:1rem;color:#111;background:#fff}
        table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd}
        .silent,.dead{background:#fbe3e3}.offline,.problem,.waiting{background:#fdf3d8}h1{font-size:1.3rem}
        tr:target{outline:.2rem solid #06c}

        """

    /// The headers of each answer, which forbid scripts and resources from elsewhere.
    package static let headers = [
        ("Content-Security-Policy", "default-src 'none'; style-src 'self'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
    ]

    /// The start of each page, up to its heading.
    static func head(_ title: String) -> String {
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
            + "<title>\(escape(title))</title><link rel=\"stylesheet\" href=\"/style.css\"></head><body>"
    }

    package static func html(_ view: FleetOverview) -> String {
        var page = head(view.org) + "<h1>\(escape(view.org))</h1>"
        page += "<p>\(view.countsText). \(escape(view.at))."
        page += view.broker ? "</p>" : " <strong>\(FleetOverview.staleText)</strong></p>"
        if !view.alerts.isEmpty {
            page += "<h2>Open alarms</h2><ul>"
            for alert in view.alerts {
                page += "<li>\(alert.alertname): \(escape(alert.summary)) (since \(escape(alert.since)))</li>"
            }
            page += "</ul>"
        }
        page +=
            "<table><tr><th>Box</th><th>State</th><th>Group</th><th>Last heard</th><th>Last seen</th><th>Next</th><th>Version</th></tr>"
        page.reserveCapacity(page.utf8.count + view.boxes.count * 200)
        for box in view.boxes {
            page += "<tr class=\""
            page += box.state.rawValue
            page += "\"><td>"
            page += escape(box.box)
            page += "</td><td>"
            page += box.state.rawValue
            cell(box.groups.joined(separator: ", "), &page)
            cell(box.lastHeard ?? "never", &page)
            cell(box.lastSeen ?? "never", &page)
            cell(box.next ?? "none", &page)
            cell(box.version ?? "", &page)
            page += "</td></tr>"
        }
        return page + "</table></body></html>\n"
    }

    private static func cell(_ text: String, _ page: inout String) {
        page += "</td><td>"
        page += escape(text)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        default: false
        }
    }

    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return text }
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
