import CCurl
import Glibc

// libcurl calls these on the thread that drives the transfer; each copies bytes out and returns.

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

/// Opens sockets that child processes do not inherit, to addresses that the request allows.
///
/// This is the address that libcurl connects to next, so a name cannot get around the check by
/// resolving to another address later.
nonisolated func openSocket(
    exchange: UnsafeMutableRawPointer?, purpose: curlsocktype,
    address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let exchange = unsafe exchange, let address = unsafe address else { return -1 }
    let target = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    guard target.mayConnect(to: unsafe hostAddress(address)) else { return -1 }
    return unsafe socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
}

nonisolated func watchSocket(
    easy: UnsafeMutableRawPointer?, socket: curl_socket_t, what: Int32,
    pool: UnsafeMutableRawPointer?, known: UnsafeMutableRawPointer?
) -> Int32 {
    guard let pool = unsafe pool else { return -1 }
    unsafe Unmanaged<LoopPool>.fromOpaque(pool).takeUnretainedValue().watch(socket, for: what)
    return 0
}

nonisolated func setTimer(
    multi: UnsafeMutableRawPointer?, milliseconds: Int, pool: UnsafeMutableRawPointer?
) -> Int32 {
    guard let pool = unsafe pool else { return -1 }
    unsafe Unmanaged<LoopPool>.fromOpaque(pool).takeUnretainedValue()
        .setTimer(milliseconds: milliseconds)
    return 0
}

/// The bytes of an IPv4 or IPv6 address without its port; none of another kind.
private func hostAddress(_ address: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8] {
    // libcurl keeps the whole address where the declaration has only its shortest form.
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return [] }
    let start = unsafe UnsafeRawPointer(address) + offset
    switch unsafe address.pointee.family {
    case AF_INET:
        let full = unsafe start.loadUnaligned(as: sockaddr_in.self)
        return unsafe withUnsafeBytes(of: full.sin_addr) { unsafe Array($0) }
    case AF_INET6:
        let full = unsafe start.loadUnaligned(as: sockaddr_in6.self)
        return unsafe withUnsafeBytes(of: full.sin6_addr) { unsafe Array($0) }
    default: return []
    }
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
