"""Reads scraped metrics with Prometheus' own parser and holds them against its rules for names.

usage: metrics.py [--rules RULES] FILE [FILE...]

The files are scrapes of one server, in order. The parser refuses what OpenMetrics forbids; the rest
is what `promtool check metrics` and Prometheus' page on naming ask for. Labels may only have the
values that a server can foresee, and what only rises must not have fallen. With --rules, each metric
and label in the expressions of these alerts must be in the last scrape.
"""

import argparse
import re
import sys

import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families

# What labels may be called, and the most values that each may have over all series of a name.
LABELS = {
    "call": 4, "commit": 1, "le": 16, "method": 8, "outcome": 4, "route": 600, "status": 40,
    "version": 1, "worlds": 2,
}
BASE_UNITS = ("seconds", "bytes", "ratio")
OTHER_UNITS = re.compile(
    r"_(milliseconds|microseconds|nanoseconds|minutes|hours|days|kilobytes|megabytes|bits|percent"
    r"|ms|us|ns|kb|mb)(_|$)"
)


def faults(text):
    """What is wrong with one scrape, and its families."""
    found = []
    if not text.endswith("# EOF\n"):
        found.append("it does not end with # EOF")
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            found.append(f"{name} is there twice")
    for family in families:
        found += [f"{family.name}: {fault}" for fault in family_faults(family)]
    return found, families


def family_faults(family):
    name = family.name
    if not re.fullmatch(r"(bodega|process)_[a-z][a-z0-9_]*[a-z0-9]", name):
        yield "the name does not begin with the program's, in small letters"
    if not family.documentation.endswith("."):
        yield "it has no help that is a sentence"
    if family.type == "unknown":
        yield "it has no type"
    if OTHER_UNITS.search(name):
        yield "the unit is not a base unit"
    for unit in BASE_UNITS:
        if re.search(f"_{unit}(_|$)", name) and family.unit != unit:
            yield f"the unit {unit} is not stated, or not the end of the name"
    if re.search(f"(^|_){family.type}(_|$)", name):
        yield "the name repeats the type"
    if name.endswith(("_count", "_sum", "_bucket", "_total", "_info", "_created")):
        yield "the name ends like a sample's"
    if family.type == "counter" and any(not s.name.endswith("_total") for s in family.samples):
        yield "a counter's sample does not end in _total"
    values = {}
    for sample in family.samples:
        for label, value in sample.labels.items():
            values.setdefault(label, set()).add(value)
    for label, all_values in values.items():
        if label not in LABELS:
            yield f"the label {label} is not known"
        elif len(all_values) > LABELS[label]:
            yield f"the label {label} has {len(all_values)} values"
    for route in values.get("route", ()):
        if re.search(r"[0-9]{6,}|@|[0-9a-f]{8}-", route):
            yield f"the route {route} holds a value"


def rising(family):
    """The samples that must not fall."""
    for sample in family.samples:
        if family.type in ("counter", "histogram"):
            yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value


def rule_faults(path, families):
    """What the alerts name that does not exist."""
    labels = {}
    for family in families:
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    with open(path, encoding="utf-8") as file:
        rules = [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]
    if len(rules) < 5:
        yield "there are hardly any rules"
    for rule in rules:
        if not rule["annotations"]["summary"].endswith("."):
            yield f"{rule['alert']} has no summary that is a sentence"
        used = re.findall(r"(bodega_[a-z_]+)(?:\{([^}]*)\})?", rule["expr"])
        if not used and "up{" not in rule["expr"]:
            yield f"{rule['alert']} asks nothing of this server"
        for name, selector in used:
            if name not in labels:
                yield f"{rule['alert']}: there is no {name}"
            for label in re.findall(r"(\w+)(?:=~|!~|!=|=)\"", selector):
                if label not in labels.get(name, ()):
                    yield f"{rule['alert']}: {name} has no label {label}"


def main(rules, paths):
    found, before, families = [], {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        new, families = faults(text)
        found += [f"{path}: {fault}" for fault in new]
        now = dict(pair for family in families for pair in rising(family))
        for key, value in before.items():
            if now.get(key, -1) < value:
                found.append(f"{path}: {key} fell from {value} to {now.get(key)}")
        before = now
        print(f"{path}: {len(families)} metrics, {sum(len(f.samples) for f in families)} samples")
    if rules:
        found += [f"{rules}: {fault}" for fault in rule_faults(rules, families)]
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    sys.exit(main(options.rules, options.files))
