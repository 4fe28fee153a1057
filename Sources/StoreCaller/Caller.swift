/// Sends requests over HTTP and HTTPS and waits for their answers, keeping connections.
///
/// Certificates are always checked, redirects are answers like others, and proxies named in the
/// environment are not used. Calls block, so they belong on threads of the caller's own. A kept
/// connection that turns out closed is replaced and the request sent on the new one, so what must
/// not happen twice needs an identifier in the request.
package final class Caller: Sendable {
    private let pool = HandlePool()
    private let certificateAuthorityFile: String?

    /// `certificateAuthorityFile` is a PEM file used instead of the system's authorities.
    package init(certificateAuthorityFile: String? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    /// The answer, whatever its status; throws when none came whole and in time.
    package func send(
        _ request: CallerRequest, cancellation: CallCancellation? = nil
    ) throws(CallerError) -> CallerResponse {
        try request.check()
        if cancellation?.isCancelled == true { throw CallerError(cancelled: request) }
        let handle = try pool.take()
        defer { pool.giveBack(handle) }
        return try handle.send(
            request, certificateAuthorityFile: certificateAuthorityFile,
            cancellation: cancellation)
    }
}
