"""Release notes from Markdown: another function on the runtime and the libraries of the first, with one library more."""
import os
import pathlib

import markdown
from flask import Flask, Response, jsonify, render_template

HERE = pathlib.Path(__file__).resolve().parent

app = Flask(__name__)


def notes():
    return sorted((HERE / "notes").glob("*.md"), reverse=True)


@app.get("/_/health")
def health():
    return Response("ok\n", mimetype="text/plain")


@app.get("/")
def page():
    bodies = [markdown.markdown(note.read_text(encoding="utf-8"), extensions=["tables"]) for note in notes()]
    return render_template("notes.html", title="Release notes", bodies=bodies)


@app.get("/versions")
def versions():
    return jsonify([note.stem for note in notes()])


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ.get("PORT", "8080")), threads=4)
