import Texts

/// The list of boxes as its two files have it. Each save writes both, so one that is damaged or gone is restored from the other.
package struct EnrolRecord: Sendable, Equatable {
    package enum Loss: Sendable, Equatable {
        case damaged
        /// Only its copy exists.
        case gone
    }

    package let desk: EnrolDesk
    /// The loss of the first file.
    package let loss: Loss?
    /// Whether nothing of an earlier list is left.
    package let isForgotten: Bool
    /// Whether the files are not both as the list is.
    package let isSaveDue: Bool

    /// - Parameters:
    ///   - file: its content; `nil` where there is none.
    ///   - copy: the same of the copy.
    ///   - wasThere: whether a list is known to have been there.
    package init(file: [UInt8]?, copy: [UInt8]?, wasThere: Bool) {
        if let file, let desk = Self.read(file) {
            (self.desk, loss, isForgotten) = (desk, nil, false)
            isSaveDue = copy != file
            return
        }
        guard file != nil || copy != nil || wasThere else {
            // No box was invited yet.
            (desk, loss, isForgotten, isSaveDue) = (EnrolDesk(), nil, false, false)
            return
        }
        let kept = copy.flatMap(Self.read)
        desk = kept ?? .afterLoss()
        loss = file == nil ? .gone : .damaged
        (isForgotten, isSaveDue) = (kept == nil, true)
    }

    /// A sentence for a person; `nil` where nothing is wrong.
    package var complaint: String? {
        guard let loss else { return nil }
        let what = loss == .gone ? "enrol/state.json is gone" : "enrol/state.json is damaged"
        guard isForgotten else { return "\(what); the list is that of its copy, enrol/state.copy.json" }
        return
            "\(what), and its copy has no list either: boxes keep their passwords, the invitation is over, and it is forgotten which boxes were revoked"
    }

    private static func read(_ bytes: [UInt8]) -> EnrolDesk? { try? JSON.decode(EnrolDesk.self, from: bytes) }
}
