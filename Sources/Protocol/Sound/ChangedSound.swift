package import Settings

/// The devices and sounds that a changed configuration introduces: the person who changes a key learns whether these can work,
/// and older problems do not prevent the change.
package struct ChangedSound: Sendable {
    package let uses: Set<SoundUse>
    package let devices: [String]

    package init(from old: Config, to new: Config) {
        uses = Set(SoundUse.all(in: new).filter { $0.isPlayed(by: new) })
            .subtracting(SoundUse.all(in: old).filter { $0.isPlayed(by: old) })
        devices = new.devices.filter { !old.devices.contains($0) }
    }

    package var isEmpty: Bool { uses.isEmpty && devices.isEmpty }

    /// The first of them that cannot work, according to a trial; `nil` when there is no evidence against them. A device that
    /// another program holds may be free at the instant.
    package func problem(in facts: SoundFacts, sudo: Bool) -> CheckProblem? {
        for device in facts.devices where devices.contains(device.name) {
            switch device.outcome {
            case .opens, .untried, .fails(_, isBusy: true, _): continue
            case .fails(let reason, isBusy: false, _):
                return CheckProblem(
                    .device, .problem, "the device \"\(device.name)\" cannot be opened: \(reason)",
                    fix: "aplay -L",
                    key: "audio.devices")
            case .hangs:
                return CheckProblem(
                    .device, .problem, "the device \"\(device.name)\" does not answer", fix: "aplay -L",
                    key: "audio.devices")
            }
        }
        var broken = SoundFacts()
        broken.files = facts.files.compactMap { file in
            var file = file
            file.prayers = file.prayers.filter {
                uses.contains(SoundUse(prayer: $0, occasion: file.occasion, sound: file.name))
            }
            return file.prayers.isEmpty ? nil : file
        }
        return CheckProblem.find(in: broken, sudo: sudo).first { $0.severity == .problem }
    }
}
