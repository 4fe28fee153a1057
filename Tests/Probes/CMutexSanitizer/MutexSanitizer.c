// Tells the thread sanitizer what a contended Mutex does.
//
// Programs contain the short way into and out of Swift's Mutex, which the sanitizer therefore sees.
// The long way, for threads that have to wait, is in libswiftSynchronization, which is built without
// it. These functions take the place of the library's, and call them. Without the sanitizer this
// file is empty.

#if defined(__has_feature) && __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Synchronization._MutexHandle._lockSlow(_: UInt32), _tryLockSlow() -> Bool, _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool tryLock(SELF mutex) __asm__(TRY_LOCK);
SWIFT void unlock(SELF mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF mutex) {
    SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool tryLock(SELF mutex) {
    SWIFT bool (*original)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool isLocked = original(mutex);
    if (isLocked) __tsan_acquire(mutex);
    return isLocked;
}

SWIFT void unlock(SELF mutex) {
    SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(mutex);
    original(mutex);
}

#endif
