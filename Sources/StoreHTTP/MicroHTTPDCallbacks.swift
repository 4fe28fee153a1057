import CMicroHTTPD
import Glibc
import Synchronization

// libmicrohttpd calls these on its own threads; each copies bytes out and returns.

/// Called at the request line: creates the exchange that libmicrohttpd keeps for the request.
nonisolated func requestBegan(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let target = unsafe target,
        let connection = unsafe connection
    else { return nil }
    let door = unsafe Unmanaged<ListenerDoor>.fromOpaque(context).takeUnretainedValue()
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: target, count: strlen(target)))
    let exchange = unsafe Exchange(
        core: door.core, connection: connection, targetBytes: bytes,
        targetAddress: UInt(bitPattern: target))
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Called at the header, a part of the body, the end of the request, and its resumption.
nonisolated func requestMoved(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    bytes: UnsafePointer<CChar>?, count: UnsafeMutablePointer<Int>?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let pointer = unsafe state?.pointee, let count = unsafe count,
        let connection = unsafe connection, let method = unsafe method,
        let version = unsafe version
    else { return .NO }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if exchange.isNew {
        var layout = unsafe HeaderLayout(
            method: method, methodCount: strlen(method), targetAddress: exchange.targetAddress,
            targetCount: exchange.targetBytes.count, version: version,
            versionCount: strlen(version))
        let fields = unsafe headers(of: connection, &layout)
        return unsafe exchange.begin(
            method: String(cString: method), version: String(cString: version), headers: fields,
            isPlain: layout.isPlain || !HeaderLayout.isKnown)
    }
    guard unsafe count.pointee > 0 else { return exchange.complete() }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    unsafe count.pointee = 0
    return unsafe exchange.receive(piece)
}

/// Called when the answer is sent or the connection is gone: releases the exchange.
nonisolated func requestEnded(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let pointer = unsafe state?.pointee else { return }
    unsafe state?.pointee = nil
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    exchange.end(isWhole: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}

/// Called when a client wants to connect: a listener that stops closes its connection at once.
///
/// `MHD_quiesce_daemon` would refuse it, but ends the process when the daemon's own threads come first
/// to take the socket out of their epoll sets ("Failed to remove listen FD from epoll set").
nonisolated func connectionCame(
    context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
    guard let context = unsafe context else { return .NO }
    let door = unsafe Unmanaged<ListenerDoor>.fromOpaque(context).takeUnretainedValue()
    return door.core.isStopping.load(ordering: .sequentiallyConsistent) ? .NO : .YES
}

/// Called when a client has connected, and before its connection is closed.
nonisolated func connectionMoved(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, what: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection,
        let state = unsafe state
    else { return }
    let door = unsafe Unmanaged<ListenerDoor>.fromOpaque(context).takeUnretainedValue()
    if what == .CONNECTION_NOTIFY_STARTED {
        let watched = WatchedConnection(
            descriptor: unsafe mhd_shim_socket(connection), number: door.core.nextConnection(),
            isEncrypted: door.isEncrypted)
        door.watch.add(watched)
        unsafe state.pointee = unsafe Unmanaged.passRetained(watched).toOpaque()
    } else if let pointer = unsafe state.pointee {
        unsafe state.pointee = nil
        door.watch.remove(
            unsafe Unmanaged<WatchedConnection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// The state that `connectionMoved` keeps for a connection.
func watchedConnection(_ connection: OpaquePointer) -> WatchedConnection? {
    guard let pointer = unsafe mhd_shim_socket_context(connection) else { return nil }
    return unsafe Unmanaged<WatchedConnection>.fromOpaque(pointer).takeUnretainedValue()
}

/// The fields read, and their positions.
private struct FoundFields {
    var headers = HTTPHeaders()
    var layout: HeaderLayout
}

private func headers(
    of connection: OpaquePointer, _ layout: inout HeaderLayout
) -> HTTPHeaders {
    var found = FoundFields(layout: layout)
    _ = unsafe withUnsafeMutablePointer(to: &found) { target in
        unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, addHeader, target)
    }
    unsafe found.layout.finish(headerCount: mhd_shim_header_size(connection))
    layout = found.layout
    return found.headers
}

private nonisolated func addHeader(
    target: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?,
    nameCount: Int, value: UnsafePointer<CChar>?, valueCount: Int
) -> MHD_Result {
    guard let target = unsafe target else { return .NO }
    let nameBytes = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
    let valueBytes = unsafe UnsafeRawBufferPointer(start: value, count: valueCount)
    let found = unsafe target.assumingMemoryBound(to: FoundFields.self)
    unsafe found.pointee.headers.add(
        String(decoding: nameBytes, as: UTF8.self), String(decoding: valueBytes, as: UTF8.self))
    if let name = unsafe name, let value = unsafe value {
        unsafe found.pointee.layout.take(name: name, value: value, valueCount: valueCount)
    }
    return .YES
}
