import TOML

/// Changes to one table of a list, such as the `[[alert]]` with a certain name.
extension ConfigEdit {
    /// Appends a table to a list, at the end of the text. A list that is written as `[ {…} ]` has no room for it: the text is
    /// then invalid.
    package mutating func append(toList list: String, _ fields: [(key: String, value: Value)]) {
        let ending = lineEnd
        if !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes += ending }
        let isBlank = bytes.isEmpty || bytes.suffix(ending.count * 2) == ending + ending
        bytes += (isBlank ? [] : ending) + "[[\(list)]]".utf8 + ending
        for field in fields { bytes += "\(field.key) = \(field.value.toml)".utf8 + ending }
    }

    /// Sets keys of the first table of a list in which `key` is `text`: in place where they exist, otherwise after that key.
    /// - Returns: false where there is no such table.
    package mutating func set(
        inList list: String, where key: String, is text: String, _ fields: [(key: String, value: Value)]
    ) -> Bool {
        for field in fields {
            let outline = TOMLDocument(bytes)
            guard let table = outline.table(inList: list, where: key, is: text),
                let mark = outline.child(key, of: table)
            else { return false }
            if let there = outline.child(field.key, of: table) {
                bytes.replaceSubrange(outline.nodes[there].range, with: field.value.toml.utf8)
                continue
            }
            let pair = "\(field.key) = \(field.value.toml)"
            let end = outline.nodes[mark].range.upperBound
            if outline.nodes[table].range.isEmpty {
                // Insert after a header; a comment on its line stays there.
                let next = bytes[end...].firstIndex(of: UInt8(ascii: "\n"))
                let ending = lineEnd
                bytes.insert(
                    contentsOf: next == nil ? ending + pair.utf8 : pair.utf8 + ending,
                    at: next.map { $0 + 1 } ?? bytes.count)
            } else {
                bytes.insert(contentsOf: ", \(pair)".utf8, at: end)
            }
        }
        return true
    }

    /// Removes the first table of a list in which `key` is `text`, from its header to the line of its last key.
    /// - Returns: false where there is none, or it is written in braces.
    package mutating func remove(fromList list: String, where key: String, is text: String) -> Bool {
        let outline = TOMLDocument(bytes)
        guard let table = outline.table(inList: list, where: key, is: text),
            outline.nodes[table].range.isEmpty, case .index(let index) = outline.nodes[table].part
        else { return false }
        let headers = outline.headers.filter { $0.path == [list] }
        guard headers.indices.contains(index) else { return false }
        let last =
            outline.nodes.indices.filter { outline.isInside($0, table) }
            .map { outline.nodes[$0].range.upperBound }.max() ?? headers[index].end
        let newline = UInt8(ascii: "\n")
        var start = headers[index].start
        let end =
            bytes[max(last, headers[index].end)...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
        // Include the preceding empty line.
        let before = bytes[..<start]
        for gap in [[newline, newline], Array("\r\n\r\n".utf8)] where before.suffix(gap.count) == gap {
            start -= gap.count / 2
        }
        bytes.removeSubrange(start..<end)
        return true
    }
}

extension TOMLDocument {
    /// The node of the first table of a list in which a key is a text.
    fileprivate func table(inList list: String, where key: String, is text: String) -> Int? {
        guard let node = node([list]), case .list(let elements) = nodes[node].value else { return nil }
        return elements.first { element in
            child(key, of: element).map { nodes[$0].value == .text(text) } ?? false
        }
    }

    fileprivate func child(_ key: String, of table: Int) -> Int? {
        nodes.indices.first { nodes[$0].parent == table && nodes[$0].part == .key(key) }
    }

    fileprivate func isInside(_ node: Int, _ table: Int) -> Bool {
        var current = nodes[node].parent
        while let index = current {
            if index == table { return true }
            current = nodes[index].parent
        }
        return false
    }
}
