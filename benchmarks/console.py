"""Measures the console of a server at port 10088; see benchmarks/console."""

import http.client
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from urllib.parse import urlencode

PID = int(sys.argv[1])
ROUNDS = int(os.environ.get("ROUNDS", "10"))
CALL = "http://127.0.0.1:10088/invoke?adapter=PushAdapter&procedure=submitNotification&parameters=%5B%22eve%22,%22x%22%5D"
PAGES = [
    "", "?range=30d", "deliveries", "users", "users?prefix=user-77", "users/user-77", "devices", "devices?prefix=device-777",
    "devices/com.example.news/device-777", "subscriptions", "adapters", "adapters/PushAdapter", "invoke", "send", "applications",
    "credentials", "sessions", "client-log", "settings", "audit", "log",
]


def connect():
    return http.client.HTTPConnection("127.0.0.1", 10089, timeout=60)


def log_in():
    connection = connect()
    connection.request("GET", "/console/login")
    page = connection.getresponse()
    cookie = page.getheader("Set-Cookie").split(";")[0]
    csrf = re.findall(r'name="csrf" value="([^"]+)"', page.read().decode())[-1]
    connection.request(
        "POST", "/console/login",
        urlencode({"account": "measurer", "password": "a password to measure", "csrf": csrf, "next": "/console"}),
        {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 303, answer.status
    cookies = [value.split(";")[0] for name, value in answer.getheaders() if name == "Set-Cookie"]
    return next(cookie for cookie in cookies if cookie.startswith("lamplighter-console="))


def render(cookie):
    connection = connect()
    print("page: median and largest of 20, in ms")
    for page in PAGES:
        times = []
        for _ in range(20):
            start = time.perf_counter()
            connection.request("GET", f"/console/{page}", headers={"Cookie": cookie})
            answer = connection.getresponse()
            body = answer.read()
            times.append((time.perf_counter() - start) * 1000)
            assert answer.status == 200 and b"<h1>" in body, (page, answer.status)
        print(f"  /console/{page:40} {statistics.median(times):6.1f} {max(times):6.1f}")


def cpu():
    fields = open(f"/proc/{PID}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost_of_calls():
    """CPU of the server for each call, in microseconds, at a rate that leaves it time."""
    start, begun = cpu(), time.perf_counter()
    output = subprocess.run(["wrk", "-t1", "-c8", "-d10s", CALL], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    calls = int(re.search(r"(\d+) requests in", output).group(1))
    spent = cpu() - start
    return spent / calls * 1e6, calls / (time.perf_counter() - begun)


def follow(cookie, streams, received):
    connection = connect()
    connection.request("GET", "/console/live/", headers={"Cookie": cookie})
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    streams.append(connection)
    try:
        while data := answer.read1(65536):
            received.append(len(data))
    except (OSError, AttributeError, ValueError, http.client.HTTPException):
        pass


def cost_with_consoles(cookie):
    streams, received = [], []
    threads = [threading.Thread(target=follow, args=(cookie, streams, received), daemon=True) for _ in range(100)]
    for thread in threads:
        thread.start()
    while len(received) < 100:
        time.sleep(0.1)
    count = len(received)
    begin = cpu()
    time.sleep(5)
    idle = (cpu() - begin) / 5 * 1000
    cost, rate = cost_of_calls()
    events = len(received) - count
    assert events >= 100, "the consoles have got nothing"
    for stream in streams:
        stream.sock.shutdown(2)
    for thread in threads:
        thread.join(timeout=10)
    return cost, rate, events, idle


cookie = log_in()
render(cookie)
print("CPU of a call in us (calls a second): without consoles, with 100 consoles at the overview")
differences = []
for number in range(ROUNDS):
    # In turns, since the machine gets faster and slower.
    if number % 2 == 0:
        cost, rate = cost_of_calls()
        other, other_rate, events, idle = cost_with_consoles(cookie)
    else:
        other, other_rate, events, idle = cost_with_consoles(cookie)
        cost, rate = cost_of_calls()
    differences.append(other - cost)
    print(f"  {cost:6.1f} ({rate:6.0f})  {other:6.1f} ({other_rate:6.0f})  {events} chunks of events; {idle:.1f} ms of CPU a second without calls")
print(f"  median of the differences: {statistics.median(differences):.1f} us")
