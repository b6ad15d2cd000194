import CommandKit
import Host
import Settings

extension SetupTarget {
    /// The drop-ins, which are read after the file and override it.
    func dropIns() throws(CommandError) -> [ConfigSource] {
        do throws(FileError) {
            var sources: [ConfigSource] = []
            for file in try ConfigFiles.dropIns(of: named) { sources.append(try ConfigFiles.source(file)) }
            return sources
        } catch {
            throw CommandError(.failed, "\(error.message); nothing was changed")
        }
    }

    /// Refuses keys that a drop-in sets, because the drop-in would override them.
    func refuseHeld(_ keys: [String]) throws(CommandError) {
        let dropIns = try dropIns()
        guard !dropIns.isEmpty else { return }
        let settings: [ConfigSetting]
        do throws(ConfigError) {
            settings = try ConfigLoader.load([ConfigSource(file: named, text: text ?? [])] + dropIns).settings
        } catch {
            throw CommandError(.invalidInput, "\(error.summary); nothing was changed")
        }
        for setting in settings where setting.file != named && keys.contains(setting.key) {
            throw CommandError(.failed, "\(setting.refusal(toWriteIn: named)); nothing was changed")
        }
    }
}
