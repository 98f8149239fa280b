"""A dense network of PyTorch, its weights drawn from a fixed seed, that classifies one row."""
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

import torch
from torch import nn

torch.manual_seed(3)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10), nn.Softmax(dim=1)).eval()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        with torch.no_grad():
            scores = model(torch.ones(1, 64))[0]
        body = json.dumps({"classes": len(scores), "sum": round(float(scores.sum()), 3)}, separators=(",", ":")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("0.0.0.0", int(os.environ["PORT"])), Handler).serve_forever()
