/// The page of boxes that join. Each row has its box's name as its anchor, so that the address on a label leads to the box
/// without a script.
package enum EnrolPage {
    package static func html(_ desk: EnrolDesk, org: String) -> String {
        var page = OverviewPage.head(org) + "<h1>\(OverviewPage.escape(org)): boxes that join</h1>"
        page += "<p>\(desk.waiting.count) wait for a person, \(desk.members.count) are in. "
        page += "A box that is not in this list has not asked for its place.</p>"
        page += "<table><tr><th>Box</th><th>State</th><th>Since</th><th>Version</th></tr>"
        for (box, request) in desk.waiting.sorted(by: { $0.key < $1.key }) {
            let why = desk.waitsByKnownName(box) ? "asks again, by a board without a number" : "waits"
            page += row(box, "waiting", "\(why): adhan-fleet enrol accept \(box)", "", request.version)
        }
        for (box, member) in desk.members.sorted(by: { $0.key < $1.key }) where desk.waiting[box] == nil {
            page += row(box, "member", "is in", member.at, member.version)
        }
        return page + "</table></body></html>\n"
    }

    private static func row(
        _ box: String, _ style: String, _ state: String, _ since: String, _ version: String
    ) -> String {
        let cells = [box, state, since, version].map { "<td>\(OverviewPage.escape($0))</td>" }
        return "<tr id=\"\(OverviewPage.escape(box))\" class=\"\(style)\">\(cells.joined())</tr>"
    }
}
