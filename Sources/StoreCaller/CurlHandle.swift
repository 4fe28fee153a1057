import CCurl

/// One libcurl transfer at a time, and the connections kept between transfers.
///
/// Unchecked because the pool hands it to one thread at a time; only `wake()` is called from other
/// threads, which `curl_multi_wakeup` supports.
@safe
final class CurlHandle: @unchecked Sendable {
    /// One handle keeps at most this many connections open.
    private static let connectionsMax = 4
    /// The maximum length of one wait without news. libcurl's time-outs end a wait earlier.
    private static let waitMilliseconds: Int32 = 1_000

    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init?() {
        guard let easy = unsafe curl_easy_init() else { return nil }
        guard let multi = unsafe curl_multi_init() else {
            unsafe curl_easy_cleanup(easy)
            return nil
        }
        unsafe self.easy = unsafe easy
        unsafe self.multi = unsafe multi
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = unsafe curl_shim_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.connectionsMax)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        _ = unsafe curl_multi_cleanup(multi)
        unsafe errorText.deallocate()
    }

    func send(
        _ request: CallerRequest, certificateAuthorityFile: String?,
        cancellation: CallCancellation?
    ) throws(CallerError) -> CallerResponse {
        let exchange = Exchange(bodyMax: request.responseBodyMax)
        let headers = try HeaderList(request)
        // Resets every option and pointer of this call; connections stay.
        defer { unsafe curl_easy_reset(easy) }
        let prepared = withExtendedLifetime((exchange, headers)) {
            var result = configure(request, certificateAuthorityFile: certificateAuthorityFile)
            if result == CURLE_OK { result = unsafe headers.lend(to: easy) }
            if result == CURLE_OK { result = connect(to: exchange) }
            return result == CURLE_OK
                ? withoutPipeSignal { transfer(cancellation) } : .finished(result)
        }
        return try answer(to: request, outcome: prepared, exchange: exchange)
    }

    private enum Outcome {
        case finished(CURLcode)
        case cancelled
    }

    private func transfer(_ cancellation: CallCancellation?) -> Outcome {
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return .finished(CURLE_FAILED_INIT)
        }
        defer { _ = unsafe curl_multi_remove_handle(multi, easy) }
        guard let cancellation else { return runLoop { false } }
        return cancellation.withWaker({ [self] in wake() }) {
            runLoop { cancellation.isCancelled }
        }
    }

    private func runLoop(isCancelled: () -> Bool) -> Outcome {
        while true {
            var running: Int32 = 0
            guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else {
                return .finished(CURLE_FAILED_INIT)
            }
            if running == 0 { return .finished(result()) }
            if isCancelled() { return .cancelled }
            _ = unsafe curl_multi_poll(multi, nil, 0, Self.waitMilliseconds, nil)
        }
    }

    private func result() -> CURLcode {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            if unsafe message.pointee.msg == CURLMSG_DONE {
                return unsafe message.pointee.data.result
            }
        }
        return CURLE_FAILED_INIT
    }

    private func wake() {
        _ = unsafe curl_multi_wakeup(multi)
    }

    private func answer(
        to request: CallerRequest, outcome: Outcome, exchange: Exchange
    ) throws(CallerError) -> CallerResponse {
        guard case .finished(let result) = outcome else {
            throw CallerError(cancelled: request)
        }
        if exchange.isBodyTooLong { throw CallerError(tooLargeAnswerTo: request) }
        if exchange.isHeaderTooLong {
            throw CallerError(longHeadersFrom: request, max: Exchange.headerBytesMax)
        }
        guard result == CURLE_OK else {
            throw CallerError(result: result, reason: reason(result), request: request)
        }
        var status = 0
        _ = unsafe curl_shim_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return CallerResponse(status: status, headers: exchange.headers, body: exchange.body)
    }

    private func reason(_ result: CURLcode) -> String {
        let text = unsafe String(cString: errorText)
        return text.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : text
    }
}

// MARK: - Options

extension CurlHandle {
    private func configure(
        _ request: CallerRequest, certificateAuthorityFile: String?
    ) -> CURLcode {
        unsafe errorText.pointee = 0
        var options = unsafe Options(easy: easy)
        unsafe options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        options.set(CURLOPT_URL, request.url)
        options.allowHTTPOnly()
        options.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_PROXY, "")
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.connectTimeoutMilliseconds))
        options.set(CURLOPT_TIMEOUT_MS, max(1, request.timeoutMilliseconds))
        options.set(CURLOPT_MAXFILESIZE_LARGE, offset: request.responseBodyMax)
        if request.isAlone {
            options.set(CURLOPT_FRESH_CONNECT, 1)
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let certificateAuthorityFile {
            options.set(CURLOPT_CAINFO, certificateAuthorityFile)
            options.set(CURLOPT_CAPATH, nil)
        }
        options.setMethod(request.method, body: request.body)
        return options.result
    }

    private func connect(to exchange: Exchange) -> CURLcode {
        let target = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        var options = unsafe Options(easy: easy)
        options.setCallbacks()
        unsafe options.set(CURLOPT_WRITEDATA, pointer: target)
        unsafe options.set(CURLOPT_HEADERDATA, pointer: target)
        return options.result
    }
}
