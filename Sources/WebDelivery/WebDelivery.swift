internal import CCurl
internal import Glibc

/// Makes requests with a time limit, a size limit for the answer, and without following redirects.
public enum WebDelivery {
    /// The state of one request that libcurl's callbacks see.
    private final class Context {
        let address: WebAddress
        let mostBytes: Int
        let keepsBody: Bool
        var bytes = 0
        var body: [UInt8] = []
        var isForbidden = false

        init(_ address: WebAddress, mostBytes: Int, keepsBody: Bool) {
            self.address = address
            self.mostBytes = mostBytes
            self.keepsBody = keepsBody
        }

        var isCut: Bool { bytes > mostBytes }

        /// - Returns: the number of accepted bytes; fewer than given ends the transfer.
        func receive(_ piece: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            bytes += count
            guard !isCut else { return 0 }
            if keepsBody, let piece = unsafe piece {
                unsafe body.append(contentsOf: UnsafeRawBufferPointer(start: piece, count: count))
            }
            return count
        }
    }

    /// Makes the request and waits for its end, on the calling thread.
    /// - Returns: the status of the answer.
    public static func perform(_ request: WebRequest) throws(WebError) -> Int {
        try exchange(request, keepsBody: false).status
    }

    /// Makes the request and returns its answer with the body.
    public static func fetch(_ request: WebRequest) throws(WebError) -> WebAnswer {
        try exchange(request, keepsBody: true)
    }

    private static func exchange(
        _ request: WebRequest, keepsBody: Bool
    ) throws(WebError) -> WebAnswer {
        guard let address = WebAddress(request.url), let lines = request.headerLines else {
            throw .invalidRequest
        }
        guard adhand_curl_is_ready() else { throw .noLibrary }
        guard let curl = unsafe curl_easy_init() else { throw .library(CURLE_FAILED_INIT.rawValue) }
        defer { unsafe curl_easy_cleanup(curl) }
        let context = Context(address, mostBytes: request.limits.answerBytes, keepsBody: keepsBody)
        let raw = unsafe Unmanaged.passUnretained(context).toOpaque()
        var list: UnsafeMutablePointer<curl_slist>?
        defer { unsafe curl_slist_free_all(list) }
        // An empty Expect header keeps libcurl from asking, and waiting, before it sends a large body.
        for line in lines + ["Expect:"] {
            guard let longer = unsafe curl_slist_append(list, line) else {
                throw .library(CURLE_OUT_OF_MEMORY.rawValue)
            }
            unsafe list = unsafe longer
        }
        let wasSet = unsafe set(curl, request, address, list, raw)
        guard wasSet else { throw .invalidRequest }
        let code = withExtendedLifetime(context) { unsafe curl_easy_perform(curl) }
        let status = unsafe Int(adhand_curl_status(curl))
        // The write error is ours: the answer exceeded the limit and was cut off.
        if code == CURLE_OK || code == CURLE_WRITE_ERROR && context.isCut {
            guard status >= 200 else { throw .malformed }
            return WebAnswer(status: status, body: context.isCut ? nil : context.body)
        }
        throw context.isForbidden
            ? .plainToPublicAddress : error(code, system: unsafe Int32(adhand_curl_system_error(curl)))
    }

    private static func set(
        _ curl: UnsafeMutableRawPointer, _ request: WebRequest, _ address: WebAddress,
        _ headers: UnsafeMutablePointer<curl_slist>?, _ context: UnsafeMutableRawPointer
    ) -> Bool {
        func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded(.up)) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_FORBID_REUSE, 1),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            // Abandon a name look-up that hangs to its thread, instead of waiting for it.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.limits.connectSeconds)),
            (CURLOPT_TIMEOUT_MS, milliseconds(request.limits.wholeSeconds)),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
        ]
        var codes = numbers.map { unsafe adhand_curl_set_long(curl, $0.0, $0.1) }
        unsafe codes.append(adhand_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https"))
        unsafe codes.append(adhand_curl_set_text(curl, CURLOPT_URL, request.url))
        // Bypass proxies: a proxy could forward to public addresses, and its own address reveals nothing about them.
        if !address.isEncrypted { unsafe codes.append(adhand_curl_set_text(curl, CURLOPT_NOPROXY, "*")) }
        unsafe codes.append(adhand_curl_set_headers(curl, headers))
        if let body = request.body {
            unsafe body.withUnsafeBytes {
                unsafe codes.append(
                    adhand_curl_set_body(curl, $0.baseAddress ?? UnsafeRawPointer(curl), $0.count))
            }
        }
        unsafe codes.append(
            adhand_curl_set_writer(
                curl,
                { piece, size, count, raw in
                    guard let context = unsafe WebDelivery.context(raw) else { return 0 }
                    return unsafe context.receive(piece, size * count)
                }, context))
        unsafe codes.append(
            adhand_curl_set_opener(
                curl,
                { raw, _, address in
                    guard let context = unsafe WebDelivery.context(raw), let address = unsafe address else {
                        return -1
                    }
                    return unsafe WebDelivery.open(address, context)
                }, context))
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    private static func context(_ raw: UnsafeMutableRawPointer?) -> Context? {
        unsafe raw.map { unsafe Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Opens a socket for a permitted address; -1 for any other.
    private static func open(_ address: UnsafeMutablePointer<curl_sockaddr>, _ context: Context) -> Int32 {
        let family = unsafe address.pointee.family
        if !context.address.isEncrypted, !PlainAddressRule.allows(host: context.address.host) {
            let bytes = unsafe PlainAddressRule.bytes(family: family, &address.pointee.addr)
            guard let bytes, PlainAddressRule.allows(address: bytes) else {
                context.isForbidden = true
                return -1
            }
        }
        let type = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return unsafe socket(family, type, address.pointee.protocol)
    }

    private static func error(_ code: CURLcode, system: Int32) -> WebError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotFound
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_CONNECT: system == ECONNREFUSED ? .connectionRefused : .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .certificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: .encryption
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE: .connectionLost
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING: .malformed
        default: .library(code.rawValue)
        }
    }
}
