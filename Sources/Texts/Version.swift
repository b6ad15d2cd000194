package import PrayerEngine

/// The version of every program, as `--version`, `status` and the Varlink service give it.
package let adhandVersion = "0.1.0"

/// No adhand is older than this, and no clock that is right: 2026-01-01T00:00:00Z.
package let adhandRelease = Instant(unixSeconds: 1_767_225_600)
