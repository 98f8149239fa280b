#!/usr/bin/env python3
"""A proxy between a node and its service that breaks answers as it is ordered. usage: fault_proxy.py PORT SERVICE-PORT

PUT /__rules [RULE...]  replaces the rules and lets go what the old ones hold
GET /__state            {"injected": answers that were broken, "held": requests that wait now}

A rule has "prefix" (of the path), "action", and "count" (how often; without it always). Actions:
  status   answers "status" without asking the service
  hold     waits after "after" bytes of the body until the rules are replaced, then goes on
  mute     as hold, then closes the connection
  cut      resets the connection after "after" bytes of the body
  corrupt  flips a bit of the body's byte "after"
  drip     sends the body at "rate" bytes a second
"""
import http.client
import http.server
import json
import socket
import struct
import sys
import threading

PIECE = 16384
OWN_HEADERS = ("connection", "transfer-encoding", "content-length")


class Rules:
    """The rules in force and what they did. Thread-safe."""

    def __init__(self):
        self.lock = threading.Lock()
        self.rules, self.injected, self.held = [], 0, 0
        self.replaced = threading.Event()

    def replace(self, rules):
        with self.lock:
            self.rules = rules
            self.replaced.set()
            self.replaced = threading.Event()

    def match(self, path):
        """The rule for one request, counted, and the event of its end."""
        with self.lock:
            for rule in self.rules:
                if path.startswith(rule["prefix"]) and rule.get("count", 1) > 0:
                    if "count" in rule:
                        rule["count"] -= 1
                    if rule["action"] != "hold":
                        self.injected += 1
                    return rule, self.replaced
            return {"action": "pass"}, self.replaced

    def wait(self, replaced, seconds=None):
        if seconds is None:
            with self.lock:
                self.held += 1
        try:
            replaced.wait(seconds)
        finally:
            if seconds is None:
                with self.lock:
                    self.held -= 1


RULES = Rules()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format, *args):
        pass

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def answer(self, status, text):
        body = text.encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reset(self):
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def handle_any(self):
        try:
            self.proxy()
        except (OSError, http.client.HTTPException):
            # Either side has gone: the other is to see a broken connection, not an answer of ours.
            self.reset()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any

    def finish(self):
        try:
            super().finish()
        except OSError:
            pass

    def proxy(self):
        body = self.body()
        if self.path == "/__rules":
            RULES.replace(json.loads(body))
            return self.answer(200, "{}")
        if self.path == "/__state":
            return self.answer(200, json.dumps({"injected": RULES.injected, "held": RULES.held}))
        rule, replaced = RULES.match(self.path)
        if rule["action"] == "status":
            return self.answer(rule["status"], '{"detail": "injected"}')
        upstream = http.client.HTTPConnection("127.0.0.1", SERVICE, timeout=120)
        try:
            headers = {k: v for k, v in self.headers.items() if k.lower() not in OWN_HEADERS}
            upstream.request(self.command, self.path, body or None, headers)
            self.send(upstream.getresponse(), rule, replaced)
        finally:
            upstream.close()

    def send(self, answer, rule, replaced):
        action, after, sent = rule["action"], rule.get("after", 0), 0
        empty = self.command == "HEAD" or answer.status in (204, 304)
        chunked = not empty and answer.getheader("Content-Length") is None
        if after == 0 and action in ("hold", "mute"):
            RULES.wait(replaced)
            if action == "mute":
                return self.reset()
            action = "pass"
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "keep-alive"):
                self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while not empty and (piece := answer.read1(max(1, rule["rate"] // 10) if action == "drip" else PIECE)):
            at = after - sent
            if action == "drip":
                RULES.wait(replaced, 0.1)
                if replaced.is_set():
                    action = "pass"
            elif action != "pass" and at < len(piece):
                if action == "corrupt":
                    piece = piece[:at] + bytes([piece[at] ^ 0x10]) + piece[at + 1:]
                else:
                    self.write(piece[:at], chunked)
                    if action == "hold":
                        RULES.wait(replaced)
                        piece, sent = piece[at:], sent + at
                    elif action == "mute":
                        RULES.wait(replaced)
                        return self.reset()
                    else:
                        return self.reset()
                action = "pass"
            self.write(piece, chunked)
            sent += len(piece)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def write(self, piece, chunked):
        if piece:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            self.wfile.flush()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def server_bind(self):
        # HTTPServer's own queries the name server for this machine's name.
        socket_server = super(http.server.HTTPServer, self)
        socket_server.server_bind()
        self.server_name, self.server_port = self.server_address[:2]


if __name__ == "__main__":
    SERVICE = int(sys.argv[2])
    Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
