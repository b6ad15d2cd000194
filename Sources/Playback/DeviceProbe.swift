internal import CAlsa
internal import Glibc

/// Tests without a sound whether a device opens.
package enum DeviceProbe {
    package enum Outcome: Sendable, Equatable {
        case opens
        /// `reason` is a sentence; `isBusy` when another program holds the device; `needsServer` when the name leads to a sound
        /// server that does not answer.
        case fails(reason: String, isBusy: Bool, needsServer: Bool = false)
        /// Opening it took longer than the limit.
        case hangs
    }

    /// The errors that alsa-lib's plugins for PipeWire and for PulseAudio return without their server.
    private static let unserved: Set = [-EHOSTDOWN, -ECONNREFUSED]

    /// Opens the device as playback would and closes it again. Waits no longer than playback would, some seconds.
    package static func open(_ name: String) -> Outcome {
        do throws(DeviceError) {
            _ = try PcmDevice(name: name, rate: 44100)
            return .opens
        } catch .failed(_, _, -ETIMEDOUT, _) {
            return .hangs
        } catch .failed(let name, let operation, let code, let cause) {
            let error = DeviceError.failed(name: name, operation: operation, code: code, cause: cause)
            return .fails(
                reason: error.description, isBusy: code == -EBUSY, needsServer: Self.unserved.contains(code))
        } catch {
            return .fails(reason: error.description, isBusy: false)
        }
    }
}

/// The loaded ALSA library.
package enum AlsaLibrary {
    /// `1.2.8`
    package static var version: String {
        unsafe String(cString: snd_asoundlib_version())
    }
}
