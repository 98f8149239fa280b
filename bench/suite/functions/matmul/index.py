"""Multiplies two matrices of 200 by 200."""
import os

import numpy
from flask import Flask, jsonify

SIZE = 200

app = Flask(__name__)


@app.get("/")
def multiply():
    left = numpy.arange(SIZE * SIZE, dtype=numpy.float64).reshape(SIZE, SIZE)
    return jsonify(trace=int(numpy.matmul(left, left.T).trace()))


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
