"""A server of the program under test, such as a store, and what its owner does with it."""

import json
import os
import pathlib
import subprocess
import tempfile
import urllib.error
import urllib.request

PROGRAM = str(pathlib.Path(os.environ.get("BODEGA_PROGRAM", ".build/debug/bodega")).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "Examples" / "RocketCar" / "RocketCar.storekit"
APP = "com.example.rocketcar"


class Refused(Exception):
    """A refusal of a request, with its code."""

    def __init__(self, status, code):
        super().__init__(f"{status} {code}")
        self.status, self.code = status, code


class Server:
    """A server of the program under test, with a data directory of its own, until it is closed."""

    token_file = ""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="bodega-console-")
        self.data = pathlib.Path(self.folder.name) / "data"
        self.log_path = pathlib.Path(self.folder.name) / "log"
        self.port = 0
        self.start()

    def words(self):
        """What starts it."""
        raise NotImplementedError

    def start(self):
        """Starts it, at the port that it had before."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("BODEGA_") or name == "BODEGA_CONSOLE_FILES"}
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, *self.words(), "--data", str(self.data), "--port", str(self.port)],
                stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, text=True,
                env=environment)
        for line in self.process.stdout:
            if "http://" in line:
                self.url = "http://" + line.split("http://")[1].split()[0].rstrip("/.,")
                break
        else:
            raise RuntimeError(self.log())
        self.port = int(self.url.rsplit(":", 1)[1])
        self.token = (self.data / self.token_file).read_text(encoding="utf-8").strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def close(self):
        self.stop()
        self.folder.cleanup()

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def environment(self):
        """What commands for it find in their environment."""
        return {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}",
                "HOME": self.folder.name}

    def run(self, *words):
        """What a `bodega` command prints."""
        done = subprocess.run([PROGRAM, *words], env=self.environment(), capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, f"bodega {' '.join(words)}: {done.stderr}"
        return done.stdout

    def shell(self, line):
        """What a line prints that was copied from the console."""
        name = pathlib.Path(PROGRAM).name
        prelude = "" if name == "bodega" else f"bodega() {{ {name} \"$@\"; }}\n"
        return subprocess.run(["bash", "-c", prelude + line], env=self.environment(),
                              capture_output=True, text=True, check=False)

    def send(self, method, path, body=None, token=True):
        """The answer of the server, or `Refused`."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {self.token if token is True else token}"
        request = urllib.request.Request(
            self.url + path, method=method, headers=headers,
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request) as answer:
                content = answer.read()
        except urllib.error.HTTPError as error:
            with error:
                refusal = json.loads(error.read() or "{}")
            raise Refused(error.code, refusal.get("error", {}).get("code")) from None
        return json.loads(content) if content else None

    def get(self, path):
        return self.send("GET", path)

    def code(self, read_only=False):
        return self.send("POST", "/console/v1/codes", {"isReadOnly": read_only})["code"]


class Store(Server):
    """`bodega serve`."""

    token_file = "control-token"

    def words(self):
        return ["serve"]

    def environment(self):
        return {**super().environment(), "BODEGA_DATA": str(self.data),
                "BODEGA_BUNDLE_ID": APP, "BODEGA_TOKEN": self.token}

    def details(self, account, environment="sandbox"):
        return self.get(f"/control/v1/accounts/details?account={account}&environment={environment}")
