import CCurl

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
                detail: "\"\(place)\" is not an address that can be called (\(reason))."
                    + " Give scheme, host, port and path, without a user name.")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR:
            self.init(
                code: .unreachable,
                detail: "No connection to \(place) (\(reason)). Check that the server runs and"
                    + " that the address is right.")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(
                code: .timedOut,
                detail: "No whole answer from \(place) in time (\(reason)). Ask again later.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            self.init(
                code: .notTrusted,
                detail: "The certificate of \(place) could not be checked (\(reason)). Give the"
                    + " file of the authority that signed it.")
        case CURLE_FILESIZE_EXCEEDED:
            self.init(tooLargeAnswerTo: request)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE,
            CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            self.init(
                code: .badAnswer,
                detail: "\(place) did not answer with whole HTTP (\(reason)). Check that it is"
                    + " the server you mean, and ask again.")
        default:
            self.init(
                code: .other,
                detail: "The call to \(place) failed (\(reason), libcurl \(result.rawValue)).")
        }
    }

    init(tooLargeAnswerTo request: CallerRequest) {
        self.init(
            code: .answerTooLarge,
            detail: "The answer of \(request.place) is longer than \(request.responseBodyMax)"
                + " bytes and was not read. Ask for less.")
    }

    init(longHeadersFrom request: CallerRequest, max: Int) {
        self.init(
            code: .badAnswer,
            detail: "The header of \(request.place)'s answer is longer than \(max) bytes.")
    }

    init(cancelled request: CallerRequest) {
        self.init(code: .cancelled, detail: "The call to \(request.place) was cancelled.")
    }
}
