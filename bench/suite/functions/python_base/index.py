"""Says hello with nothing but the runtime: the function whose start brings the runtime's base to a node."""
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello\n")


ThreadingHTTPServer(("0.0.0.0", int(os.environ["PORT"])), Hello).serve_forever()
