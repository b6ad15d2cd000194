// Programs that show a screen need its settings, which are declared beside adhand's so that adhand can check them.
@_exported public import Settings

extension DisplayConfig {
    /// The view for requests without one.
    package static func usualView(for audience: Audience) -> String {
        audience == .machine ? View.wall : View.phone.name
    }
}
