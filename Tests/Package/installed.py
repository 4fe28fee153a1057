#!/usr/bin/env python3
"""Installs a package of bodega in the folder of a bare Debian, and uses it there as a person would.

  installed.py install ROOT PACKAGE          as the Containerfile does
  installed.py judge ROOT PACKAGE NEWER      serves, removes, installs over data, upgrades, purges
"""

import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "Pages"))
from customer import buy, request  # noqa: E402

BUNDLE = "com.example.rocketcar"
STORE = "http://127.0.0.1:8080"
DATA = "var/lib/bodega"
STARTED_SECONDS_MAX = 60


class Containerfile:
    """Its instructions, each by its name."""

    def __init__(self, text):
        self.lines = [line.split(" ", 1) for line in text.splitlines()
                      if line and not line.startswith("#")]
        assert {name for name, _ in self.lines} <= {
            "FROM", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT",
            "CMD"}, "an instruction that this test does not know"

    def all(self, name):
        return [value for found, value in self.lines if found == name]

    def command(self, name):
        return json.loads(self.all(name)[0].partition("CMD ")[2] or self.all(name)[0])


class Debian:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    def run(self, *words, user=None, variables=None, fails=False):
        result = subprocess.run(self.command(words, user, variables), capture_output=True, text=True)
        if (result.returncode != 0) != fails:
            raise SystemExit(f"{words}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def command(self, words, user=None, variables=None):
        """With only these variables, as a user who can become nobody else."""
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups",
                  "--no-new-privs", "--bounding-set=-all"] if user else []
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        told = [f"{name}={value}" for name, value in (variables or {}).items()]
        return ["chroot", str(self.root), *become, "env", "-i", path, *told, *words]

    def dpkg(self, *words):
        self.run("dpkg", *words, variables={"DEBIAN_FRONTEND": "noninteractive"})

    def has(self, path):
        return (self.root / path).exists()


class SystemCalls:
    """What a unit's SystemCallFilter refuses of the calls of its program, which strace watches."""

    def __init__(self, unit, program):
        self.program = program
        self.allowed = self.named("@default")
        for number, words in enumerate(re.findall(r"(?m)^SystemCallFilter=(.*)$", unit)):
            assert number or not words.startswith("~"), "a filter that only forbids"
            change = self.allowed.difference_update if words.startswith("~") else self.allowed.update
            for word in words.lstrip("~").split():
                change(self.named(word))
        self.trace = tempfile.NamedTemporaryFile()

    def named(self, word):
        """The calls of a set of systemd's, or of the one call."""
        if not word.startswith("@"):
            return {word}
        lines = subprocess.run(["systemd-analyze", "syscall-filter", word], check=True,
                               capture_output=True, text=True).stdout.splitlines()[1:]
        inner = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
        return set().union(*map(self.named, inner))

    def watching(self):
        # What starts the program is traced, to know where it begins; what systemd knows and strace
        # does not is no error.
        names = ",?".join(sorted(self.allowed - {"execve"}))
        return ["strace", "-f", "-q", "--seccomp-bpf", "-o", self.trace.name, "-e", f"trace=!?{names}"]

    def refused(self):
        before, begun, after = self.trace.read().decode().partition(f'execve("{self.program}"')
        assert begun, before
        return sorted(set(re.findall(r"(?m)^\d+ +(\w+)\(", after)) - {"execve"})


class Service:
    """A store that runs in there until the end of the with, under a filter of system calls if given."""

    def __init__(self, debian, words, user, variables, calls=None):
        self.log = tempfile.TemporaryFile()
        self.calls = calls
        # A group of its own, with strace, which passes no signal on.
        self.process = subprocess.Popen(
            [*(calls.watching() if calls else []), *debian.command(words, user, variables)],
            stdout=self.log, stderr=self.log, start_new_session=True)
        end = time.monotonic() + STARTED_SECONDS_MAX
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.signal(signal.SIGKILL)
                self.process.wait()
                raise SystemExit(f"{words} did not start:\n{self.said()}")
            time.sleep(0.05)

    def is_ready(self):
        """Whether it said so, which is when commands can find it, and takes writes."""
        try:
            return "listens on" in self.said() and request("GET", f"{STORE}/ready")[0] == 200
        except OSError:
            return False

    def __enter__(self):
        return self

    def said(self):
        return os.pread(self.log.fileno(), 1 << 20, 0).decode()[-4000:]

    def signal(self, number):
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def __exit__(self, failure, *_):
        self.signal(signal.SIGTERM)
        code = self.process.wait(30)
        if failure:
            print(self.said(), file=sys.stderr)
        self.log.close()
        check("it ends with exit code 0 on SIGTERM", code == 0, code)
        if self.calls:
            found = self.calls.refused()
            check("it makes no system call that the unit refuses", not found, found)


def check(what, is_true, found=None):
    if not is_true:
        raise SystemExit(f"FAILED: {what}: {found!r}")
    print(f"good: {what}")


def install(debian, package):
    file = Containerfile((PROJECT / "Containerfile").read_text(encoding="utf-8"))
    check("the Containerfile builds on a slim Debian", file.all("FROM") == ["debian:12-slim"])
    for line in file.all("COPY"):
        pattern, target = line.split()
        check("it copies the package", pathlib.PurePath(package).match(pattern), package)
        shutil.copy(package, debian.root / target.lstrip("/"))
    for line in file.all("RUN"):
        debian.run("sh", "-c", line, variables={"DEBIAN_FRONTEND": "noninteractive"})
    check("it leaves no package behind", not glob.glob(f"{debian.root}/tmp/*"))


def unit_service(debian):
    """The command of the installed unit, with its user and the variables of its file."""
    unit = (debian.root / "lib/systemd/system/bodega.service").read_text(encoding="utf-8")
    told = dict(re.findall(r"(?m)^(\w+)=(.*)$", unit))
    settings = (debian.root / told["EnvironmentFile"].lstrip("/")).read_text(encoding="utf-8")
    variables = dict(re.findall(r"(?m)^(\w+)=(.*)$", settings))
    words = shlex.split(re.sub(r"\$(\w+)", lambda name: variables[name[1]], told["ExecStart"]))
    return Service(debian, words, told["User"], variables, SystemCalls(unit, words[0]))


def container_service(debian, file):
    variables = dict(line.split("=", 1) for line in file.all("ENV"))
    return Service(debian, file.command("ENTRYPOINT") + file.command("CMD"),
                   file.all("USER")[0], variables)


def bodega(debian, *words, **more):
    return debian.run("bodega", *words, user="bodega", variables={"BODEGA_DATA": f"/{DATA}"}, **more)


def sales(debian):
    return [one["transactionId"] for one in json.loads(
        bodega(debian, "transaction", "export", "--json"))["transactions"]]


def sell(debian):
    return buy(STORE, BUNDLE, "buyer@example.com", "rocket-fuel-1", f"{BUNDLE}.fuel")


def judge(debian, package, newer):
    file = Containerfile((PROJECT / "Containerfile").read_text(encoding="utf-8"))
    settings = debian.root / "etc/bodega/bodega.env"
    for path in (package, newer):
        shutil.copy(path, debian.root / "tmp")
    version = debian.run("bodega", "--version")
    check("it names version and commit", re.fullmatch(
        r"bodega [0-9.]+ \(commit [0-9a-f]{12}( with changes)?\)\n", version), version)
    debian.run("bash", "-n", "/usr/share/bash-completion/completions/bodega")

    with unit_service(debian):
        shutil.copy(PROJECT / "Examples/RocketCar/RocketCar.storekit", debian.root / "tmp")
        bodega(debian, "catalog", "import", "/tmp/RocketCar.storekit", "--bundle-id", BUNDLE)
        bodega(debian, "account", "add", "buyer@example.com", "--password", "rocket-fuel-1")
        sold = [sell(debian)]
        check("the unit's command serves a purchase", sales(debian) == sold)
        health = file.command("HEALTHCHECK")
        debian.run(*health)
        check("the container's check finds it healthy", True)
    debian.run(*health, fails=True)
    check("and not when nothing runs", True)
    mode = (debian.root / DATA).stat().st_mode & 0o777
    check("its data is its own", mode == 0o700, oct(mode))

    with container_service(debian, file):
        sold.append(sell(debian))
        check("the container's command serves the same data", sales(debian) == sold)

    with settings.open("a", encoding="utf-8") as text:
        text.write("# A line of the owner's\n")
    debian.dpkg("--remove", "bodega")
    check("removed, program and unit are gone",
          not debian.has("usr/bin/bodega") and not debian.has("lib/systemd/system/bodega.service"))
    check("data and settings stay", debian.has(f"{DATA}/worlds/default.sqlite") and settings.exists())

    # As after an installation under another user's number, whose owner moved the data to another disk.
    age(debian.root / DATA / "worlds/default.sqlite")
    debian.run("chown", "-R", "4711:4711", f"/{DATA}")
    debian.run("mv", f"/{DATA}", "/srv/bodega")
    debian.run("ln", "-s", "/srv/bodega", f"/{DATA}")
    debian.dpkg("--install", f"/tmp/{os.path.basename(package)}")
    with unit_service(debian):
        check("over older data it knows the older purchases", sales(debian) == sold, sales(debian))
        sold.append(sell(debian))
    debian.dpkg("--install", f"/tmp/{os.path.basename(newer)}")
    with unit_service(debian):
        check("upgraded, it knows every purchase", sales(debian) == sold)
    check("the owner's settings are kept", "# A line of the owner's" in settings.read_text())

    debian.dpkg("--purge", "bodega")
    left = [path for path in (DATA, "etc/bodega", "usr/bin/bodega", "usr/lib/sysusers.d/bodega.conf",
                              "usr/share/doc/bodega") if debian.has(path)]
    check("purged, nothing is left", not left, left)
    check("but what was behind a link", debian.has("srv/bodega/worlds/default.sqlite"))

    (debian.root / DATA).mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0700", "bodega", debian.root / DATA], check=True)
    try:
        debian.dpkg("--install", f"/tmp/{os.path.basename(newer)}")
        with unit_service(debian):
            check("its data may be a file system of their own", os.listdir(debian.root / DATA))
        debian.dpkg("--purge", "bodega")
        check("purged, that is empty", not os.listdir(debian.root / DATA))
    finally:
        subprocess.run(["umount", debian.root / DATA], check=True)


def age(file):
    """Makes the file of a world one of schema 100, the oldest that is migrated, with the same rows."""
    older = file.with_suffix(".older")
    with sqlite3.connect(older) as made:
        made.executescript((PROJECT / "Tests/StoreDatabaseTests/Golden/world-100.sql").read_text())
        made.executescript("CREATE TABLE schema_version (number BIGINT PRIMARY KEY);"
                           "INSERT INTO schema_version VALUES (100); PRAGMA journal_mode = WAL;")
        made.execute("ATTACH ? AS newer", (str(file),))
        for (table,) in made.execute(
                "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name IN"
                " (SELECT name FROM newer.sqlite_schema) AND name <> 'schema_version'").fetchall():
            newer = {row[1] for row in made.execute(f"PRAGMA newer.table_info({table})")}
            columns = made.execute(f"PRAGMA main.table_info({table})").fetchall()
            # What newer schemas have no more, as it was for most rows.
            values = [name if name in newer else default or {"BIGINT": "0", "TEXT": "''"}.get(
                kind, "x''") if needed else "NULL" for _, name, kind, needed, default, _ in columns]
            made.execute(f"INSERT OR REPLACE INTO main.{table} ({', '.join(row[1] for row in columns)})"
                         f" SELECT {', '.join(values)} FROM newer.{table}" + (
                             # The numbers of newer tables are given by their migrations.
                             " WHERE name NOT IN (SELECT name FROM newer.sqlite_schema EXCEPT"
                             " SELECT name FROM main.sqlite_schema)"
                             if table == "sequence" else ""))
    made.close()
    owner = file.stat()
    os.chown(older, owner.st_uid, owner.st_gid)
    older.replace(file)


def main(what, root, *packages):
    debian = Debian(root)
    {"install": install, "judge": judge}[what](debian, *packages)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("install", "judge"):
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
