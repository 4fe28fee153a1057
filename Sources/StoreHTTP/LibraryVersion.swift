import CMicroHTTPD

/// The version of libmicrohttpd in use, such as `0.9.75`.
package var listenerLibraryVersion: String {
    unsafe String(cString: MHD_get_version())
}

/// Whether headers with bare line feeds, folded lines or NUL bytes are refused, which requires a
/// version of libmicrohttpd whose parsing is known.
package var listenerJudgesLines: Bool { HeaderLayout.isKnown }

/// Whether libmicrohttpd was built with TLS, as Debian's is.
package var listenerSpeaksTLS: Bool { MHD_is_feature_supported(.FEATURE_TLS) == .YES }

/// Why it is impossible to listen at an address now, in a sentence; nil when it is possible.
package func listeningProblem(host: String, port: Int) -> String? {
    do {
        try ListeningSocket(host: host, port: port).close()
        return nil
    } catch {
        return error.detail
    }
}
