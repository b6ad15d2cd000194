internal import NIOCore
internal import PhoneRules
internal import Protocol

/// Passes one upload on to the intake as it arrives, and reads no faster than it passes on. The last byte of the file is held
/// back until the body has ended correctly, so that the intake never acts on half an upload. It is used on the loop only.
final class UploadReceiver {
    private enum Step {
        /// Reads the fields before the file.
        case fields
        case connecting([ByteBuffer])
        case sending(IntakeSocket.Call)
        /// Ignores the rest of the body but reads it, because a browser shows no answer until it has sent everything.
        case dropping
    }

    /// The result: the intake's answer or an error, and the form's fields before the file.
    struct Received: Sendable {
        let reply: Result<IntakeReply, RemoteRefusal>
        let form: Form
    }

    let result: EventLoopPromise<Received>
    private let route: Route.Name
    private let intake: IntakeSocket
    private let length: Int
    private let read: () -> Void
    private var upload: Upload
    private var fields: [Form.Field] = []
    private var step = Step.fields
    private var refusal: RemoteRefusal?
    private var call: IntakeSocket.Call?
    private var announced = 0
    private var received = 0
    private var last: UInt8?
    private var unsent = 0
    private var isBodyOver = false

    /// - Parameter read: requests more of the body.
    init(_ admission: RequestRules.Admission, _ intake: IntakeSocket, read: @escaping () -> Void) {
        (route, self.intake, self.read, length) = (admission.route.name, intake, read, admission.length)
        var most = 0
        if case .upload(let bytes) = admission.route.body { most = bytes }
        upload = Upload(boundary: admission.boundary, mostBytes: most)
        result = intake.loop.makePromise()
    }

    /// Handles a part of the body.
    func receive(_ bytes: ByteBuffer) {
        guard refusal == nil else { return }
        do throws(Upload.UnreadableError) {
            for event in try upload.add(bytes.readableBytesView) {
                guard refusal == nil else { return }
                handle(event)
            }
        } catch {
            refuse(RemoteRefusal(error))
        }
    }

    /// Reads more, because everything so far has been passed on.
    func readMore() {
        switch step {
        case .connecting: break
        case .fields, .dropping: read()
        case .sending: if unsent == 0 { read() }
        }
    }

    /// Handles the end of the body.
    func finish() {
        isBodyOver = true
        if refusal == nil {
            do throws(Upload.UnreadableError) {
                try upload.finish()
            } catch {
                refuse(RemoteRefusal(error))
            }
        }
        if refusal == nil, upload.fileOffset == nil { refuse(RemoteRefusal(FieldRefusal("file", .missing))) }
        if let refusal { return end(.failure(refusal)) }
        if let last { send(ByteBuffer(bytes: [last])) }
        last = nil
        intake.loop.assumeIsolated().scheduleTask(in: IntakeSocket.patience) { [weak self] in
            self?.refuse(.noIntake)
        }
    }

    /// Handles a disconnected phone. The intake gets half a file and removes it.
    func cancel() {
        step = .dropping
        refusal = refusal ?? RemoteRefusal(Upload.UnreadableError.cutOff)
        call?.channel.close(promise: nil)
        call = nil
        end(.failure(RemoteRefusal(Upload.UnreadableError.cutOff)))
    }

    private func end(_ reply: Result<IntakeReply, RemoteRefusal>) {
        result.succeed(Received(reply: reply, form: Form(fields: fields)))
    }

    private func handle(_ event: Upload.Event) {
        switch event {
        case .field(let field): fields.append(field)
        case .file(let field, let name): begin(field, name)
        case .bytes(let bytes): pass(bytes)
        case .endOfFile: if received != announced { refuse(RemoteRefusal(Upload.UnreadableError.shape)) }
        }
    }

    private func begin(_ field: String, _ name: String) {
        var request: IntakeRequest
        do throws(FieldRefusal) {
            request = try UploadFields.request(route, Form(fields: fields), field: field, file: name)
        } catch {
            return refuse(RemoteRefusal(error))
        }
        // The intake is given the file's length in advance, so no bytes may follow the file.
        announced = length - (upload.fileOffset ?? 0) - upload.closing
        guard announced >= 0 else { return refuse(RemoteRefusal(Upload.UnreadableError.shape)) }
        request.bytes = announced
        step = .connecting([])
        intake.call(request).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let call): connected(call)
            case .failure(let error): refuse(error as? RemoteRefusal ?? .noIntake)
            }
            readMore()
        }
    }

    private func connected(_ call: IntakeSocket.Call) {
        guard case .connecting(let waiting) = step else { return call.channel.close(promise: nil) }
        (self.call, step) = (call, .sending(call))
        call.reply.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let reply): answered(reply)
            case .failure(let error): refuse(error as? RemoteRefusal ?? .noIntake)
            }
        }
        for bytes in waiting { send(bytes) }
    }

    private func answered(_ reply: IntakeReply) {
        // An answer before the end of the body can only be a refusal.
        guard isBodyOver, refusal == nil else {
            return refuse(RemoteRefusal(reply, reply.error ?? .cut))
        }
        end(.success(reply))
    }

    private func pass(_ bytes: [UInt8]) {
        received += bytes.count
        guard received <= announced else { return refuse(RemoteRefusal(Upload.UnreadableError.shape)) }
        var buffer = ByteBuffer()
        if let last { buffer.writeInteger(last) }
        buffer.writeBytes(bytes.dropLast())
        last = bytes.last
        send(buffer)
    }

    private func send(_ bytes: ByteBuffer) {
        switch step {
        case .connecting(let waiting): step = .connecting(waiting + [bytes])
        case .sending(let call):
            unsent += 1
            call.channel.writeAndFlush(bytes).assumeIsolated().whenComplete { [self] _ in
                unsent -= 1
                if !isBodyOver { readMore() }
            }
        case .fields, .dropping: break
        }
    }

    private func refuse(_ refusal: RemoteRefusal) {
        guard self.refusal == nil else { return }
        self.refusal = refusal
        let call = call
        (self.call, step) = (nil, .dropping)
        call?.channel.close(promise: nil)
        if isBodyOver { end(.failure(refusal)) } else { readMore() }
    }
}
