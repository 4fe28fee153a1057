#!/usr/bin/env python3
"""Whether Site/pages.py turns lists, code and tables of code hosts into MkDocs', row by row."""

import pathlib
import sys

import markdown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "Site"))
import pages  # noqa: E402

ROWS = [
    ("a list right after a line", "a\n- b\n- c", "<p>a</p><ul><li>b</li><li>c</li></ul>"),
    ("a list with room", "- b\n- c\n\nd", "<ul><li>b</li><li>c</li></ul><p>d</p>"),
    ("an item of two lines", "- b\n  c\n- d", "<ul><li>b c</li><li>d</li></ul>"),
    ("a list in a list", "- b\n  - c\n- d", "<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul>"),
    ("a second paragraph", "1. b\n\n   c\n2. d",
     "<ol><li><p>b</p><p>c</p></li><li><p>d</p></li></ol>"),
    ("code in an item", "1. b\n\n       c\n\n2. d",
     "<ol><li><p>b</p><pre><code>c</code></pre></li><li><p>d</p></li></ol>"),
    ("fenced code in an item", "1. b\n\n   ```sh\n   c\n   ```\n2. d",
     "<ol><li><p>b</p><pre><code>c</code></pre></li><li><p>d</p></li></ol>"),
    ("a list in code", "```\n- b\n  c\n```", "<pre><code>- b c</code></pre>"),
    ("a pipe in a table", "| a | b |\n| --- | --- |\n| `c\\|d` | e |",
     "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>c|d</code></td>"
     "<td>e</td></tr></tbody></table>"),
]


def shown(text):
    made = markdown.markdown(pages.converted(text), extensions=[
        "tables", "pymdownx.superfences", "pymdownx.highlight"], extension_configs={
            "pymdownx.highlight": {"use_pygments": False}})
    plain = made.replace(' class="highlight"', "")
    for language in ("sh", "bash", "text"):
        plain = plain.replace(f' class="language-{language}"', "")
    return "".join(" ".join(plain.split()).replace("> <", "><").replace(" </code>", "</code>").split("\n"))


def main():
    wrong = [f"{name}: {shown(text)}\n  wanted {html}" for name, text, html in ROWS
             if shown(text).replace("> ", ">").replace(" <", "<") != html.replace(" <", "<")]
    print("\n".join(wrong) if wrong else f"{len(ROWS)} rows of Markdown are shown as code hosts do")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
