"""Compresses a file of one megabyte that it writes first, and reads it back."""
import gzip
import os
import random
import tempfile

from flask import Flask, jsonify

WORDS = "anemometer barometer hygrometer thermometer gauge vane mast shield station sensor".split()

app = Flask(__name__)


@app.get("/")
def compress():
    text = " ".join(random.Random(7).choices(WORDS, k=110_000))[:1_000_000].encode()
    with tempfile.NamedTemporaryFile(suffix=".gz") as file:
        with gzip.open(file.name, "wb", compresslevel=6) as out:
            out.write(text)
        packed = os.path.getsize(file.name)
        with gzip.open(file.name, "rb") as read:
            same = read.read() == text
    return jsonify(characters=len(text), same=same, smaller=packed < len(text) // 3)


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
