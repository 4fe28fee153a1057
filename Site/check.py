#!/usr/bin/env python3
"""Judges a site as scripts/docs made it: its links, and what Chromium and axe-core find on pages.

  check.py SITE [PICTURES]    prints each finding; writes screenshots to the folder PICTURES
  check.py --self-test        judges no page, then one with one fault of each kind: each must be found
"""

import base64
import functools
import html.parser
import http.server
import json
import pathlib
import re
import sys
import tempfile
import threading
import urllib.parse

import axe_playwright_python
from browser import Browser

AXE = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
# The home page, prose, a table of commands, the API's operations, pictures; then what is looked at
# once: DocC's pages are drawn by DocC.
PAGES = ["", "docs/own-backend/", "docs/command-line/", "docs/api/store/catalogue/",
         "docs/lifecycle/billing-retry/"]
MODULES = {name: f"{name}/documentation/{name}/"
           for name in ("storekit", "storekittest", "bodegatesting")}
SEARCH = """new Promise((done, fail) => {
  const field = document.querySelector('.md-search__input');
  if (!field) done(0);
  document.querySelector('#__search').checked = true;
  field.focus(); field.value = 'grace period';
  field.dispatchEvent(new Event('input', {bubbles: true}));
  field.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));
  let tries = 0;
  const look = () => {
    const found = document.querySelectorAll('.md-search-result__item').length;
    if (found || ++tries > 100) done(found); else setTimeout(look, 100);
  };
  look();
})"""


class Page(html.parser.HTMLParser):
    """A page's links, and the places in it that links can lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.places |= {told[name] for name in ("id", "name") if told.get(name)}
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])
        if tag == "link" and told.get("href") and told.get("rel") not in ("canonical",):
            self.loaded.append(told["href"])
        if tag in ("img", "script", "iframe", "source") and told.get("src"):
            self.loaded.append(told["src"])


def link_findings(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
             if not MODULES.keys() & set(path.relative_to(site).parts[:1])}
    if not pages:
        yield f"{site}: there is no page"
    for path, page in sorted(pages.items()):
        name = path.relative_to(site)
        for link in page.loaded:
            if re.match(r"(https?:)?//", link):
                yield f"{name}: loads {link}"
        for link in page.links + page.loaded:
            target, _, place = link.partition("#")
            if re.match(r"([a-z]+:|//)", link) or name.name == "404.html":
                continue
            there = path
            if target:
                there = (path.parent / urllib.parse.unquote(target.partition("?")[0])).resolve()
                there = there / "index.html" if there.is_dir() else there
            if not there.is_file() or not there.is_relative_to(site):
                yield f"{name}: {link} leads nowhere"
            elif place and there in pages and urllib.parse.unquote(place) not in pages[there].places:
                yield f"{name}: {link} names no place of that page"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client):
        """A browser that goes away in the middle of an answer is no fault of the site."""


def page_findings(browser, root, path, dark, pictures, axe):
    name = f"{path or 'home'} in {'dark' if dark else 'light'}"
    target = browser.open(root + path, dark=dark)
    # After the fonts and the scripts that run when the page is idle.
    browser.run("document.fonts.ready.then(() => new Promise(done => requestIdleCallback(done)))")
    if axe:
        browser.run(AXE.read_text(encoding="utf-8") + "; 0")
        answer = json.loads(browser.run(
            "axe.run(document, {resultTypes: ['violations']}).then(it => JSON.stringify("
            "it.violations.map(one => [one.id, one.help, one.nodes.map(node => node.html"
            ".slice(0, 120) + ' ' + node.any.concat(node.all).map(it => it.message).join('; ')"
            ")])))"))
        for rule, help_text, nodes in answer:
            yield f"{name}: axe-core: {rule}: {help_text}: {len(nodes)}, first {nodes[0]}"
    for address in browser.taken("Network.requestWillBeSent", "request", "url"):
        if not address.startswith((root, "data:", "blob:", "chrome")):
            yield f"{name}: requests {address}"
    for status, address in zip(browser.taken("Network.responseReceived", "response", "status"),
                               browser.taken("Network.responseReceived", "response", "url")):
        if status >= 400:
            yield f"{name}: {address} is answered {status}"
    for text in browser.taken("Runtime.exceptionThrown", "exceptionDetails", "text"):
        yield f"{name}: a script fails: {text}"
    if pictures:
        picture = browser.call("Page.captureScreenshot", format="png")["data"]
        stem = (path.strip("/").replace("/", "-") or "home")
        (pictures / f"{stem}-{'dark' if dark else 'light'}.png").write_bytes(
            base64.b64decode(picture))
    if path == "" and not dark and axe and not browser.run(SEARCH):
        yield "the search finds nothing about a grace period"
    browser.close(target)


def judge(site, pages, pictures=None):
    site = site.resolve()
    yield from link_findings(site)
    server = Server(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/"
    try:
        with Browser() as browser:
            for path, axe in pages:
                for dark in (False, True):
                    yield from page_findings(browser, root, path, dark, pictures, axe)
    finally:
        server.shutdown()
        server.server_close()


FAULTY = """<!doctype html><html lang="en"><title>A page</title>
<link rel="stylesheet" href="https://fonts.example.com/a.css">
<main><h1 style="color: #aaa; background: #bbb">A page</h1>
<a href="nowhere.html">a</a> <a href="#nowhere">b</a>
<script>const font = document.createElement("link"); font.rel = "stylesheet";
font.href = "http://127.0.0.2:9/late.css"; document.head.append(font); fail();</script></main>
"""


def self_test():
    with tempfile.TemporaryDirectory() as name:
        site = pathlib.Path(name)
        empty = "\n".join(link_findings(site))
        (site / "index.html").write_text(FAULTY, encoding="utf-8")
        found = "\n".join([empty, *judge(site, [("", True)])])
    wanted = ["there is no page", "loads https://fonts.example.com", "nowhere.html leads nowhere",
              "#nowhere names no place", "axe-core: color-contrast", "late.css", "a script fails",
              "the search"]
    return [f"not found: {one}\n{found}" for one in wanted if one not in found]


def main(arguments):
    if arguments == ["--self-test"]:
        findings = self_test()
    elif arguments and not arguments[0].startswith("-"):
        pictures = pathlib.Path(arguments[1]) if len(arguments) > 1 else None
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
        site = pathlib.Path(arguments[0])
        pages = [(path, True) for path in PAGES]
        pages += [(page, False) for name, page in MODULES.items() if (site / name).is_dir()]
        findings = list(judge(site, pages, pictures))
    else:
        print(__doc__.strip())
        return 2
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
