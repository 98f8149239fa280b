"""Writes a name, letter by letter, with a recurrent network of TensorFlow whose weights are drawn from a fixed seed."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy
import tensorflow
from flask import Flask, jsonify

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTH = 12

app = Flask(__name__)


def network():
    tensorflow.keras.utils.set_random_seed(5)
    return tensorflow.keras.layers.GRUCell(64), tensorflow.keras.layers.Dense(len(LETTERS))


@app.get("/")
def write():
    cell, letters = network()
    state = tensorflow.zeros((1, 64))
    name = "f"
    while len(name) < LENGTH:
        letter = tensorflow.one_hot([LETTERS.index(name[-1])], len(LETTERS))
        output, state = cell(letter, state)
        state = state[0] if isinstance(state, (list, tuple)) else state
        name += LETTERS[int(numpy.argmax(letters(output)))]
    return jsonify(length=len(name), starts=name[0])


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
