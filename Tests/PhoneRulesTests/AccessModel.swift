import PhoneRules

/// The rules of access, written once more and as plainly as possible: every question is answered from the list of all events.
struct AccessModel {
    struct Window {
        let opened: Double
        let seconds: Double
        let role: Role
        let code: String
        let key: String
        var wrong = 0
        var isClosed = false
    }

    struct Wrong {
        let address: Int
        let at: Double
    }

    var windows: [Window] = []
    var burnt: [Double] = []
    /// Wrong tries since the address was last refused for its tries.
    var wrong: [Wrong] = []
    var refusedFrom: [Int: Double] = [:]
    var phones = 0
    let most: Int

    mutating func open(_ window: Window, byTouch: Bool) -> String {
        if byTouch, burnt.count >= 3 {
            let three = burnt.suffix(3)
            if three.last! - three.first! <= 3600, window.opened < three.last! + 3600 { return "locked" }
        }
        if phones >= most { return "full" }
        for index in windows.indices { windows[index].isClosed = true }
        windows.append(window)
        return "open"
    }

    mutating func pair(code: String?, key: String?, address: Int, at: Double) -> String {
        if let from = refusedFrom[address], at < from + 600 { return "wait" }
        let index = windows.indices.last {
            !windows[$0].isClosed && at < windows[$0].opened + windows[$0].seconds
        }
        if let index {
            let window = windows[index]
            if key == window.key || code == window.code && window.wrong < 5 {
                if phones >= most { return "full" }
                windows[index].isClosed = true
                phones += 1
                return "paired \(window.role)"
            }
            if code != nil, window.wrong < 5 {
                windows[index].wrong += 1
                if windows[index].wrong == 5 { burnt.append(at) }
            }
        }
        wrong.append(Wrong(address: address, at: at))
        if wrong.count(where: { $0.address == address && $0.at > at - 600 }) > 10 {
            refusedFrom[address] = at
            wrong.removeAll { $0.address == address }
        }
        return "refused"
    }
}
