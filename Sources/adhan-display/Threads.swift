internal import Host

/// Starts a thread, or ends the program, which cannot serve without its threads.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    precondition(BackgroundThread.start(work), "no thread for the \(name)")
}
