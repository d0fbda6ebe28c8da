"""A live page of the console whose server goes away and comes back: see scripts/test-console."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

LAMPLIGHTER, PROJECT = sys.argv[1:3]
PASSWORD = "the password of ann"
PAGE = "/console/deliveries?state=queued"
OTHER_CHECKS = (
    "store,disk,polls,deliveries,backEnds,credentials,certificate,accounts,clock,files,engine,development"
)
expect.set_options(timeout=60_000)
problems: list[str] = []


class Gate:
    """A proxy before the server that cuts all connections, as a network does."""

    def __init__(self, target: int):
        self.target = target
        self.is_open = True
        self.sockets: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            client, _ = self.listener.accept()
            try:
                if not self.is_open:
                    raise ConnectionError
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.sockets += [client, server]
            for source, sink in [(client, server), (server, client)]:
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        self.end([source, sink])

    def cut(self) -> None:
        self.is_open = False
        self.end(self.sockets)

    def end(self, sockets: list[socket.socket]) -> None:
        for end in list(sockets):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def step(text: str) -> None:
    print(f"- {text}", flush=True)


def lamplighter(*arguments: str, text: str | None = None) -> None:
    subprocess.run([LAMPLIGHTER, *arguments, "--project", PROJECT], check=True, input=text, capture_output=True, text=True)


def write(path: str, text: str) -> None:
    path = os.path.join(PROJECT, "adapters", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def adapter(name: str) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<wl:adapter name="{name}" xmlns:wl="http://www.worklight.com/integration">
<displayName>{name}</displayName><connectivity><connectionPolicy/></connectivity><procedure name="run"/></wl:adapter>
"""


def start(port: int) -> subprocess.Popen:
    settings = {
        "LAMPLIGHTER_CONSOLE_PORT": str(port), "LAMPLIGHTER_NAME": "Shop 1", "LAMPLIGHTER_HEALTH_IGNORE": OTHER_CHECKS,
    }
    server = subprocess.Popen(
        [LAMPLIGHTER, "serve", PROJECT, "--port", "0"], env=os.environ | settings, stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if "lamplighter is ready" in line:
            threading.Thread(target=server.stderr.read, daemon=True).start()
            return server
    sys.exit("the server ended before it was ready")


def stop(server: subprocess.Popen) -> None:
    server.send_signal(signal.SIGTERM)
    server.wait()


def log_in(page: Page) -> None:
    page.get_by_label("Account").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Deliveries", level=1)).to_be_visible()
    # A section does not change while the pointer is in it.
    page.mouse.move(0, 0)
    assert page.url.endswith(PAGE), page.url
    expect(page.locator("#pulse")).to_have_text("Live")


def look(page: Page) -> None:
    """The banner and the strip are readable, and no wider than the window."""
    axe = Axe()
    for width in [1280, 390]:
        for scheme in ["light", "dark"]:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            for rule in axe.run(page).response["violations"]:
                problems.append(f"{width} {scheme}: {rule['id']}: {[node['html'][:200] for node in rule['nodes'][:3]]}")
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if overflow > 0:
                problems.append(f"{width} {scheme}: wider than the window by {overflow} pixels")
    page.set_viewport_size({"width": 1280, "height": 800})


def walk(page: Page, gate: Gate, restart) -> None:
    lost = page.get_by_role("alert")

    step("the strip has the server's name and its state, which is live")
    page.goto(f"http://127.0.0.1:{gate.port}{PAGE}")
    expect(page.locator("#server-strip")).to_have_text("Shop 1")
    log_in(page)
    strip = page.locator("#server-strip")
    expect(strip).to_contain_text("Shop 1")
    expect(strip.get_by_role("link")).to_have_text(re.compile(r"^\d+ errors?$"))
    write("B/B.xml", adapter("B"))
    write("B/B-impl.js", "function run() { return {}; }")
    lamplighter("deploy", "B")
    expect(strip.get_by_role("link")).to_have_text("Ready")
    assert page.title() == "Deliveries – Shop 1 – Lamplighter", page.title()

    step("a page without a connection says so after five seconds")
    begin = time.monotonic()
    gate.cut()
    expect(page.locator("#pulse")).to_have_text("Connecting…")
    expect(lost).to_have_text(re.compile(r"^Not connected since \d\d:\d\d:\d\d; the page shows the state of then\. Reload$"))
    assert time.monotonic() - begin > 4.5, "the banner came too early"
    expect(page.locator("#pulse")).to_have_text("Not connected")
    expect(lost.get_by_role("link", name="Reload")).to_have_attribute("href", PAGE)
    look(page)

    step("it is live again by itself when the connection is back")
    gate.is_open = True
    expect(lost).to_have_count(0)
    expect(page.locator("#pulse")).to_have_text("Live")

    step("after a restart of the server it leads to the login, and back to the page")
    restart()
    expect(lost).to_contain_text("The session has ended. Log in")
    look(page)
    lost.get_by_role("link", name="Log in").click()
    expect(page.get_by_role("heading", name="Log in", level=1)).to_be_visible()
    log_in(page)
    expect(lost).to_have_count(0)


write("A/A.xml", adapter("A"))
write("A/A-impl.js", "function run() { return {}; }")
write("B/B.xml", "<broken")
lamplighter("account", "add", "ann", "--role", "monitor", text=f"{PASSWORD}\n")
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
servers = [start(port)]


def restart() -> None:
    stop(servers.pop())
    servers.append(start(port))


try:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        walk(page, Gate(port), restart)
        chromium.close()
finally:
    for server in servers:
        stop(server)
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
