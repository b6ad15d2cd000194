internal import Host

/// A thread of this program's own; without it there is nothing to serve.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    precondition(BackgroundThread.start(work), "no thread for the \(name)")
}
