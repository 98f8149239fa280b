"""Looks for faces and eyes in a drawn portrait, by OpenCV's cascades."""
import os

import cv2
import numpy
from flask import Flask, jsonify

FACES = cv2.CascadeClassifier(os.path.join(cv2.data.haarcascades, "haarcascade_frontalface_default.xml"))

app = Flask(__name__)


def portrait():
    image = numpy.full((360, 360, 3), 120, numpy.uint8)
    cv2.ellipse(image, (180, 190), (80, 108), 0, 0, 360, (190, 200, 225), -1)
    cv2.ellipse(image, (180, 110), (84, 50), 0, 180, 360, (35, 40, 50), -1)
    for x in (148, 212):
        cv2.ellipse(image, (x, 168), (22, 9), 0, 0, 360, (90, 100, 120), -1)
        cv2.circle(image, (x, 168), 8, (20, 20, 20), -1)
        cv2.ellipse(image, (x, 148), (24, 5), 0, 0, 360, (40, 45, 60), -1)
    cv2.ellipse(image, (180, 205), (12, 28), 0, 0, 360, (205, 215, 240), -1)
    cv2.ellipse(image, (180, 228), (16, 5), 0, 0, 360, (120, 130, 160), -1)
    cv2.ellipse(image, (180, 255), (32, 9), 0, 0, 360, (70, 70, 140), -1)
    return cv2.GaussianBlur(image, (9, 9), 0)


@app.get("/")
def detect():
    encoded = cv2.imencode(".jpg", portrait())[1]
    grey = cv2.cvtColor(cv2.imdecode(encoded, cv2.IMREAD_COLOR), cv2.COLOR_BGR2GRAY)
    faces = FACES.detectMultiScale(grey, scaleFactor=1.05, minNeighbors=2)
    return jsonify(faces=len(faces))


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
