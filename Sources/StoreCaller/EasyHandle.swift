import CCurl

/// One transfer of libcurl: set up for a request, then read for its answer, then reused.
///
/// `Caller` and `CallerLoop` differ in how they wait for transfers, not in what is in here. One
/// thread at a time may use it.
@safe
final class EasyHandle {
    private let easy: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var call: Call?

    /// What libcurl points to while a call is under way.
    private struct Call {
        let request: CallerRequest
        let exchange: Exchange
        let headers: HeaderList
    }

    init?() {
        guard isCurlReady, let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe errorText.deallocate()
    }

    /// Tells the transfers of a multi handle apart.
    var id: UInt { unsafe UInt(bitPattern: easy) }

    /// Sets the handle up; `reset()` must follow the call, whether it was made or not.
    func prepare(
        _ request: CallerRequest, certificateAuthorityFile: String?
    ) throws(CallerError) {
        let call = Call(
            request: request, exchange: Exchange(request),
            headers: try HeaderList(request))
        self.call = call
        var result = configure(request, certificateAuthorityFile: certificateAuthorityFile)
        if result == CURLE_OK { result = unsafe call.headers.lend(to: easy) }
        if result == CURLE_OK { result = connect(to: call.exchange) }
        guard result == CURLE_OK else { throw failure(result, of: request) }
    }

    /// The answer after a transfer that ended with `result`.
    func answer(_ result: CURLcode) throws(CallerError) -> CallerResponse {
        guard let call else { preconditionFailure("An answer was read before its call.") }
        let exchange = call.exchange
        if exchange.isBodyTooLong, !exchange.isCut {
            throw CallerError(tooLargeAnswerTo: call.request)
        }
        if exchange.isHeaderTooLong {
            throw CallerError(longHeadersFrom: call.request, max: Exchange.headerBytesMax)
        }
        if result == CURLE_COULDNT_CONNECT, let address = exchange.refusedAddress {
            throw CallerError(refused: address, of: call.request)
        }
        // libcurl takes a cut as an error, so it closes the connection.
        guard result == CURLE_OK || exchange.isCut else {
            throw failure(result, of: call.request)
        }
        var status = 0
        _ = unsafe curl_shim_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return CallerResponse(
            status: status, headers: exchange.headers, body: exchange.body,
            isCut: exchange.isCut)
    }

    /// Takes back every option and pointer of the call; connections belong to the multi handle and
    /// stay.
    func reset() {
        unsafe curl_easy_reset(easy)
        call = nil
    }

    func join(_ multi: UnsafeMutableRawPointer) -> Bool {
        unsafe curl_multi_add_handle(multi, easy) == CURLM_OK
    }

    /// Ends the transfer if it is still running.
    func leave(_ multi: UnsafeMutableRawPointer) {
        _ = unsafe curl_multi_remove_handle(multi, easy)
    }

    private func failure(_ result: CURLcode, of request: CallerRequest) -> CallerError {
        let text = unsafe String(cString: errorText)
        let reason = text.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : text
        return CallerError(result: result, reason: reason, request: request)
    }
}

// MARK: - Options

extension EasyHandle {
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
        if !request.cutsLongAnswers {
            options.set(CURLOPT_MAXFILESIZE_LARGE, offset: request.responseBodyMax)
        }
        if request.isAlone {
            options.set(CURLOPT_FRESH_CONNECT, 1)
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.trust(request.certificateAuthority, or: certificateAuthorityFile)
        options.setMethod(request.method, body: request.body)
        return options.result
    }

    private func connect(to exchange: Exchange) -> CURLcode {
        let target = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        var options = unsafe Options(easy: easy)
        options.setCallbacks()
        unsafe options.set(CURLOPT_WRITEDATA, pointer: target)
        unsafe options.set(CURLOPT_HEADERDATA, pointer: target)
        unsafe options.set(CURLOPT_OPENSOCKETDATA, pointer: target)
        return options.result
    }
}

/// libcurl must be initialized by one thread before any use; a global is created once.
private let isCurlReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
