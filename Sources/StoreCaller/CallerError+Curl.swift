import CCurl

/// What libcurl gives for a line of the header that is longer than 100 KB; from 8.6 on, the other.
private let (longLine, tooLarge) = (CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100))

extension CallerError {
    /// The error for a libcurl result; `reason` is libcurl's own text.
    ///
    /// Results are listed in <https://curl.se/libcurl/c/libcurl-errors.html>.
    init(result: CURLcode, reason: String, request: CallerRequest) {
        let place = request.place
        switch result {
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED:
            self.init(
                code: .badURL,
                detail: "\"\(place)\" is not a usable address (\(reason))."
                    + " Give scheme, host, port and path, without a user name.")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT:
            self.init(
                code: [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT].contains(result)
                    ? .unreachable : .notTLS,
                detail: "No connection to \(place) (\(reason)). Check that the server is up and"
                    + " that the address is right.")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(
                code: .timedOut,
                detail: "No complete answer from \(place) in time (\(reason)). Retry later.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            self.init(
                code: .notTrusted,
                detail: "The certificate of \(place) could not be verified (\(reason)). Specify the"
                    + " file of the authority that signed it.")
        case CURLE_FILESIZE_EXCEEDED:
            self.init(tooLargeAnswerTo: request)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE,
            CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            longLine, tooLarge:
            self.init(
                code: Self.answerCode(result),
                detail: "\(place) did not answer with complete HTTP (\(reason)). Check that it is"
                    + " the right server, and retry.")
        default:
            self.init(
                code: .other,
                detail: "The call to \(place) failed (\(reason), libcurl \(result.rawValue)).")
        }
    }

    private static func answerCode(_ result: CURLcode) -> Code {
        switch result {
        case CURLE_GOT_NOTHING: .notAnswered
        case CURLE_PARTIAL_FILE: .incompleteAnswer
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: .connectionLost
        default: .badAnswer
        }
    }

    static var notStarted: CallerError {
        CallerError(code: .other, detail: "libcurl could not be started. Is there enough memory?")
    }

    init(tooLargeAnswerTo request: CallerRequest) {
        self.init(
            code: .answerTooLarge,
            detail: "The answer from \(request.place) is longer than \(request.responseBodyMax)"
                + " bytes and was not read. Request less.")
    }

    init(longHeadersFrom request: CallerRequest, max: Int) {
        self.init(
            code: .badAnswer,
            detail: "The header of the answer from \(request.place) is longer than \(max) bytes.")
    }

    init(refused address: String, of request: CallerRequest) {
        self.init(
            code: .addressRefused,
            detail: "The address \(address) of \(request.place) is private and was refused. Use a"
                + " host on the public internet, or allow private addresses.")
    }

    init(cancelled request: CallerRequest) {
        self.init(code: .cancelled, detail: "The call to \(request.place) was cancelled.")
    }
}
