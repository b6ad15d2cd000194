/// The part of an announcement that will sound on an output.
public struct OutputPlan: Codable, Sendable, Equatable {
    public let name: String
    /// Percent of perceived loudness, windows considered; 0 is silence.
    public let volume: Int
    /// The name of the quiet window that made the volume; left out where none did.
    public var quiet: String?

    package init(name: String, volume: Int, quiet: String? = nil) {
        (self.name, self.volume, self.quiet) = (name, volume, quiet)
    }
}

extension OutputPlan {
    /// `20 % (nap)`, `silent (night-law)`; `nil` where no window made the volume.
    package var words: String? {
        quiet.map { volume == 0 ? "silent (\($0))" : "\(volume) % (\($0))" }
    }
}

extension [OutputPlan] {
    /// The window that silences it everywhere; `nil` where something will be heard.
    package var silencedBy: String? {
        allSatisfy { $0.quiet != nil && $0.volume == 0 } ? first?.quiet : nil
    }
}
