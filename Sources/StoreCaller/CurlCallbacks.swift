import CCurl
import Glibc

// libcurl calls these on the thread that sends; each copies bytes out and returns.

nonisolated func receiveBody(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int,
    exchange: UnsafeMutableRawPointer?
) -> Int {
    unsafe receive(bytes, size * count, exchange) { unsafe $0.addBody($1) }
}

nonisolated func receiveHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int,
    exchange: UnsafeMutableRawPointer?
) -> Int {
    unsafe receive(bytes, size * count, exchange) { unsafe $0.addHeaderLine($1) }
}

/// Opens sockets that child processes do not inherit.
nonisolated func openSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype,
    address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address else { return -1 }
    return unsafe socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
}

/// A result other than `count` makes libcurl end the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ exchange: UnsafeMutableRawPointer?,
    _ add: (Exchange, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let exchange = unsafe exchange else { return -1 }
    let target = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    let isTaken = unsafe add(target, UnsafeRawBufferPointer(start: bytes, count: count))
    return isTaken ? count : -1
}
