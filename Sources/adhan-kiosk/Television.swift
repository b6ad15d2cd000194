internal import Host
internal import ScreenPlan

/// Switches the television by HDMI-CEC if the hardware has it. Nothing depends on it: a television that does not react
/// shows the night's dim clock.
struct Television {
    private let program: String
    private var screen = ScreenSwitch()

    /// Seconds to wait for cec-ctl.
    private static let patienceSeconds = 10.0

    /// Returns `nil`, and logs it, if cec-ctl is not installed.
    init?(_ environment: Environment) {
        guard let program = ChildProcess.find("cec-ctl", in: environment) else {
            AdhanKiosk.log(
                "cec-ctl is not installed, so the screen stays on at night; try: sudo apt install v4l-utils")
            return nil
        }
        self.program = program
    }

    mutating func follow(_ scene: Scene.Kind?) {
        guard let isOn = screen.change(scene) else { return }
        let message = isOn ? "--image-view-on" : "--standby"
        let outcome = try? ChildProcess.run(
            program, ["--skip-info", "--playback", "--to", "0", message], environment: ["PATH=/usr/bin:/bin"],
            limitSeconds: Self.patienceSeconds)
        if outcome?.ending == .exited(0) {
            AdhanKiosk.log(isOn ? "the television was switched on" : "the television was switched to standby")
        } else {
            let reason = outcome?.errorText.split(separator: "\n").last.map { ": \($0)" } ?? ""
            AdhanKiosk.log(
                "cec-ctl could not reach the television, so the dim clock is shown at night\(reason)")
        }
    }
}
