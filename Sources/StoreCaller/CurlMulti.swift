import CCurl

/// A libcurl multi handle: transfers under way, and the connections kept between them.
///
/// One thread at a time may use it, except for `wake()`.
@safe
final class CurlMulti {
    /// The maximum length of one wait without news. libcurl's time-outs end a wait earlier.
    private static let waitMilliseconds: Int32 = 1_000

    private let multi: UnsafeMutableRawPointer

    /// Keeps at most `connectionsMax` connections open.
    init?(connectionsMax: Int) {
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        _ = unsafe curl_shim_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connectionsMax)
        // The other alone lets connections in use take the count beyond it. A transfer never waits
        // for this, because there are no more transfers than connections allowed.
        _ = unsafe curl_shim_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connectionsMax)
    }

    deinit { _ = unsafe curl_multi_cleanup(multi) }

    func add(_ easy: EasyHandle) -> Bool { unsafe easy.join(multi) }

    func remove(_ easy: EasyHandle) { unsafe easy.leave(multi) }

    /// The transfers that have ended since the last time, which are still to be removed.
    func finished() -> [(id: UInt, result: CURLcode)] {
        var finished: [(id: UInt, result: CURLcode)] = []
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            unsafe finished.append(
                (UInt(bitPattern: message.pointee.easy_handle), message.pointee.data.result))
        }
        return finished
    }
}

// MARK: - A thread that waits for one transfer

extension CurlMulti {
    /// Does what can be done without waiting; returns how many transfers are still running, nil
    /// when none can be.
    func perform() -> Int32? {
        var running: Int32 = 0
        return unsafe curl_multi_perform(multi, &running) == CURLM_OK ? running : nil
    }

    /// Waits until `perform()` has something to do or `wake()` is called.
    func wait() {
        _ = unsafe curl_multi_poll(multi, nil, 0, Self.waitMilliseconds, nil)
    }

    /// Ends a wait, from any thread.
    func wake() {
        _ = unsafe curl_multi_wakeup(multi)
    }
}

// MARK: - A loop that waits for many

extension CurlMulti {
    /// Reports which sockets to watch and when time is up to a `LoopPool`, or to nobody.
    func report(to pool: UnsafeMutableRawPointer?) {
        _ = unsafe curl_shim_multi_set_watcher(multi, pool == nil ? nil : watchSocket, pool)
        _ = unsafe curl_shim_multi_set_timer(multi, pool == nil ? nil : setTimer, pool)
    }

    func act(on socket: curl_socket_t, isReadable: Bool, isWritable: Bool) {
        var running: Int32 = 0
        let events =
            (isReadable ? CURL_CSELECT_IN : 0) | (isWritable ? CURL_CSELECT_OUT : 0)
        _ = unsafe curl_multi_socket_action(multi, socket, events, &running)
    }

    func actOnTime() {
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
    }
}
