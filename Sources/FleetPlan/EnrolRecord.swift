import Texts

/// The list of boxes in its two files. Each save writes both, and a damaged or missing one is restored from the other.
package struct EnrolRecord: Sendable, Equatable {
    package enum Loss: Sendable, Equatable {
        case damaged
        /// Only its copy exists.
        case gone
    }

    package let desk: EnrolDesk
    /// The reason why the first file could not be used.
    package let loss: Loss?
    /// Whether an earlier list is completely lost.
    package let isForgotten: Bool
    /// Whether one of the files differs from the list.
    package let isSaveDue: Bool

    /// - Parameters:
    ///   - file: the content of the file; `nil` if it is missing.
    ///   - copy: the content of the copy; `nil` if it is missing.
    ///   - wasThere: whether a list is known to have existed.
    package init(file: [UInt8]?, copy: [UInt8]?, wasThere: Bool) {
        if let file, let desk = Self.read(file) {
            (self.desk, loss, isForgotten) = (desk, nil, false)
            isSaveDue = copy != file
            return
        }
        guard file != nil || copy != nil || wasThere else {
            // No box was invited yet, so the list is empty and not lost.
            (desk, loss, isForgotten, isSaveDue) = (EnrolDesk(), nil, false, false)
            return
        }
        let kept = copy.flatMap(Self.read)
        desk = kept ?? .afterLoss()
        loss = file == nil ? .gone : .damaged
        (isForgotten, isSaveDue) = (kept == nil, true)
    }

    /// A sentence for a person; `nil` if there was no loss.
    package var complaint: String? {
        guard let loss else { return nil }
        let what = loss == .gone ? "enrol/state.json is gone" : "enrol/state.json is damaged"
        guard isForgotten else { return "\(what); the list is that of its copy, enrol/state.copy.json" }
        return
            "\(what), and its copy has no list either: boxes keep their passwords, the invitation is over, and it is forgotten which boxes were revoked"
    }

    private static func read(_ bytes: [UInt8]) -> EnrolDesk? { try? JSON.decode(EnrolDesk.self, from: bytes) }
}
