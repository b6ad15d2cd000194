/// Reads a page as strictly as XML: each element is closed, each attribute quoted, and nothing stands where it does not belong.
struct PageChecker {
    struct Element {
        let name: String
        let attributes: [String: String]
    }

    private(set) var problems: [String] = []
    private(set) var elements: [Element] = []
    private(set) var text = ""
    private var stack: [String] = []

    init(_ page: [UInt8]) {
        var rest = Substring(decoding: page, as: UTF8.self)
        guard rest.hasPrefix("<!DOCTYPE html>") else {
            problems.append("no doctype")
            return
        }
        rest = rest.dropFirst("<!DOCTYPE html>".count)
        while !rest.isEmpty {
            if rest.first == "<" {
                guard let end = rest.firstIndex(of: ">") else {
                    problems.append("an open tag at the end")
                    return
                }
                tag(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                let run = rest.prefix { $0 != "<" }
                words(run)
                rest = rest.dropFirst(run.count)
            }
        }
        if !stack.isEmpty { problems.append("not closed: \(stack)") }
        if elements.count(where: { $0.name == "h1" }) != 1 { problems.append("not one h1") }
    }

    private mutating func words(_ run: Substring) {
        if run.contains(">") || run.contains("\"") { problems.append("unescaped: \(run)") }
        for part in run.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
        where !["amp;", "lt;", "gt;", "quot;", "#39;"].contains(where: part.hasPrefix) {
            problems.append("unescaped &: \(run)")
        }
        if stack.last == "button" || stack.last == "span" { text += run }
    }

    private mutating func tag(_ tag: Substring) {
        if tag.first == "/" {
            if stack.popLast() != String(tag.dropFirst()) { problems.append("</\(tag)> at the wrong place") }
            return
        }
        let name = String(tag.prefix { $0 != " " })
        var attributes: [String: String] = [:]
        var rest = tag.dropFirst(name.count)
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " }
            let key = String(rest.prefix { $0 != "=" && $0 != " " })
            rest = rest.dropFirst(key.count)
            var value = ""
            if rest.first == "=" {
                guard rest.dropFirst().first == "\"", let end = rest.dropFirst(2).firstIndex(of: "\"") else {
                    problems.append("an attribute without quotes: \(tag)")
                    return
                }
                value = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
                rest = rest[rest.index(after: end)...]
            }
            if attributes.updateValue(value, forKey: key) != nil { problems.append("\(key) twice: \(tag)") }
        }
        check(Element(name: name, attributes: attributes))
        if !["input", "meta", "link", "br"].contains(name) { stack.append(name) }
    }

    private mutating func check(_ element: Element) {
        let known = [
            "h1", "html", "head", "meta", "title", "link", "script", "body", "nav", "a", "main", "p", "bdi",
            "div", "form",
            "input", "button", "section", "h2", "table", "thead", "tbody", "tr", "th", "td", "label", "span",
            "select", "optgroup", "option",
            "ul", "ol", "li", "datalist", "strong", "code", "details", "summary", "textarea", "br",
            "fieldset", "legend",
        ]
        if !known.contains(element.name) { problems.append("<\(element.name)>") }
        if element.attributes.keys.contains(where: { $0.hasPrefix("on") || $0 == "style" }) {
            problems.append("a handler or style in <\(element.name)>")
        }
        let isField =
            ["select", "textarea"].contains(element.name)
            || element.name == "input" && element.attributes["type"] != "hidden"
        if isField, !stack.contains("label") {
            problems.append("a field without a label: \(element.attributes)")
        }
        if ["input", "select", "textarea", "button"].contains(element.name), !stack.contains("form") {
            problems.append("<\(element.name)> outside of a form")
        }
        if element.name == "form" && stack.contains("form") || element.name == "p" && stack.last == "p" {
            problems.append("<\(element.name)> in itself")
        }
        // The page itself, or the same box by its name or number on another network.
        let own = ["/r/", "http://10.77.77.1/r/", "http://adhan-1a2b3c.local:8790/r/"]
        if element.name == "a", !own.contains(where: { element.attributes["href"]?.hasPrefix($0) == true }) {
            problems.append("a link away")
        }
        elements.append(element)
    }
}
