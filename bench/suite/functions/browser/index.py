"""Renders a page in a headless Chromium, and answers with what its script has made of it."""
import os
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer

PAGE = """data:text/html,<ul id=stock></ul><script>
for (const [name, price] of [['Anemometer', 149], ['Barometer', 89.5], ['Rain gauge', 24.5]]) {
  const row = document.createElement('li');
  row.textContent = name + ': ' + price;
  document.getElementById('stock').append(row);
}
</script>""".replace("\n", "")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--user-data-dir=/tmp/browser", "--dump-dom", PAGE],
            capture_output=True, env={**os.environ, "HOME": "/tmp"}, timeout=60, check=False)
        body = done.stdout
        self.send_response(200 if done.returncode == 0 else 500)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("0.0.0.0", int(os.environ["PORT"])), Handler).serve_forever()
