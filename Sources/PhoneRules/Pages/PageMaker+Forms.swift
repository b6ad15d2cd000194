internal import Texts

/// Makes forms. Each field is inside its label, so none lacks one.
extension PageMaker {
    func form(_ act: Route.Name, _ fields: [HTML], _ button: String, isUpload: Bool = false) -> HTML {
        let kind = isUpload ? [("enctype", "multipart/form-data")] : []
        return .element(
            "form", [("method", "post"), ("action", Self.address(of: act))] + kind,
            fields + [self.button(button)])
    }

    /// The part of an answer that its reader should see first: the refused field, or else the result. The form's address names
    /// it, so that a browser scrolls there without a script.
    static let answerPart = "here"

    static func address(of act: Route.Name) -> String { "\(Route.path(of: act))#\(answerPart)" }

    /// The maker for the fields of one act. It drops what was typed into a refused form of another act on the page.
    func within(_ act: Route.Name) -> PageMaker {
        guard let refused = context.refusedAct, refused != act else { return self }
        var own = context
        (own.filled, own.refused) = (nil, nil)
        return PageMaker(own)
    }

    /// A form with one button.
    func act(_ act: Route.Name, _ fields: [(String, String)], _ button: String) -> HTML {
        form(act, fields.map { hidden($0.0, $0.1) }, button)
    }

    func button(_ text: String) -> HTML { .element("button", [], [.text(text)]) }

    /// One form around many lines, each with a button that sends its field. A form per line would make the page long.
    func form(_ act: Route.Name, _ fields: [HTML] = [], around content: HTML) -> HTML {
        .element("form", [("method", "post"), ("action", Self.address(of: act))], fields + [content])
    }

    func button(_ text: String, sending field: (name: String, value: String)) -> HTML {
        .element("button", [("name", field.name), ("value", field.value)], [.text(text)])
    }

    func hidden(_ name: String, _ value: String) -> HTML {
        .element("input", [("type", "hidden"), ("name", name), ("value", value)])
    }

    /// The field with the page to which the answer to a form of settings leads back.
    func back(_ page: Route.Name) -> HTML { hidden(Act.pageField, page.rawValue) }

    func undo(_ change: Int, back page: Route.Name) -> HTML {
        act(.undo, [("change", "\(change)"), (Act.pageField, page.rawValue)], context.text("undo"))
    }

    func undo(hand number: Int, back page: Route.Name) -> HTML {
        act(.undo, [("hand", "\(number)"), (Act.pageField, page.rawValue)], context.text("undo"))
    }

    /// A field with its label. If the form was refused, it contains what was typed.
    func field(
        _ name: String, _ label: String, type: String = "text", value: String = "",
        _ attributes: [(String, String)] = []
    ) -> HTML {
        labelled(name, label, [input(name, type: type, value: value, attributes)])
    }

    /// A field for the file of an upload. With a script, a file that is too large is refused before it is sent.
    func file(for act: Route.Name, accept: String? = nil) -> HTML {
        var attributes = [("required", "")]
        if let accept { attributes.append(("accept", accept)) }
        if case .upload(let most)? = Route.all.first(where: { $0.name == act })?.body {
            attributes += [
                ("data-most", "\(most)"), ("data-large", context.text(PageProblem.tooLarge.rawValue)),
            ]
        }
        return field("file", context.text("file"), type: "file", attributes)
    }

    private func input(
        _ name: String, type: String, value: String, _ attributes: [(String, String)]
    ) -> HTML {
        // A password must be typed again.
        let shown = ["file", "password"].contains(type) ? "" : context.filled?[name] ?? value
        let text = shown.isEmpty ? [] : [("value", shown)]
        return .element("input", [("name", name), ("type", type)] + text + invalid(name) + attributes)
    }

    private func invalid(_ name: String) -> [(String, String)] {
        context.refused?.field == name ? [("aria-invalid", "true"), ("id", Self.answerPart)] : []
    }

    /// Check boxes under one heading.
    func group(_ name: String, _ title: String, _ boxes: [HTML]) -> HTML {
        let mark = context.refused?.field == name ? [("id", Self.answerPart)] : []
        return .element(
            "fieldset", mark, [.element("legend", [], [.text(title)])] + boxes + problem(name))
    }

    private func labelled(_ name: String, _ label: String, _ content: [HTML]) -> HTML {
        .element("label", [], [.element("span", [], [.text(label)])] + content + problem(name))
    }

    /// The reason why this field was refused.
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
        // The line above the page uses the same words.
        let notice: PageProblem =
            if case .problem(let problem)? = context.notice?.content { problem } else { .invalid }
        return [
            .element("strong", [], [.text(word.map { context.text($0) } ?? self.word(notice))] + reason)
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

    /// - Parameter areNames: whether the options are names, which keep their direction within text of any direction.
    func choice(
        _ name: String, _ label: String, _ options: [(String, String)], chosen: String = "",
        areNames: Bool = false
    ) -> HTML {
        let chosen = context.filled?[name] ?? chosen
        // The value in force remains an option, even an unknown one.
        let isKnown = chosen.isEmpty || options.contains { $0.0 == chosen }
        let options = isKnown ? options : options + [(chosen, chosen)]
        return choice(name, label, options.map { option($0.0, $0.1, chosen, isName: areNames) })
    }

    /// A choice with headings.
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

    /// A choice of prayers, by their names in requests.
    func prayers(_ names: [String] = Prayer.allCases.map(\.rawValue), chosen: String = "") -> HTML {
        choice("prayer", context.text("prayer"), names.map { ($0, prayer($0)) }, chosen: chosen)
    }

    func date(_ label: String, name: String = "date", value: String = "", isRequired: Bool = true) -> HTML {
        field(name, label, type: "date", value: value, isRequired ? [("required", "")] : [])
    }

    func time(_ name: String, _ label: String, value: String = "") -> HTML {
        field(name, label, type: "time", value: value)
    }
}
