import Protocol
import Texts

extension Doctor {
    /// ` The sound card is held by pipewire (process 812, yours).`; empty where no program holds one.
    static func holders(_ sound: SoundFacts) -> String {
        guard !sound.holders.isEmpty else { return "" }
        let names = sound.holders.map { holder in
            "\(holder.program) (process \(holder.process), \(holder.whose))"
        }
        return " The sound card is held by \(PlainText.list(names))."
    }
}
