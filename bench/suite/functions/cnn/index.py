"""Classifies a picture with a convolutional network by ONNX Runtime."""
import os
import pathlib

import numpy
import onnxruntime
from flask import Flask, jsonify
from PIL import Image

MODEL = onnxruntime.InferenceSession(
    str(pathlib.Path(__file__).resolve().parent / "model.onnx"), providers=["CPUExecutionProvider"])

app = Flask(__name__)


@app.get("/")
def classify():
    picture = Image.effect_mandelbrot((640, 480), (-2.2, -1.2, 1.0, 1.2), 60).convert("RGB").resize((224, 224))
    values = numpy.asarray(picture, numpy.float32).transpose(2, 0, 1)[None] / 255
    chances = MODEL.run(None, {"picture": values})[0][0]
    return jsonify(classes=len(chances), certain=bool(abs(chances.sum() - 1) < 1e-3))


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
