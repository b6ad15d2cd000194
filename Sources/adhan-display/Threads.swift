internal import Glibc

/// Runs `work` on a thread of its own, for as long as the program runs.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    // Decoding JSON recurses a little; the default of eight megabytes is never needed.
    unsafe pthread_attr_setstacksize(&attributes, 1 << 20)
    let box = unsafe Unmanaged.passRetained(Box(work)).toOpaque()
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, &attributes,
        { raw in
            if let raw = unsafe raw { unsafe Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work() }
            return nil
        }, box)
    precondition(code == 0, "no thread for the \(name)")
    pthread_detach(thread)
}
