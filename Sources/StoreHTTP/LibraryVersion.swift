import CMicroHTTPD
import Glibc

/// The version of libmicrohttpd that this program runs with, such as `0.9.75`.
package var listenerLibraryVersion: String {
    unsafe String(cString: MHD_get_version())
}

/// Whether heads with bare line feeds, folded lines or NUL bytes are refused, which takes a version
/// of libmicrohttpd whose way of parsing is known.
package var listenerJudgesLines: Bool { HeaderLayout.isKnown }

/// Why nobody can listen at an address now, in a sentence; nil when a program could.
package func listeningProblem(host: String, port: Int) -> String? {
    do {
        let listening = try ListeningSocket(host: host, port: port)
        close(listening.descriptor)
        return nil
    } catch {
        return error.detail
    }
}
