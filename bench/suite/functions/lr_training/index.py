"""Trains a logistic regression on words: which of two kinds of review a text is."""
import os
import random

import pandas
from flask import Flask, jsonify
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

GOOD = "warm quick friendly fresh clean bright tasty generous".split()
BAD = "cold slow rude stale dirty dark bland stingy".split()
NEUTRAL = "table waiter soup window door street price evening".split()

app = Flask(__name__)


def reviews(count):
    chance = random.Random(11)
    for i in range(count):
        words = chance.choices((GOOD, BAD)[i % 2], k=4) + chance.choices(NEUTRAL, k=8)
        chance.shuffle(words)
        yield {"text": " ".join(words), "good": i % 2 == 0}


@app.get("/")
def train():
    frame = pandas.DataFrame(reviews(600))
    words = TfidfVectorizer(min_df=2)
    model = LogisticRegression(max_iter=200).fit(words.fit_transform(frame["text"][:500]), frame["good"][:500])
    score = model.score(words.transform(frame["text"][500:]), frame["good"][500:])
    return jsonify(rows=len(frame), words=len(words.vocabulary_), score=score)


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
