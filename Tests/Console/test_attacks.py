"""Pages of others, and texts that clients set."""

import html
import http.server
import json
import threading
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from parts import REFUSED, customer_place, open_action, submit
from store import APP

MARKUP = "<img src=x onerror=alert(1)>"
# The evil twin of "gpj.exe": a right-to-left override and a zero-width space.
BIDI = "a\u202egpj\u200b.exe"
SHOWN = "a\\u{202E}gpj\\u{200B}.exe"


class Attacker(http.server.ThreadingHTTPServer):
    """A server of another origin: its pages, and the path and headers of what it was asked."""

    def __init__(self):
        self.pages, self.heard = {}, []
        super().__init__(("127.0.0.1", 0), Answer)
        self.origin = f"http://page.attacker.example:{self.server_port}"

    def page(self, path, text, policy=""):
        """The address of a page, which acts as soon as it is opened."""
        self.pages[path] = f"<!doctype html><title>attack</title>{text}", policy
        return self.origin + path


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.heard.append((self.path, dict(self.headers)))
        text, policy = self.server.pages.get(self.path, ("", ""))
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def attacker():
    server = Attacker()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def victim(browser):
    """A browser that opens others' pages too; what it logs does not matter."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def names(store):
    return [one["name"] for one in store.get("/control/v1/accounts?limit=200")["accounts"]]


def test_a_foreign_name_for_this_machine_gets_nothing(store, victim):
    answer = victim.goto(f"http://store.attacker.example:{store.port}/console/")
    assert (answer.status, answer.json()["error"]["code"]) == (421, "hostUnknown")
    assert "script" not in victim.content()
    request = urllib.request.Request(f"{store.url}/control/v1/accounts", headers={
        "Host": f"store.attacker.example:{store.port}", "Authorization": f"Bearer {store.token}"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as answer:
        assert (answer.code, json.load(answer)["error"]["code"]) == (421, "hostUnknown")


def test_a_fetch_from_another_origin_changes_and_reads_nothing(store, victim, attacker):
    victim.goto(attacker.page("/fetch", f"""<body><script>
        const tries = [
          fetch("{store.url}/console/v1/session"),
          fetch("{store.url}/control/v1/accounts", {{method: "POST", headers: {{
            "Content-Type": "application/json", "Authorization": "Bearer {store.token}"}},
            body: JSON.stringify({{name: "fetched@example.com"}})}}),
          fetch("{store.url}/console/v1/sessions", {{method: "POST",
            body: JSON.stringify({{token: "{store.token}"}})}}).then(a => a.json()),
        ];
        Promise.allSettled(tries).then(ends =>
          document.body.append(ends.map(end => end.status).join(" ")));
        </script>"""))
    expect(victim.locator("body")).to_have_text("rejected rejected rejected")
    assert "fetched@example.com" not in names(store)


@pytest.mark.parametrize("origin, policy", [
    ("http://page.attacker.example", ""), ("null", "sandbox allow-forms allow-scripts")])
@pytest.mark.parametrize("path", [
    "/control/v1/accounts", "/console/v1/sessions", "/console/v1/codes"])
def test_a_form_from_another_origin_changes_nothing(
        store, victim, attacker, path, origin, policy):
    # The token in its body would open a session, but for its origin.
    body = json.dumps({"name": "posted@example.com", "token": store.token, "x": "="})
    with victim.expect_response(lambda answer: answer.request.method == "POST") as sent:
        victim.goto(attacker.page("/form", f"""<form method=post enctype=text/plain
            action="{store.url}{path}"><input name="{html.escape(body)}" value=""></form>
            <script>document.forms[0].submit()</script>""", policy))
    answer = sent.value
    assert answer.request.all_headers()["origin"].startswith(origin)
    assert (answer.status, answer.json()["error"]["code"]) == (403, "originForeign")
    assert "posted@example.com" not in names(store)


def test_the_console_is_not_framed(store, victim, attacker):
    victim.goto(attacker.page("/frame", f'<iframe src="{store.url}/console/"></iframe><p>framed'))
    expect(victim.get_by_text("framed")).to_be_visible()
    for frame in victim.frames[1:]:
        assert "Bodega console" not in frame.content()
    with urllib.request.urlopen(f"{store.url}/console/") as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_the_page_forbids_what_it_does_not_need(pages, store):
    page = pages.open(store, allows=["(?i)content security policy|trusted(html|script)"])
    assert page.evaluate("""() => [
        () => { document.body.innerHTML = "<b>markup</b>"; },
        () => { document.createElement("script").text = "1"; },
        () => trustedTypes.createPolicy("mine", {}),
    ].map(attempt => { try { attempt(); return "done"; } catch { return "refused"; } })""") == \
        ["refused"] * 3


@pytest.mark.parametrize("name, twin", [("..", "%2E%2E"), (".", "%2E")])
def test_dots_name_nobody_else(pages, world, name, twin):
    for one in [name, twin]:
        world.send("POST", "accounts", {"name": one, "environment": "sandbox"})
    world.send("POST", "developers", {"name": twin})
    world.run("secret", "make", "--developer", twin)
    page = pages.open(world.store, world.place(f"customers/sandbox/{name}"), allows=[REFUSED])
    submit(open_action(page, "Lock"), "Lock")
    assert "lock" in world.account(name) and "lock" not in world.account(quote(twin))
    # No path can have them, and the page must not ask about another name instead.
    page.goto(f"{world.store.url}/console/#{world.place(f'settings/secrets/developer/{name}')}")
    expect(page.get_by_role("alert").first).to_contain_text("badRequest")
    expect(page.get_by_role("table", name="Shared secrets")).to_have_count(0)


@pytest.mark.parametrize("name, shown", [(MARKUP, MARKUP), (BIDI, SHOWN)])
def test_names_of_customers_are_text(pages, store, name, shown):
    store.send("POST", "/control/v1/accounts", {"name": name, "environment": "sandbox"})
    store.run("buy", f"{APP}.fuel", "--account", name, "--username", name,
              "--app-version", "1.0")
    page = pages.open(store, "/default/customers")
    link = page.get_by_role("table", name="Customers").get_by_role("link", name=shown, exact=True)
    link.click()
    expect(page.get_by_role("heading", name=shown, exact=True)).to_be_visible()
    page.get_by_role("button", name="Delete…").or_(page.get_by_text("More actions")).first.click()
    page.get_by_role("button", name="Delete…").click()
    expect(page.get_by_role("dialog").get_by_label(shown)).to_be_visible()
    page.goto(f"{store.url}/console/#/default/now/history")
    page.get_by_role("table", name="History").get_by_role("link").first.click()
    expect(page.get_by_role("region", name="Inspector")).to_contain_text(shown)
    expect(page.locator("img")).to_have_count(0)
    assert "\u202e" not in page.locator("body").inner_text()


def test_what_a_device_sends_is_text(pages, store):
    body = json.dumps({"receipt-data": MARKUP + BIDI}).encode()
    path = f"/sandbox/{urllib.request.quote(MARKUP + BIDI)}"
    request = urllib.request.Request(store.url + path, data=body, headers={
        "User-Agent": MARKUP, "X-Request-Id": MARKUP, "Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    refused.value.close()
    page = pages.open(store)
    page.get_by_role("table", name="Requests").get_by_role("link").first.click()
    inspector = page.get_by_role("region", name="Inspector")
    expect(inspector.get_by_role("heading").first).to_be_visible()
    inspector.get_by_text("Headers", exact=True).click()
    expect(inspector).to_contain_text("onerror=alert")
    expect(page.locator("img")).to_have_count(0)
    assert "\u202e" not in page.locator("body").inner_text()


def test_copied_commands_are_one_command(pages, store):
    name = "$(touch pwned)`touch pwned`'\"; touch pwned #"
    store.send("POST", "/control/v1/accounts", {"name": name, "environment": "sandbox"})
    page = pages.open(store, customer_place(name))
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Lock…").click()
    dialog = page.get_by_role("dialog")
    for label in ["bodega command", "curl"]:
        line = dialog.get_by_role("group", name=label).inner_text()
        done = store.shell(f"cd {store.folder.name}; {line}")
        assert done.returncode == 0, done.stderr
        assert "pwned" not in [path.name for path in store.data.parent.iterdir()]
    assert "lock" in store.get("/control/v1/accounts?search=pwned")["accounts"][0]


def test_a_session_is_nowhere_but_in_its_tab(pages, store):
    page = pages.open(store)
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    assert session not in page.url and session not in page.content()
    assert page.evaluate("JSON.stringify(localStorage)").find(session) < 0
    assert page.context.cookies() == []
    assert page.evaluate("document.referrer") == ""
    assert session not in store.log() and store.token not in store.log()


def test_a_link_to_another_server_tells_it_nothing(pages, store, attacker):
    page = pages.open(store, signs_in=False, allows=[REFUSED])
    code = store.run("console").strip().split("#code=")[1]
    page.goto(f"{store.url}/console/#code={code}")
    expect(page.get_by_role("heading", name="Now")).to_be_visible()
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    page.goto(f"{store.url}/console/#/default/settings/console")
    page.get_by_label("Its address").fill(attacker.page("/console/", "<p>caught"))
    page.get_by_role("button", name="Keep").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the backend's console").click()
    expect(opened.value.get_by_text("caught")).to_be_visible()
    assert opened.value.evaluate("[document.referrer, window.opener]") == ["", None]
    path, headers = attacker.heard[0]
    assert path == "/console/" and "referer" not in map(str.lower, headers)
    text = json.dumps(attacker.heard)
    assert not any(secret in text for secret in [code, session, store.token, store.url])


def test_the_log_of_requests_has_no_secrets(pages, store):
    page = pages.open(store, "/default/now/requests?of=all")
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    listed = store.get("/control/v1/activity?order=newest&limit=100")["requests"]
    assert listed
    for entry in listed:
        text = json.dumps(store.get(f"/control/v1/activity/{entry['number']}"))
        assert session not in text and store.token not in text
