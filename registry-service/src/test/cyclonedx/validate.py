#!/usr/bin/env python3
"""Prints what is wrong with a CycloneDX 1.6 document, by the schemas beside this file. usage: validate.py DOCUMENT"""

import json
import os
import sys

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


schema = load("bom-1.6.schema.json")
parts = {part["$id"]: part for part in map(load, ("spdx.schema.json", "jsf-0.82.schema.json"))}
with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
resolver = jsonschema.RefResolver(schema["$id"], schema, store=parts)
errors = list(jsonschema.Draft7Validator(schema, resolver=resolver).iter_errors(document))
for error in errors:
    print("%s: %s" % ("/".join(map(str, error.path)), error.message))
sys.exit(1 if errors else 0)
