#!/usr/bin/env python3
"""A shop that tells its prices in XML, on 127.0.0.1:18081. PUT /prices/NAME with a number changes one."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

prices = {"lamp": 40.0, "oil": 9.5}


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        articles = "".join(
            f"<article><name>{escape(name)}</name><price>{price}</price></article>" for name, price in prices.items()
        )
        body = f"<prices>{articles}</prices>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        length = int(self.headers["Content-Length"])
        prices[self.path.rsplit("/", 1)[-1]] = float(self.rfile.read(length))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", 18081), Shop).serve_forever()
