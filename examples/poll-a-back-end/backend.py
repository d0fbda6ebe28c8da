#!/usr/bin/env python3
"""A back end with messages: POST /messages adds one, GET /messages hands out all that wait, each once."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

waiting = []
lock = Lock()


class Messages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with lock:
            messages, waiting[:] = waiting[:], []
        self.answer(200, {"messages": messages})

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            waiting.append(message)
        self.answer(201, {"accepted": True})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 18080
    server = ThreadingHTTPServer(("127.0.0.1", port), Messages)
    print(f"messages wait at http://127.0.0.1:{server.server_port}/messages", flush=True)
    server.serve_forever()
