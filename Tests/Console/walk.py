"""A walk through the console as people use it: see scripts/test-console."""

import base64
import io
import os
import re
import subprocess
import sys
import zipfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

URL, LAMPLIGHTER, PROJECT = sys.argv[1:4]
PHONES = "http://127.0.0.1:2190"
PICTURES = os.environ.get("SCREENSHOTS")
WAIT = 60_000
ROLES = ["monitor", "operator", "deployer", "admin"]
PAGES = [
    "", "log", "settings", "audit", "deliveries", "send", "users", "users/ann", "devices", "devices/News/phone-ann",
    "subscriptions", "credentials", "adapters", "adapters/Prices", "adapters/PushAdapter", "invoke", "applications",
    "applications/News/android/1.0", "sessions", "client-log",
]
expect.set_options(timeout=WAIT)
problems: list[str] = []


def lamplighter(*arguments: str, fails: bool = False) -> str:
    command = [LAMPLIGHTER, *arguments, "--project", PROJECT]
    return subprocess.run(command, check=not fails, capture_output=True, text=True).stdout


def watch(page: Page) -> Page:
    """Notes what the browser complains about: mistakes of the script, and what the Content Security Policy blocks."""
    page.set_default_timeout(WAIT)
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))

    def note(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            problems.append(f"{page.url}: {message.text}")

    page.on("console", note)
    return page


def log_in(page: Page, role: str) -> None:
    page.goto(f"{URL}/")
    page.get_by_label("Account").fill(role)
    page.get_by_label("Password").fill(f"the password of {role}")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()


def step(text: str) -> None:
    print(f"- {text}", flush=True)


def walk(page: Page) -> None:
    step("a wrong password is refused")
    page.goto(f"{URL}/console/deliveries?state=refused")
    page.get_by_label("Account").fill("admin")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("wrong account or password")).to_be_visible()

    step("the login leads to the page that was asked for")
    page.get_by_label("Password").fill("the password of admin")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Deliveries", level=1)).to_be_visible()
    assert "state=refused" in page.url, page.url

    step("the overview says that a poll fails, and since when")
    page.get_by_role("link", name="Overview").click()
    alert = page.locator("p.bad", has_text="the poll of Prices.Feed fails")
    expect(alert).to_be_visible()
    expect(alert.locator("time")).to_have_text(re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"))
    expect(alert.locator("time")).to_have_attribute("title", re.compile(r"UTC$"))
    alert.get_by_role("link", name="See").click()
    expect(page.get_by_role("heading", name="Prices", level=1)).to_be_visible()
    page.get_by_text("Why", exact=True).click()
    expect(page.get_by_label("Why")).to_contain_text("Prices-impl.js:7")
    page.get_by_role("heading", name="Prices", level=1).click()

    step("a procedure that fails shows its stack and line")
    lamplighter("call", "Prices/fail", fails=True)
    errors = page.locator("section", has=page.get_by_role("heading", name="Newest errors"))
    expect(errors.get_by_text("missing").first).to_be_visible()
    errors.get_by_text("Stack").first.click()
    expect(errors.get_by_label("Stack").first).to_contain_text("Prices-impl.js:20")

    step("a procedure is invoked with the names of its parameters, and saved")
    page.get_by_role("link", name="Invoke procedure").click()
    page.get_by_label("Procedure").select_option("Prices/convert")
    expect(page.get_by_text("Parameters: amount, currency.")).to_be_visible()
    page.get_by_label("Parameters", exact=True).fill('12, "EUR"')
    page.get_by_role("button", name="Save in this browser").click()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_label("Answer", exact=True)).to_contain_text("12 EUR")
    expect(page.get_by_text(re.compile(r"in \d+ ms"))).to_be_visible()
    page.get_by_text("Trace", exact=True).click()
    expect(page.get_by_label("Trace", exact=True)).to_contain_text("convert")
    page.get_by_label("Parameters", exact=True).fill("")
    page.get_by_role("button", name='Prices/convert(12, "EUR")', exact=True).click()
    expect(page.get_by_label("Parameters", exact=True)).to_have_value('12, "EUR"')

    step("a mistake in the parameters runs nothing")
    page.get_by_label("Parameters", exact=True).fill("12, EUR")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Parameters: expected JSON values separated by commas")).to_be_visible()
    expect(page.get_by_label("Parameters", exact=True)).to_have_value("12, EUR")

    step("as a user")
    page.get_by_label("Procedure").select_option("Prices/whoAmI")
    page.get_by_label("Parameters", exact=True).fill("")
    page.get_by_label("As user").fill("ann")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_label("Answer", exact=True)).to_contain_text('"user": "ann"')

    step("a delivery arrives live")
    page.get_by_role("link", name="Deliveries").click()
    expect(page.get_by_text("No delivery matches.")).to_be_visible()
    expect(page.locator("#pulse")).to_have_text("Live")
    page.evaluate("""() => {
        window.shift = 0
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value
        }).observe({type: "layout-shift", buffered: false})
    }""")
    lamplighter("call", "PushAdapter/submitNotification", '["bob","Your parcel is here"]')
    row = page.get_by_role("row", name=re.compile("Your parcel is here"))
    expect(row).to_be_visible()
    expect(row.get_by_text("delivered")).to_be_visible()
    expect(row.locator("time")).to_have_text(re.compile("just now|min ago"))
    expect(row.locator("time")).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$"))
    height = row.evaluate("element => element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).fontSize)")
    assert height < 3, f"a row of the deliveries has more than one line: {height} em"
    lamplighter("call", "PushAdapter/submitNotification", '["dora","Your parcel is lost"]')
    lost = page.get_by_role("row", name=re.compile("Your parcel is lost"))
    expect(lost.get_by_text("refused")).to_be_visible()
    shift = page.evaluate("window.shift")
    assert shift == 0, f"the page moved while it was live: {shift}"

    step("a refused delivery is retried")
    lost.get_by_role("button", name=re.compile("^Retry delivery")).click()
    expect(page.get_by_role("status").filter(has_text="was queued again as delivery")).to_be_visible()
    expect(page.get_by_text("INVALID_ARGUMENT").first).to_be_visible()
    expect(page.get_by_label("Request", exact=True)).to_contain_text("Your parcel is lost")

    step("a long reason of a refusal fits the page of the credentials")
    for width in [1280, 390]:
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{URL}/console/credentials")
        reason = page.locator("tr.note .cell").first
        expect(reason).to_contain_text("INVALID_ARGUMENT")
        reason.evaluate("element => { element.textContent = `${'long '.repeat(50)}${'x'.repeat(500)}` }")
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"the credentials at {width} pixels are wider than the window by {overflow} pixels"
    page.set_viewport_size({"width": 1280, "height": 800})

    step("a message is previewed and sent")
    page.get_by_role("link", name="Send a message").click()
    page.get_by_label("To", exact=True).select_option("userIds")
    page.get_by_label("Names").fill("ann")
    page.get_by_label("Text").fill("Dinner at eight")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Apple: 1 device")).to_be_visible()
    expect(page.get_by_role("heading", name="Android: 1 device")).to_be_visible()
    expect(page.get_by_label("Request", exact=True).first).to_contain_text("Dinner at eight")
    assert "Dinner" not in lamplighter("deliveries", "--user", "ann", "--json"), "a preview has sent something"
    page.get_by_role("button", name="Send to 2 devices").click()
    expect(page.get_by_text("Sent to 2 devices.")).to_be_visible()
    expect(page.get_by_role("link", name="2 delivered")).to_be_visible()
    expect(page.get_by_text("Dinner at eight").first).to_be_visible()

    step("an adapter is deployed by upload")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("clock-1.0/Clock.xml", """<?xml version="1.0" encoding="UTF-8"?>
            <wl:adapter name="Clock" xmlns:wl="http://www.worklight.com/integration">
            <displayName>Clock</displayName><connectivity><connectionPolicy/></connectivity><procedure name="now"/></wl:adapter>""")
        archive.writestr("clock-1.0/Clock-impl.js", "function now(zone) { return {zone: zone}; }")
    page.get_by_role("link", name="Adapters").click()
    page.get_by_label("Adapter file").set_input_files(
        {"name": "Clock (1).zip", "mimeType": "application/zip", "buffer": packed.getvalue()})
    page.get_by_role("button", name="Deploy", exact=True).click()
    expect(page.get_by_role("heading", name="Clock", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="now")).to_be_visible()
    page.get_by_role("button", name="Undeploy").click()
    expect(page.get_by_role("heading", name="Undeploy the adapter?")).to_be_visible()
    page.get_by_role("button", name="Undeploy the adapter").click()
    expect(page.get_by_text("Clock was undeployed.")).to_be_visible()
    page.get_by_label("Name of an adapter on the server").fill("Clock")
    page.get_by_role("button", name="Deploy this folder").click()
    expect(page.get_by_text("Clock: deployed.")).to_be_visible()

    step("a version is disabled")
    page.get_by_role("link", name="Applications").click()
    page.get_by_role("link", name="Change News android 1.0").click()
    page.get_by_label("Access").select_option("disabled")
    page.get_by_label("Message to the user").fill("Please update")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Disable News android 1.0?")).to_be_visible()
    page.get_by_role("button", name="Disable the version").click()
    version = page.get_by_role("row", name=re.compile("android"))
    expect(version).to_contain_text("disabled")
    expect(version).to_contain_text("Please update")

    step("a device is blocked and unblocked")
    page.goto(f"{URL}/console/devices/News/phone-bob")
    page.get_by_role("button", name="Block the device").click()
    page.get_by_role("button", name="Block the device").click()
    expect(page.get_by_text("The device is blocked.")).to_be_visible()
    lamplighter("call", "PushAdapter/submitNotification", '["bob","Not for thieves"]')
    blocked = page.get_by_role("row", name=re.compile("Not for thieves"))
    expect(blocked).to_contain_text("the device is blocked")
    page.get_by_role("button", name="Unblock the device").click()
    expect(page.get_by_text("The device is not blocked any more.")).to_be_visible()

    step("a form that is refused keeps its values")
    page.goto(f"{URL}/console/send")
    page.get_by_label("To", exact=True).select_option("tagNames")
    page.get_by_label("Names").fill("nowhere")
    page.get_by_label("Text").fill("Hello")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("target.tagNames")).to_be_visible()
    expect(page.get_by_label("Text")).to_have_value("Hello")

    step("a device is removed, after a question that can be declined")
    page.goto(f"{URL}/console/devices/News/phone-carl")
    page.get_by_role("button", name="Remove the device").click()
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("button", name="Remove the device").click()
    page.get_by_role("button", name="Remove the device").click()
    expect(page.get_by_text("The device 'phone-carl' was removed.")).to_be_visible()

    step("the audit log has every change with its account")
    page.get_by_role("link", name="Audit log").click()
    for kind in [
        "ProcedureInvocation", "DeliveryRetry", "sendMessage", "AdapterDeployment", "AdapterDeletion",
        "ApplicationAccessRuleChange", "DeviceDeletion", "Login",
    ]:
        row = page.get_by_role("row").filter(has=page.get_by_role("cell", name=kind, exact=True))
        expect(row.filter(has=page.get_by_role("cell", name="admin", exact=True)).first).to_be_visible()

    step("the keyboard reaches the page first, and then everything")
    page.goto(f"{URL}/console/deliveries")
    focus_order(page)

    step("a session that ends elsewhere ends the live page")
    expect(page.locator("#pulse")).to_have_text("Live")
    lamplighter("account", "change", "admin", "--role", "admin")
    expect(page.get_by_role("heading", name="Log in", level=1)).to_be_visible()


def focus_order(page: Page) -> None:
    """Everything that can have the focus gets it by Tab, in the order in which it is on the page, and shows it."""
    expected = page.evaluate("""() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
        .filter((element) => element.checkVisibility({visibilityProperty: true}) && element.type !== "hidden").length""")
    seen = []
    for index in range(expected):
        page.keyboard.press("Tab")
        found = page.evaluate("""() => {
            const element = document.activeElement
            const all = [...document.querySelectorAll("*")]
            return [all.indexOf(element), element.textContent.trim().slice(0, 40), getComputedStyle(element).outlineStyle]
        }""")
        if index == 0:
            assert found[1] == "Skip to the page", found
        assert found[2] != "none", f"the focus does not show on {found[1]}"
        seen.append(found[0])
    assert seen == sorted(set(seen)), f"the focus jumps: {seen}"


def roles(browser) -> None:
    for role in ROLES:
        step(f"what the role {role} sees")
        context = browser.new_context()
        page = watch(context.new_page())
        log_in(page, role)
        menu = page.get_by_role("navigation", name="Pages")
        rank = ROLES.index(role)
        for link, least in [("Deliveries", 0), ("Send a message", 1), ("Invoke procedure", 1), ("Audit log", 3)]:
            assert menu.get_by_role("link", name=link, exact=True).count() == (1 if rank >= least else 0), (role, link)
        page.goto(f"{URL}/console/deliveries?state=refused")
        expect(page.get_by_role("row", name=re.compile("Your parcel is lost")).first).to_be_visible()
        assert (page.get_by_role("button", name=re.compile("^Retry")).count() > 0) == (rank >= 1), role
        page.goto(f"{URL}/console/adapters/PushAdapter")
        assert page.get_by_role("button", name="Undeploy").count() == (1 if rank >= 2 else 0), role
        for path, least in [("audit", 3), ("send", 1)]:
            status = page.goto(f"{URL}/console/{path}").status
            assert status == (200 if rank >= least else 403), (role, path, status)
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("heading", name="Log in", level=1)).to_be_visible()
        page.goto(f"{URL}/console/deliveries")
        expect(page.get_by_role("heading", name="Log in", level=1)).to_be_visible()
        context.close()


def look(browser) -> None:
    """axe-core's rules on every page: names, roles, contrast and more, and no page is wider than the window."""
    axe = Axe()
    for width, height in [(1280, 800), (390, 844)]:
        for scheme in ["light", "dark"]:
            step(f"every page at {width} pixels, {scheme}")
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = watch(context.new_page())
            page.goto(f"{URL}/console/login")
            check(page, axe, "login", width, scheme)
            log_in(page, "admin")
            number = re.search(r'"number": ?(\d+)', lamplighter("deliveries", "--json")).group(1)
            message = re.search(r'"message": ?"([^"]+)"', lamplighter("deliveries", "--user", "ann", "--json")).group(1)
            for path in PAGES + [f"deliveries/{number}", f"messages/{message}", "nowhere"]:
                page.goto(f"{URL}/console/{path}")
                name = re.sub(r"^(deliveries|messages)/.+", r"\1-one", path).replace("/", "-") or "overview"
                check(page, axe, name, width, scheme)
            page.goto(f"{URL}/console/deliveries/{number}")
            page.goto(f"{URL}/console/send?target=everybody&alert=Hello")
            page.get_by_role("button", name="Preview").click()
            check(page, axe, "send-preview", width, scheme)
            page.goto(f"{URL}/console/devices/News/phone-ann")
            page.get_by_role("button", name="Remove the device").click()
            check(page, axe, "question", width, scheme)
            page.goto(PHONES)
            expect(page.get_by_text("Your parcel is here").first).to_be_visible()
            check(page, axe, "phones", width, scheme)
            if width < 900:
                page.goto(f"{URL}/console")
                page.get_by_text("Menu", exact=True).click()
                check(page, axe, "menu", width, scheme)
            context.close()


def check(page: Page, axe: Axe, name: str, width: int, scheme: str) -> None:
    found = axe.run(page).response["violations"]
    for rule in found:
        for node in rule["nodes"][:3]:
            problems.append(f"{name} {width} {scheme}: {rule['id']}: {node['html'][:200]}: {node['failureSummary']}")
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if overflow > 0:
        problems.append(f"{name} {width} {scheme}: wider than the window by {overflow} pixels")
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}-{width}-{scheme}.png", full_page=True)


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, timezone_id="America/New_York")
    walk(watch(context.new_page()))
    context.close()
    roles(chromium)
    look(chromium)
    chromium.close()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
