#!/usr/bin/env python3
"""Runs what docs/ci.md shows: its seed, as its GitHub workflow and its GitLab job use it.

  ci.py BUILD     BUILD is the folder of the built programs bodega and PurchaseProbe

In the place of "swift test" stands an app that buys; git, bootstrap and
the build are named in the recipes and not run.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
BUNDLE = "com.example.rocketcar"


def blocks(language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE)


def run(folder, build, command, swift):
    """A recipe's commands in an app's folder, with a program in the place of swift."""
    (folder / "bin").mkdir(exist_ok=True)
    for name, text in [("swift", swift), ("git", "exit 0")]:
        program = folder / "bin" / name
        program.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        program.chmod(0o755)
    environment = {
        "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "BUILD": str(build),
        "BODEGA": str(folder / "bodega"), "PATH": f"{folder}/bin:{build}:/usr/bin:/bin"}
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    result = subprocess.run(
        ["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    left = os.listdir(folder / "tmp")
    return result, left


def main(build):
    build = pathlib.Path(build).resolve()
    github, gitlab = map(yaml.safe_load, blocks("yaml"))
    steps = github["jobs"]["purchases"]["steps"]
    assert [step for step in steps if "scripts/bootstrap" in step.get("run", "")], steps
    commands = {"GitHub": next(step["run"] for step in steps if step.get("name") == "Test"),
                "GitLab": "\n".join(gitlab["purchases"]["script"])}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        seed = folder / "ci/shop.json"
        seed.parent.mkdir()
        seed.write_text(blocks("json")[0].replace("com.example.app", BUNDLE), encoding="utf-8")
        (folder / "Products.storekit").write_bytes(
            (ROOT / "Examples/RocketCar/RocketCar.storekit").read_bytes())
        bootstrap = folder / "bodega/scripts/bootstrap"
        bootstrap.parent.mkdir(parents=True)
        bootstrap.write_text("#!/bin/bash\n", encoding="utf-8")
        bootstrap.chmod(0o755)
        for name, command in commands.items():
            buying = 'if [[ $1 == test ]]; then exec "$BUILD/PurchaseProbe" --emptied=1 com.example.rocketcar.turbo; fi'
            result, left = run(folder, build, command, buying)
            assert result.returncode == 0, f"{name}: {result.stderr}"
            assert f"purchased {BUNDLE}.turbo" in result.stdout, f"{name}: {result.stdout}"
            assert not left, f"{name} leaves {left}"
            result, left = run(folder, build, command, "if [[ $1 == test ]]; then exit 7; fi")
            assert result.returncode == 7, f"{name}: {result.returncode} {result.stderr}"
            assert not result.stderr and not left, f"{name}: {result.stderr} {left}"
    print("the recipes for CI run, pass on the exit code, and leave nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__.strip())
