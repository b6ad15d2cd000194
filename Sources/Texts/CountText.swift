/// `1 day`, `365 days`
package enum CountText {
    package static func of(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
