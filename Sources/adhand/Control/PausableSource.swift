internal import Dispatch

/// Watches a socket for something to read, with a pause that cannot get out of balance.
final class PausableSource {
    private let source: any DispatchSourceRead
    var isPaused = false {
        didSet {
            guard isPaused != oldValue else { return }
            if isPaused { source.suspend() } else { source.resume() }
        }
    }

    init(_ handle: SocketHandle, on queue: DispatchQueue, readable: @escaping () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: handle.raw, queue: queue)
        source.setEventHandler(handler: readable)
        source.setCancelHandler { withExtendedLifetime(handle) {} }
        source.resume()
    }

    func cancel() {
        // A source must not be released while it is suspended.
        isPaused = false
        source.cancel()
    }
}
