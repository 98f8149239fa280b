"""Makes a picture, writes and reads it as JPEG, turns it in three ways and makes a thumbnail."""
import io
import os

from flask import Flask, jsonify
from PIL import Image, ImageFilter

app = Flask(__name__)


def picture():
    file = io.BytesIO()
    Image.effect_mandelbrot((640, 480), (-2.2, -1.2, 1.0, 1.2), 60).convert("RGB").save(file, "JPEG")
    file.seek(0)
    return Image.open(file)


@app.get("/")
def turn():
    image = picture()
    turned = [image.transpose(way) for way in (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180)]
    turned.append(image.rotate(30, expand=True).filter(ImageFilter.BLUR))
    turned[-1].thumbnail((128, 128))
    return jsonify(sizes=[list(one.size) for one in turned])


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
