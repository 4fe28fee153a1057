// Saves a terminal's modes while a password is typed, and restores them however the process ends:
// by itself, by exit(), or by a signal. Only SIGKILL and _exit() leave the echo off.
#include "include/CStoreKit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <termios.h>

static const int ending_signals[] = {SIGTERM, SIGHUP, SIGINT};
enum { ending_signals_count = sizeof ending_signals / sizeof ending_signals[0] };

static struct termios saved_modes;
static int saved_file;
static struct sigaction before[ending_signals_count];
static atomic_int is_handled[ending_signals_count];
// Written last when hiding and taken first when showing: the thread that takes it restores the
// modes.
static atomic_int is_hidden;

// Async-signal-safe: tcsetattr, pthread_sigmask and lock-free atomics.
static void put_back(int how) {
    if (!atomic_exchange(&is_hidden, 0)) return;
    // A background process would be stopped for changing its terminal.
    sigset_t stop, old;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &old);
    while (tcsetattr(saved_file, how, &saved_modes) != 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &old, 0);
}

static void end_by_signal(int number) {
    int error = errno;
    put_back(TCSANOW);
    for (int i = 0; i < ending_signals_count; i++) {
        if (ending_signals[i] == number) {
            // The signal takes its original effect as soon as this handler returns.
            if (atomic_exchange(&is_handled[i], 0)) sigaction(number, &before[i], 0);
            raise(number);
        }
    }
    errno = error;
}

static void end_by_exit(void) { put_back(TCSANOW); }

static void take_signals(void) {
    for (int i = 0; i < ending_signals_count; i++) {
        struct sigaction mine = {0};
        mine.sa_handler = end_by_signal;
        sigfillset(&mine.sa_mask);
        if (sigaction(ending_signals[i], 0, &before[i]) != 0) continue;
        // A signal that the app ignores does not end it.
        int is_ignored = !(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_IGN;
        if (is_ignored) continue;
        atomic_store(&is_handled[i], 1);
        if (sigaction(ending_signals[i], &mine, 0) != 0) atomic_store(&is_handled[i], 0);
    }
}

static void give_signals_back(void) {
    for (int i = 0; i < ending_signals_count; i++) {
        if (!atomic_exchange(&is_handled[i], 0)) continue;
        struct sigaction now;
        // A handler that the app has installed meanwhile stays.
        if (sigaction(ending_signals[i], 0, &now) == 0 && now.sa_handler == end_by_signal)
            sigaction(ending_signals[i], &before[i], 0);
    }
}

static void register_exit(void) { atexit(end_by_exit); }

int storekit_terminal_hide(int file) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    // Only one sheet is open at a time; a second terminal is not hidden.
    if (atomic_load(&is_hidden) || tcgetattr(file, &saved_modes) != 0) return -1;
    pthread_once(&once, register_exit);
    struct termios silent = saved_modes;
    silent.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    saved_file = file;
    take_signals();
    atomic_store(&is_hidden, 1);
    if (tcsetattr(file, TCSAFLUSH, &silent) == 0) return 0;
    storekit_terminal_show();
    return -1;
}

void storekit_terminal_show(void) {
    put_back(TCSAFLUSH);
    give_signals_back();
}

int storekit_terminal_is_hidden(void) { return atomic_load(&is_hidden); }
