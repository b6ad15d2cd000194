internal import Texts

/// Forms: each field stands in its label, so that none is without one.
extension PageMaker {
    func form(_ act: Route.Name, _ fields: [HTML], _ button: String, isUpload: Bool = false) -> HTML {
        let kind = isUpload ? [("enctype", "multipart/form-data")] : []
        return .element(
            "form", [("method", "post"), ("action", Self.address(of: act))] + kind,
            fields + [self.button(button)])
    }

    /// The part of an answer that its reader is to see first: the field that was refused, or else what was done. The address of
    /// a form names it, so that a browser goes there without script.
    static let answerPart = "here"

    static func address(of act: Route.Name) -> String { "\(Route.path(of: act))#\(answerPart)" }

    /// The maker of the fields of one act: what was typed into another form of the page, and refused there, is none of theirs.
    func within(_ act: Route.Name) -> PageMaker {
        guard let refused = context.refusedAct, refused != act else { return self }
        var own = context
        (own.filled, own.refused) = (nil, nil)
        return PageMaker(own)
    }

    /// A form of one button.
    func act(_ act: Route.Name, _ fields: [(String, String)], _ button: String) -> HTML {
        form(act, fields.map { hidden($0.0, $0.1) }, button)
    }

    func button(_ text: String) -> HTML { .element("button", [], [.text(text)]) }

    /// One form around many lines, each with a button of its own that sends its field: a form for each line would make a long page.
    func form(_ act: Route.Name, _ fields: [HTML] = [], around content: HTML) -> HTML {
        .element("form", [("method", "post"), ("action", Self.address(of: act))], fields + [content])
    }

    func button(_ text: String, sending field: (name: String, value: String)) -> HTML {
        .element("button", [("name", field.name), ("value", field.value)], [.text(text)])
    }

    func hidden(_ name: String, _ value: String) -> HTML {
        .element("input", [("type", "hidden"), ("name", name), ("value", value)])
    }

    /// The page that the answer to a form of settings leads back to.
    func back(_ page: Route.Name) -> HTML { hidden(Act.pageField, page.rawValue) }

    func undo(_ change: Int, back page: Route.Name) -> HTML {
        act(.undo, [("change", "\(change)"), (Act.pageField, page.rawValue)], context.write("undo"))
    }

    func undo(hand number: Int, back page: Route.Name) -> HTML {
        act(.undo, [("hand", "\(number)"), (Act.pageField, page.rawValue)], context.write("undo"))
    }

    /// One field with its label; what was typed into a form that was refused stands in it again.
    func field(
        _ name: String, _ label: String, type: String = "text", value: String = "",
        _ attributes: [(String, String)] = []
    ) -> HTML {
        labelled(name, label, [input(name, type: type, value: value, attributes)])
    }

    /// A field for the file of an upload. What is too large is said before it is sent, where a script runs.
    func file(for act: Route.Name, accept: String? = nil) -> HTML {
        var attributes = [("required", "")]
        if let accept { attributes.append(("accept", accept)) }
        if case .upload(let most)? = Route.all.first(where: { $0.name == act })?.body {
            attributes += [
                ("data-most", "\(most)"), ("data-large", context.write(PageProblem.tooLarge.rawValue)),
            ]
        }
        return field("file", context.write("file"), type: "file", attributes)
    }

    private func input(
        _ name: String, type: String, value: String, _ attributes: [(String, String)]
    ) -> HTML {
        // A password is typed again.
        let shown = ["file", "password"].contains(type) ? "" : context.filled?[name] ?? value
        let text = shown.isEmpty ? [] : [("value", shown)]
        return .element("input", [("name", name), ("type", type)] + text + invalid(name) + attributes)
    }

    private func invalid(_ name: String) -> [(String, String)] {
        context.refused?.field == name ? [("aria-invalid", "true"), ("id", Self.answerPart)] : []
    }

    /// Boxes under one heading, of which any number is chosen.
    func group(_ name: String, _ title: String, _ boxes: [HTML]) -> HTML {
        let mark = context.refused?.field == name ? [("id", Self.answerPart)] : []
        return .element(
            "fieldset", mark, [.element("legend", [], [.text(title)])] + boxes + problem(name))
    }

    private func labelled(_ name: String, _ label: String, _ content: [HTML]) -> HTML {
        .element("label", [], [.element("span", [], [.text(label)])] + content + problem(name))
    }

    /// Why this field was refused.
    private func problem(_ name: String) -> [HTML] {
        guard let refused = context.refused, refused.field == name else { return [] }
        let reason = refused.reason.map { [HTML.element("br"), english($0)] } ?? []
        let word =
            switch refused.code {
            case .stale: PageProblem.conflict.rawValue
            case .past: "is-past"
            case .unknown where name == "place": "town-unknown"
            case .missing where name == "password": "password-missing"
            default: nil as String?
            }
        // The line above the page says the same of it.
        let notice: PageProblem =
            if case .problem(let problem)? = context.notice?.content { problem } else { .invalid }
        return [
            .element("strong", [], [.text(word.map { context.write($0) } ?? self.word(notice))] + reason)
        ]
    }

    func area(_ name: String, _ label: String, value: String = "", longest: Int) -> HTML {
        labelled(
            name, label,
            [
                .element(
                    "textarea",
                    [("name", name), ("rows", "3"), ("maxlength", "\(longest)"), ("required", "")]
                        + invalid(name),
                    [.text(context.filled?[name] ?? value)])
            ])
    }

    /// - Parameter areNames: whether the options are names, which keep their direction among words of any other.
    func choice(
        _ name: String, _ label: String, _ options: [(String, String)], chosen: String = "",
        areNames: Bool = false
    ) -> HTML {
        let chosen = context.filled?[name] ?? chosen
        // The value in force stays a choice, whatever it is.
        let isKnown = chosen.isEmpty || options.contains { $0.0 == chosen }
        let options = isKnown ? options : options + [(chosen, chosen)]
        return choice(name, label, options.map { option($0.0, $0.1, chosen, isName: areNames) })
    }

    /// Choices under headings.
    func choice(_ name: String, _ label: String, groups: [(heading: String, options: [(String, String)])])
        -> HTML
    {
        let chosen = context.filled?[name] ?? ""
        return choice(
            name, label,
            groups.map { group in
                .element(
                    "optgroup", [("label", group.heading)],
                    group.options.map { option($0.0, $0.1, chosen) })
            })
    }

    private func choice(_ name: String, _ label: String, _ content: [HTML]) -> HTML {
        labelled(name, label, [.element("select", [("name", name)] + invalid(name), content)])
    }

    private func option(_ value: String, _ text: String, _ chosen: String, isName: Bool = false) -> HTML {
        .element(
            "option",
            [("value", value)] + (value == chosen ? [("selected", "")] : [])
                + (isName ? [("dir", "auto")] : []), [.text(text)])
    }

    func box(_ name: String, _ value: String, _ label: String, isChecked: Bool = false) -> HTML {
        let isChecked = context.filled.map { $0.all(name).contains(value) } ?? isChecked
        return .element(
            "label", [("class", "box")],
            [
                .element(
                    "input",
                    [("type", "checkbox"), ("name", name), ("value", value)]
                        + (isChecked ? [("checked", "")] : [])),
                .element("span", [], [.text(label)]),
            ])
    }

    /// A choice among prayers; their names as the requests have them.
    func prayers(_ names: [String] = Prayer.allCases.map(\.rawValue), chosen: String = "") -> HTML {
        choice("prayer", context.write("prayer"), names.map { ($0, prayer($0)) }, chosen: chosen)
    }

    func date(_ label: String, name: String = "date", value: String = "", isRequired: Bool = true) -> HTML {
        field(name, label, type: "date", value: value, isRequired ? [("required", "")] : [])
    }

    func time(_ name: String, _ label: String, value: String = "") -> HTML {
        field(name, label, type: "time", value: value)
    }
}
