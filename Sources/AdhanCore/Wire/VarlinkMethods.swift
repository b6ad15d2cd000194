extension Varlink {
    /// What a method asks for; throws the standard errors for what does not exist or does not fit.
    static func action(of method: String, in bytes: [UInt8]) throws(ControlError) -> Action {
        guard let dot = method.lastIndex(of: ".") else { throw .methodNotFound(method: method) }
        let interface = String(method[..<dot])
        let name = String(method[method.index(after: dot)...])
        switch interface {
        case ControlError.interface: return .control(try request(name, method: method, in: bytes))
        case serviceInterface: return try serviceAction(name, method: method, in: bytes)
        default: throw .interfaceNotFound(interface: interface)
        }
    }

    private static func request(_ name: String, method: String, in bytes: [UInt8]) throws(ControlError)
        -> ControlRequest
    {
        switch name {
        case "GetStatus": return try bare(.getStatus, bytes)
        case "GetTimes":
            let asked = try parameters(TimesParameters.self, ["date", "days"], bytes)
            return .getTimes(date: asked.date, days: asked.days ?? 1)
        case "GetAgenda":
            let asked = try parameters(AgendaParameters.self, ["from", "days"], bytes)
            return .getAgenda(from: asked.from, days: asked.days)
        case "Mute": return .mute(try parameters(MuteParameters.self, ["duration", "until", "next"], bytes))
        case "Unmute": return try bare(.unmute, bytes)
        case "EnablePrayers":
            return .enablePrayers(try parameters(PrayersParameters.self, ["prayers"], bytes).prayers)
        case "DisablePrayers":
            return .disablePrayers(try parameters(PrayersParameters.self, ["prayers"], bytes).prayers)
        case "SkipPrayers":
            return .skipPrayers(try parameters(SkipParameters.self, ["prayers", "date"], bytes))
        case "UnskipPrayers":
            return .unskipPrayers(try parameters(SkipParameters.self, ["prayers", "date"], bytes))
        case "GetSkips": return try bare(.getSkips, bytes)
        case "Stop": return try bare(.stop, bytes)
        case "TestPlay":
            let asked = try parameters(TestPlayParameters.self, ["prayer", "seconds"], bytes)
            if let seconds = asked.seconds, !(0.1...3600).contains(seconds) {
                throw .invalidParameter(parameter: "seconds")
            }
            return .testPlay(prayer: asked.prayer, seconds: asked.seconds)
        case "PlaySound":
            let asked = try parameters(SoundParameters.self, ["name", "prayer"], bytes)
            return .playSound(name: asked.name, prayer: asked.prayer)
        case "Reload":
            let written = try parameters(ReloadParameters.self, ["written"], bytes).written
            if let written, !written.hasPrefix("/") { throw .invalidParameter(parameter: "written") }
            return .reload(written: written)
        case "ReloadTimetable": return try bare(.reloadTimetable, bytes)
        case "GetTimetable": return try bare(.getTimetable, bytes)
        case "SetException":
            let known: Set = ["date", "prayer", "adhan", "iqama", "reason"]
            return .setException(try parameters(ExceptionParameters.self, known, bytes))
        case "RemoveException":
            return .removeException(
                try parameters(ExceptionNameParameters.self, ["date", "prayer"], bytes))
        case "GetExceptions": return try bare(.getExceptions, bytes)
        case "HijriSighted":
            return .hijriSighted(date: try parameters(HijriDayParameters.self, ["date"], bytes).date)
        case "HijriComplete":
            return .hijriComplete(date: try parameters(HijriDayParameters.self, ["date"], bytes).date)
        case "RemoveHijriPin":
            return .removeHijriPin(month: try parameters(HijriMonthParameters.self, ["month"], bytes).month)
        case "GetHijriPins": return try bare(.getHijriPins, bytes)
        case "GetLog":
            let limit = try parameters(LogParameters.self, ["limit"], bytes).limit ?? 100
            guard limit >= 0 else { throw .invalidParameter(parameter: "limit") }
            return .getLog(limit: limit)
        case "GetHistory":
            let days = try parameters(HistoryParameters.self, ["days"], bytes).days ?? 7
            guard (1...3660).contains(days) else { throw .invalidParameter(parameter: "days") }
            return .getHistory(days: days)
        case "GetTimers": return try bare(.getTimers, bytes)
        case "GetSounds": return try bare(.getSounds, bytes)
        case "Trigger":
            let asked = try parameters(TriggerParameters.self, ["prayer", "delay"], bytes)
            return .trigger(prayer: asked.prayer, delay: asked.delay)
        case "GetDiagnostics":
            let asked = try parameters(DiagnosticsParameters.self, ["exactLocation"], bytes)
            return .getDiagnostics(exact: asked.exactLocation ?? false)
        case "Check":
            let file = try parameters(CheckParameters.self, ["file"], bytes).file
            if let file, !file.hasPrefix("/") { throw .invalidParameter(parameter: "file") }
            return .check(file: file)
        case "Monitor":
            let asked = try parameters(MonitorParameters.self, ["snapshot"], bytes)
            return .monitor(snapshot: asked.snapshot ?? false)
        default: throw .methodNotFound(method: method)
        }
    }

    private static func serviceAction(_ name: String, method: String, in bytes: [UInt8]) throws(ControlError)
        -> Action
    {
        switch name {
        case "GetInfo":
            _ = try parameters(NoParameters.self, [], bytes)
            return .getInfo
        case "GetInterfaceDescription":
            return .getInterfaceDescription(
                try parameters(InterfaceParameters.self, ["interface"], bytes).interface)
        default: throw .methodNotFound(method: method)
        }
    }

    private static func bare(_ request: ControlRequest, _ bytes: [UInt8]) throws(ControlError)
        -> ControlRequest
    {
        _ = try parameters(NoParameters.self, [], bytes)
        return request
    }

    /// The call's parameters; names the one that is unknown, missing or of the wrong type.
    private static func parameters<Parameters: Decodable>(
        _ type: Parameters.Type, _ known: Set<String>, _ bytes: [UInt8]
    ) throws(ControlError) -> Parameters {
        do {
            let names = try JSON.decode(Holder<Names>.self, from: bytes).parameters?.names ?? []
            // Of several the first by name: the decoder keeps them in no order.
            if let unknown = names.filter({ !known.contains($0) }).min() {
                throw ControlError.invalidParameter(parameter: unknown)
            }
            if let found = try JSON.decode(Holder<Parameters>.self, from: bytes).parameters { return found }
            // Parameters may be left out altogether when none is required.
            return try JSON.decode(Parameters.self, from: Array("{}".utf8))
        } catch let error as ControlError {
            throw error
        } catch let error as DecodingError {
            throw .invalidParameter(parameter: error.parameterName ?? "parameters")
        } catch {
            throw .invalidParameter(parameter: "parameters")
        }
    }
}

private struct Holder<Parameters: Decodable>: Decodable {
    let parameters: Parameters?
}

private struct InterfaceParameters: Codable {
    let interface: String
}

/// The names of an object's members, whatever they hold.
private struct Names: Decodable {
    let names: [String]

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    }
}

extension DecodingError {
    fileprivate var parameterName: String? {
        let path: [any CodingKey]
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        @unknown default: return nil
        }
        return path.dropFirst().first?.stringValue ?? path.last?.stringValue
    }
}
