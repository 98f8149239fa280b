"""Turns a document of 2,000 orders into JSON text and back."""
import json
import os

from flask import Flask, jsonify

app = Flask(__name__)


def orders():
    return [{"id": i, "item": f"part-{i % 97}", "price": i * 0.25, "tags": ["new", "heavy"][: i % 3]} for i in range(2000)]


@app.get("/")
def convert():
    text = json.dumps({"orders": orders()}, indent=1, sort_keys=True)
    read = json.loads(text)["orders"]
    return jsonify(characters=len(text), orders=len(read), value=sum(order["price"] for order in read))


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
