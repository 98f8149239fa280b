"""Encrypts with AES in counter mode, in plain Python: first the standard's own example, then a longer text."""
import os

import pyaes
from flask import Flask, jsonify

# NIST SP 800-38A, F.5.1.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
COUNTER = 0xF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF
PLAIN = bytes.fromhex("6bc1bee22e409f96e93d7e117393172a")

app = Flask(__name__)


def cipher():
    return pyaes.AESModeOfOperationCTR(KEY, counter=pyaes.Counter(initial_value=COUNTER))


@app.get("/")
def encrypt():
    text = b"a message of some length, encrypted and decrypted again " * 100
    same = cipher().decrypt(cipher().encrypt(text)) == text
    return jsonify(block=cipher().encrypt(PLAIN).hex(), same=same)


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
