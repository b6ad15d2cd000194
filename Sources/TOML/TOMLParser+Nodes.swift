/// The nodes of the document that is being read.
extension TOMLParser {
    func enter(depth: Int, at offset: Int) throws(TOMLError) {
        if depth >= TOMLDocument.deepest { throw TOMLError(.tooDeep, at: offset) }
    }

    func depth(of node: Int) -> Int {
        var (depth, current) = (0, Optional(node))
        while let index = current {
            depth += 1
            current = document.nodes[index].parent
        }
        return depth
    }

    func find(_ name: String, in parent: Int?) -> Int? {
        document.slots[.init(parent: parent, part: .key(name))]
    }

    mutating func add(
        _ part: TOMLDocument.Part, in parent: Int?, at offset: Int, _ value: TOMLDocument.Value,
        _ form: TOMLDocument.Form
    ) -> Int {
        document.nodes.append(
            .init(
                parent: parent, part: part, keyOffset: offset, range: offset..<offset, value: value,
                form: form
            ))
        let node = document.nodes.count - 1
        if form != .detached { document.slots[.init(parent: parent, part: part)] = node }
        return node
    }

    mutating func addElement(
        to list: Int, at offset: Int, _ value: TOMLDocument.Value, _ form: TOMLDocument.Form
    ) -> Int {
        var elements: [Int] = []
        if case .list(let known) = document.nodes[list].value { elements = known }
        document.nodes[list].value = .invalid
        let node = add(.index(elements.count), in: list, at: offset, value, form)
        elements.append(node)
        document.nodes[list].value = .list(elements)
        return node
    }

    func lastElement(of list: Int) -> Int? {
        if case .list(let elements) = document.nodes[list].value { elements.last } else { nil }
    }

    mutating func set(_ node: Int, _ value: TOMLDocument.Value, from start: Int) {
        document.nodes[node].value = value
        document.nodes[node].range = start..<offset
    }

    mutating func set(_ node: Int, _ form: TOMLDocument.Form) { document.nodes[node].form = form }

    func path(of node: Int) -> [String]? { document.path(of: node) }

    func duplicate(_ known: Int, at offset: Int) -> TOMLError {
        TOMLError(
            .duplicate(first: document.nodes[known].keyOffset), at: offset, path: document.path(of: known))
    }
}
