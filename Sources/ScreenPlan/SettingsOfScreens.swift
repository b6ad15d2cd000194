// Whoever shows a screen needs its settings, which stand with those of adhand so that it can check them.
@_exported public import Settings

extension DisplayConfig {
    /// The view of somebody who asks for none.
    package static func usualView(for audience: Audience) -> String {
        audience == .machine ? View.wall : View.phone.name
    }
}
