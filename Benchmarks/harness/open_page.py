"""A page of the console in a browser: how soon it shows its first rows, and how late a request of
an app is on it. A program of its own, run with the packages of Tests/Console/requirements.txt."""

import json
import os
import sys

from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("BODEGA_CHROMIUM", "/usr/bin/chromium")

# Logs when the first row has been painted, in milliseconds since the navigation. Nothing else is
# asked of the page meanwhile: each question costs processor time.
FIRST_ROW = """
new MutationObserver((_, observer) => {
  if (document.querySelector("tbody tr") !== null) {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => console.info("first row", performance.now())));
  }
}).observe(document, { childList: true, subtree: true });
"""
# Notes of each new row how long after the request it was painted; both clocks are this machine's.
NEW_ROWS = """() => {
  window.delays = [];
  new MutationObserver((changes) => {
    const times = changes.flatMap(({ addedNodes }) => [...addedNodes])
      .map((row) => Date.parse(row.querySelector?.("time")?.dateTime ?? ""))
      .filter((time) => !Number.isNaN(time));
    requestAnimationFrame(() => setTimeout(() => {
      const now = Date.now();
      window.delays.push(...times.map((time) => now - time));
    }));
  }).observe(document.querySelector("tbody"), { childList: true });
}"""


def opened(browser, url):
    """A page in a browser that has nothing of the console yet; what its first row took."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(FIRST_ROW)
    with page.expect_console_message(lambda told: told.text.startswith("first row")) as message:
        page.goto(url, wait_until="commit")
    return page, float(message.value.text.removeprefix("first row"))


def main():
    """Prints what the first rows of each address took, as it comes; watches the last page from the
    line "watch" until the standard input ends, and prints the delays."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        page = None
        for line in sys.stdin:
            if line.strip() == "watch":
                page.evaluate(NEW_ROWS)
                print(json.dumps({"watches": True}), flush=True)
            else:
                if page:
                    page.context.close()
                page, first = opened(browser, line.strip())
                print(json.dumps({"milliseconds": first}), flush=True)
        page.wait_for_timeout(1_000)
        print(json.dumps({"milliseconds": page.evaluate("window.delays ?? []")}), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
