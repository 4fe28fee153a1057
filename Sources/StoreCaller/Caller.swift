/// Sends requests over HTTP and HTTPS and waits for their answers, keeping connections.
///
/// Certificates are always checked, redirects are answers like any others, and proxies named in the
/// environment are not used. Calls block, so they belong on the caller's own threads. A kept-alive
/// connection that turns out to be closed is replaced and the request sent on the new one, so
/// requests that must not take effect twice need an identifier.
package final class Caller: Sendable {
    private let pool = HandlePool()
    /// For requests that refuse private addresses: a kept connection is not opened again, so it
    /// must come from a request that refused them, too.
    private let publicPool = HandlePool()
    private let certificateAuthorityFile: String?

    /// `certificateAuthorityFile` is a PEM file used instead of the system's authorities.
    package init(certificateAuthorityFile: String? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    /// The answer, whatever its status; throws when none arrived completely and in time.
    package func send(
        _ request: CallerRequest, cancellation: CallCancellation? = nil
    ) throws(CallerError) -> CallerResponse {
        try request.check()
        if cancellation?.isCancelled == true { throw CallerError(cancelled: request) }
        let pool = request.refusesPrivateAddresses ? publicPool : pool
        let handle = try pool.take()
        defer { pool.giveBack(handle) }
        return try handle.send(
            request, certificateAuthorityFile: certificateAuthorityFile,
            cancellation: cancellation)
    }
}
