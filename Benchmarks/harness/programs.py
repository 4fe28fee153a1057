"""Runs wrk and this package's programs for scripts/bench, and reads their results."""

import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, ".build", "release")
LOADS = os.path.join(ROOT, "Benchmarks", "load")

# The number of wrk's threads, which share its connections.
LOAD_THREADS = 2
CONNECTIONS = 64


# The folder of the programs that are measured: this checkout's, but for `use`.
build = BUILD


def use(folder):
    """From now on, stores and measuring programs are started from another build."""
    global build
    build = folder


class Failure(Exception):
    """The reason why there is no figure."""


class Figures:
    """The results of a load of requests."""

    def __init__(self, fields):
        requests, microseconds, refused, broken, p50, p99, answered = map(int, fields[:7])
        self.requests = requests
        self.rate = requests / (microseconds / 1e6)
        self.bytes_per_second = answered / (microseconds / 1e6)
        self.p50_ms = p50 / 1e3
        self.p99_ms = p99 / 1e3
        self.refused = refused
        self.broken = broken
        self.refusal = fields[7] if len(fields) > 7 else ""


def bench_command(*words):
    return [os.path.join(build, "BodegaBench"), *map(str, words)]


def run_bench(*words):
    """Runs a part of BodegaBench to its end and gives its report."""
    done = subprocess.run(bench_command(*words), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"BodegaBench {words[0]} ended with "
                      f"{done.returncode}")
    return json.loads(done.stdout) if done.stdout.strip() else {}


def start_load(name, url, seconds, connections=CONNECTIONS, threads=LOAD_THREADS, **variables):
    """Starts wrk with one of the loads; `figures` waits for its results."""
    command = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{seconds}s",
               "--timeout", "20s", "-s", os.path.join(LOADS, name + ".lua"), url]
    environment = {**os.environ, "BENCH_LOAD": LOADS, **variables}
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def figures(load, may_refuse=False):
    """The results of a load; an unsuccessful answer invalidates them."""
    output, _ = load.communicate(timeout=300)
    for line in output.splitlines():
        if line.startswith("RESULT\t"):
            found = Figures(line.split("\t")[1:])
            if found.broken:
                raise Failure(f"{found.broken} connections broke or waited too long")
            if found.refused and not may_refuse:
                raise Failure(f"{found.refused} of {found.requests} answers were not successful, "
                              f"the first: {found.refusal}")
            if not found.requests:
                raise Failure("no request was answered")
            return found
    raise Failure(f"wrk gave no figures: {output.strip()[-400:]}")


def load(name, url, seconds, **more):
    return figures(start_load(name, url, seconds, **more))
