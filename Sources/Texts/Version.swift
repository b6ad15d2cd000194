package import PrayerEngine

/// The version of every program, as reported by `--version`, `status` and the Varlink service.
package let adhandVersion = "0.1.0"

/// The earliest time of any adhand, and of any correct clock: 2026-01-01T00:00:00Z.
package let adhandRelease = Instant(unixSeconds: 1_767_225_600)
