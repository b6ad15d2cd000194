internal import NIOCore
internal import PhoneRules
internal import Protocol

/// One upload on its way to the intake: what comes from the phone goes on at once, and no more is read than was passed on. The last
/// byte of the file waits until the body has ended as it should, so that the intake never acts on half an upload. On the loop only.
final class UploadReceiver {
    private enum Step {
        /// Fields before the file.
        case fields
        case connecting([ByteBuffer])
        case sending(IntakeSocket.Call)
        /// Nothing of the rest counts; it is read, as a browser shows no answer before it has sent everything.
        case dropping
    }

    /// The result: the answer of the intake or why there is none, with the fields of the form that came before it.
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

    /// - Parameter read: asks for more of the body.
    init(_ admission: RequestRules.Admission, _ intake: IntakeSocket, read: @escaping () -> Void) {
        (route, self.intake, self.read, length) = (admission.route.name, intake, read, admission.length)
        var most = 0
        if case .upload(let bytes) = admission.route.body { most = bytes }
        upload = Upload(boundary: admission.boundary, mostBytes: most)
        result = intake.loop.makePromise()
    }

    /// A part of the body.
    func take(_ bytes: ByteBuffer) {
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

    /// Whatever has come so far is dealt with: more may be read.
    func readMore() {
        switch step {
        case .connecting: break
        case .fields, .dropping: read()
        case .sending: if unsent == 0 { read() }
        }
    }

    /// The end of the body.
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

    /// The phone has gone: the intake sees half a file, and removes it.
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
        // The intake knows the length of the file, so nothing may come behind it.
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
        // Before the end of the body it can only be a refusal.
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
