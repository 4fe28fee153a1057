#!/usr/bin/env python3
"""A person at a terminal, for tests of programs with a screen.

    play.py [--size COLUMNSxROWS] STEPS PROGRAM [ARGUMENT...]

Runs the program on a pseudo-terminal, feeds what it writes to a terminal emulator (pyte), and does
the steps of the file STEPS, one a line:

    wait TEXT          until the screen shows the text
    gone TEXT          until the screen does not show the text
    type TEXT          types it, as it is
    key NAME           presses up, down, left, right, enter, tab, escape or ctrl-LETTER
    resize COLSxROWS   makes the terminal another size
    silent             until the terminal does not show what is typed
    colourless         checks that no colour was used so far
    signal NAME        sends the program a signal: TERM, HUP, INT
    screen             prints the screen
    picture FILE       draws the screen as SVG
    plain              until the terminal is as it was at the start: modes, cursor, screen
    end CODE           until the program has ended so

Ends with 0 when every step did what it should, else with 1, the step and the screen.
"""

import argparse
import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import time

import pyte

from picture import picture

SECONDS_MAX = 60.0
KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "enter": "\r", "tab": "\t", "escape": "\x1b",
}


class Wrong(Exception):
    """A step that did not do what it should."""


class Emulator(pyte.Screen):
    """Notes what pyte does not: whether the program uses the second screen."""

    has_own_screen = False

    def set_mode(self, *modes, **kwargs):
        if kwargs.get("private") and 1049 in modes:
            self.has_own_screen = True
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes, **kwargs):
        if kwargs.get("private") and 1049 in modes:
            self.has_own_screen = False
            self.erase_in_display(2)
        super().reset_mode(*modes, **kwargs)


class Terminal:
    def __init__(self, command, columns, rows):
        self.screen = Emulator(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.code = None
        self.written = b""
        # The other end stays open here, too, so that its modes can be read after the program ended.
        self.master, self.other = os.openpty()
        self.set_size(columns, rows)
        self.modes = termios.tcgetattr(self.other)
        self.child = os.fork()
        if self.child == 0:
            os.close(self.master)
            login_tty(self.other)
            os.execv(command[0], command)

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self, seconds):
        """Shows what the program wrote, waiting so long for it."""
        if select.select([self.master], [], [], seconds)[0]:
            self.written += (new := os.read(self.master, 65536))
            self.stream.feed(new)
        if self.code is None:
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                self.code = os.waitstatus_to_exitcode(status)

    def until(self, condition, sentence):
        end = time.monotonic() + SECONDS_MAX
        while not condition():
            if time.monotonic() > end:
                raise Wrong(sentence)
            self.take(0.05)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, text):
        os.write(self.master, text.encode())

    def is_silent(self):
        return not termios.tcgetattr(self.other)[3] & termios.ECHO

    def is_plain(self):
        self.take(0)
        return (
            termios.tcgetattr(self.other)[:4] == self.modes[:4]
            and not self.screen.cursor.hidden
            and not self.screen.has_own_screen
            and self.screen.margins is None
        )


def login_tty(file):
    os.setsid()
    fcntl.ioctl(file, termios.TIOCSCTTY, 0)
    for number in (0, 1, 2):
        os.dup2(file, number)
    if file > 2:
        os.close(file)


def size(text):
    columns, rows = text.split("x")
    return int(columns), int(rows)


def do(terminal, step):
    verb, _, rest = step.partition(" ")
    if verb == "wait":
        terminal.until(lambda: rest in terminal.text(), "it never appeared")
    elif verb == "gone":
        terminal.until(lambda: rest not in terminal.text(), "it stayed")
    elif verb == "type":
        terminal.type(rest)
    elif verb == "key" and rest.startswith("ctrl-"):
        terminal.type(chr(ord(rest[-1]) & 0x1F))
    elif verb == "key":
        terminal.type(KEYS[rest])
    elif verb == "resize":
        columns, rows = size(rest)
        terminal.screen.resize(rows, columns)
        terminal.set_size(columns, rows)
    elif verb == "silent":
        terminal.until(terminal.is_silent, "it shows what is typed")
    elif verb == "colourless":
        if re.search(rb"\x1b\[(3|4|9|10)[0-9]", terminal.written):
            raise Wrong("there were colours")
    elif verb == "signal":
        os.kill(terminal.child, getattr(signal, "SIG" + rest))
    elif verb == "screen":
        print(terminal.text(), end="\n\n", flush=True)
    elif verb == "picture":
        with open(rest, "w", encoding="utf-8") as file:
            file.write(picture(terminal.screen))
    elif verb == "plain":
        terminal.until(terminal.is_plain, "the terminal is not as it was")
    elif verb == "end":
        terminal.until(lambda: terminal.code is not None, "the program goes on")
        if terminal.code != int(rest):
            raise Wrong(f"it ended with {terminal.code}")
    else:
        raise Wrong("there is no such step")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--size", default="80x24", type=size)
    parser.add_argument("steps")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with open(options.steps, encoding="utf-8") as file:
        steps = file.read().splitlines()
    terminal = Terminal(options.command, *options.size)
    try:
        for step in steps:
            try:
                do(terminal, step)
            except Wrong as wrong:
                print(f"step \"{step}\": {wrong}; the screen:\n{terminal.text()}")
                return 1
        return 0
    finally:
        if terminal.code is None:
            os.kill(terminal.child, signal.SIGKILL)
            os.waitpid(terminal.child, 0)


if __name__ == "__main__":
    sys.exit(main())
