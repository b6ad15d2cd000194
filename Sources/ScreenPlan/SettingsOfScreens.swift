// Whoever shows a screen needs its settings, which stand with those of adhand so that it can check them.
@_exported public import Settings

extension DisplayConfig {
    /// The view for requests without one.
    package static func usualView(for audience: Audience) -> String {
        audience == .machine ? View.wall : View.phone.name
    }
}
