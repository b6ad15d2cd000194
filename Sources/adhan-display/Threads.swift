internal import Host

/// Starts a thread, or ends the program: without its threads it cannot serve.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    precondition(BackgroundThread.start(work), "no thread for the \(name)")
}
