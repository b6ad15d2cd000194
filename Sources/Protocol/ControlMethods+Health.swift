import Settings

extension ControlMethod {
    static let health: [ControlMethod] = [
        ControlMethod(
            .getHealth, .reading,
            """
            What "adhanctl doctor" says of what adhand itself knows: its configuration, clock, place, timetable, sound and disk,
            and what was called in the last week. Opens no device; of sound it says what was found last.
            """, means: .getHealth),
        ControlMethod(
            .getDevices, .reading,
            """
            The devices of this machine that may be heard, the likeliest first, each opened for a moment without a sound. None is
            opened while adhand plays or is about to: these are "untried".
            """, means: .getDevices),
        ControlMethod(
            .testDevice, .changing("test a device", from: .fresh, grant: nil),
            """
            Plays the time signal now, on this device alone, at a volume of 0 to 100 percent and at most [control] loudest. A caller
            that gives a role names a device that GetDevices lists. The answer leaves when the signal sounds.
            """
        ) { asked throws(ControlError) in
            guard !asked.device.isEmpty else { throw .invalidParameter(parameter: "device") }
            guard (0...100).contains(asked.volume) else { throw .invalidParameter(parameter: "volume") }
            return .testDevice(asked)
        },
    ]
}
