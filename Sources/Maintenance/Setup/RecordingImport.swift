package import Console
package import ControlClient
import Host
import Protocol

/// Adds a recording during a conversation, as `sound add` does.
package enum RecordingImport {
    package static func add(_ file: String, _ daemon: ControlClient) -> ImportOutcome {
        do {
            let path = Directories.absolute(expanded(file))
            guard let name = AddedName.suggested(by: path) else {
                return .refused(
                    reason: "the file's name suggests none for the sound; use \"adhanctl sound add\" later")
            }
            let place = try SoundPlace(NamedPlaces(), daemon)
            let store = try SoundStore.open(in: place.state)
            let added = try SoundImport(
                source: path, place: SoundFilePlace(name.text, for: nil), replace: false, force: false,
                folders: place.folders
            ).run(in: store)
            let notes = added.warnings.map { " Note: \($0)." }.joined()
            return .added(
                name: name.text,
                sentence:
                    "Added as \"\(name.text)\", \(SoundText.length(added.durationSeconds)) long.\(notes)")
        } catch {
            return .refused(reason: error.message)
        }
    }

    /// Expands `~`, because no shell between the person and this program does.
    static func expanded(_ file: String) -> String {
        let environment = Environment.process
        // Under sudo, the home is that of the person who typed the command.
        let person = environment.userID == 0 ? environment.value("SUDO_USER").flatMap(Account.home) : nil
        guard file.hasPrefix("~/"), let home = person ?? environment.home else { return file }
        return home + file.dropFirst()
    }
}
