import CCurl
import Glibc

/// Runs `body` so that writing to a closed connection is an error and does not end the process.
///
/// libcurl before 7.88 writes TLS through `write`, which raises SIGPIPE. Blocking it on this
/// thread alone leaves the program's own handling as it is.
func withoutPipeSignal<Value>(_ body: () -> Value) -> Value {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
        if !wasPending {
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            while unsafe sigtimedwait(&pipe, nil, &now) == -1, errno == EINTR {}
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return body()
}
