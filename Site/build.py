#!/usr/bin/env python3
"""Stages the pages of the repository and builds the site; scripts/docs calls it.

  build.py OUTPUT [MODULES]

MODULES has a folder for the reference of each module as DocC made it, for OUTPUT/storekit and the
others.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import api
import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = {
    "store": ROOT / "Tests/OpenAPITests/Golden/store.json",
    "backend": ROOT / "Tests/OpenAPITests/Golden/backend.json",
}
MODULES = {name: f"{name}/documentation/{name}"
           for name in ("storekit", "storekittest", "bodegatesting")}
# What stands beside the pages and is linked from them; a file without an ending gets one, since a
# server would offer it as a download.
BESIDE = {"LICENSE": "LICENSE.txt", "NOTICE": "NOTICE.txt"}


def written(root):
    """The pages of the repository that are for readers of the site."""
    yield from (root / name for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md",
                                         "SECURITY.md", "Examples/RocketCar/README.md"])
    yield from sorted((root / "docs").rglob("*.md"))


def stage(root, folder, modules):
    for page in written(root):
        target = folder / page.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(pages.converted(page.read_text(encoding="utf-8")), encoding="utf-8")
    for path in (root / "docs").rglob("*"):
        if path.suffix in (".svg", ".png", ".storekit", ".json", ".py", ".mjs"):
            target = folder / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for name, shown in BESIDE.items():
        shutil.copy(root / name, folder / shown)
    for name in ("bodega.css", "bodega.js"):
        shutil.copy(root / "Site" / name, folder)
    if modules:
        for name in MODULES:
            shutil.copytree(pathlib.Path(modules) / name, folder / name)
    made = {name: api.write(document, folder / "docs/api" / name, f"docs/api/{name}")
            for name, document in DOCUMENTS.items()}
    made["decisions"] = [str(page.relative_to(root)) for page in
                         sorted((root / "docs/decisions").glob("0*.md"))]
    return made


def configuration(made, modules):
    """mkdocs.yml with its lines of generated pages filled in."""
    lines = []
    for line in (ROOT / "Site/mkdocs.yml").read_text(encoding="utf-8").splitlines():
        head, at, name = line.partition("'@")
        if at and not line.startswith("#"):
            indent = len(line) - len(line.lstrip())
            if head.strip() == "-":
                lines += [f"{head}{page}" for page in made[name.rstrip("'")]]
            else:
                lines.append(head.rstrip())
                lines += [f"{' ' * indent}    - {page}" for page in made[name.rstrip("'")]]
        elif modules or not any(address in line for address in MODULES.values()):
            lines.append(line)
    return "\n".join(lines) + "\n"


def main(output, modules=None):
    output = pathlib.Path(output).resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "pages").mkdir()
        made = stage(ROOT, work / "pages", modules)
        (work / "mkdocs.yml").write_text(configuration(made, modules), encoding="utf-8")
        result = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=work,
            # A notice about the theme's successor, on every build.
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
        if result.returncode:
            return result.returncode
        for page in (work / "site").rglob("*.html"):
            # DocC's pages know their address only as a folder, which no nav of MkDocs can name.
            text = page.read_text(encoding="utf-8")
            for address in MODULES.values():
                text = text.replace(f"{address}/index.html", f"{address}/")
            page.write_text(text, encoding="utf-8")
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "site", output)
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
