extension CheckDocument {
    /// The outcome of trying the devices; `nil` where none was tried.
    package var deviceTrial: DeviceTrial? {
        guard !devices.isEmpty else { return nil }
        let working = devices.first { $0.outcome == .opens }
        let problems =
            working.map { [$0.silence?.sentence].compactMap(\.self) } ?? [
                SoundFacts.Device.failures(devices[...])
            ]
        return DeviceTrial(devices: devices.map(\.name), device: working?.name, problems: problems)
    }
}
