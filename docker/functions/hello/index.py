"""An order page: what a small web function does. Heavy libraries are loaded by the requests that need them."""
import os
import pathlib

import yaml
from chameleon import PageTemplateLoader
from flask import Flask, Response, jsonify, render_template, request

HERE = pathlib.Path(__file__).resolve().parent
CATALOGUE = yaml.safe_load((HERE / "catalogue.yaml").read_text(encoding="utf-8"))
TABLES = PageTemplateLoader(str(HERE / "templates"), default_extension=".pt")

app = Flask(__name__)


@app.get("/_/health")
def health():
    return Response("ok\n", mimetype="text/plain")


@app.get("/")
def page():
    rows = CATALOGUE["items"]
    table = TABLES["table"](rows=rows, total=sum(row["price"] * row["stock"] for row in rows))
    return render_template("page.html", title=CATALOGUE["title"], table=table)


@app.get("/statistics")
def statistics():
    import numpy

    prices = numpy.array([row["price"] for row in CATALOGUE["items"]])
    return jsonify(mean=float(prices.mean()), deviation=float(prices.std()))


@app.post("/thumbnail")
def thumbnail():
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(request.get_data()))
    image.thumbnail((128, 128))
    out = io.BytesIO()
    image.convert("RGB").save(out, "JPEG")
    return Response(out.getvalue(), mimetype="image/jpeg")


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ.get("PORT", "8080")), threads=4)
