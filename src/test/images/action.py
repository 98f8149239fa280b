"""An action's container for OpenWhisk: /init takes Python code once, /run calls its main function."""
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MARKER = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX"
functions = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            code, answer = (self.init if self.path == "/init" else self.run)(body["value"])
        except Exception as failure:
            code, answer = 502, {"error": repr(failure)}
        content = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def init(self, value):
        if functions:
            return 403, {"error": "Cannot initialize the action more than once."}
        exec(value["code"], functions)
        return 200, {"ok": True}

    def run(self, value):
        answer = functions["main"](value)
        print(MARKER, flush=True)
        print(MARKER, file=sys.stderr, flush=True)
        return 200, answer

    def log_message(self, format, *arguments):
        pass


if __name__ == "__main__":
    print("listening", time.time(), flush=True)
    ThreadingHTTPServer(("", 8080), Handler).serve_forever()
