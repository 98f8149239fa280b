#!/usr/bin/env python3
"""Makes JSON schemas, one file per kind, of Kubernetes' own OpenAPI document: as strict as its API server.

usage: schemas.py SWAGGER.JSON DIR   the files are named as kubeconform looks for them
"""

import json
import os
import sys

# The document calls them strings; the API server takes numbers, too.
LOOSE = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["string", "integer"]},
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["string", "number"]},
}


def strict(definition):
    """A field that Kubernetes does not know is an error."""
    if "properties" in definition:
        definition = {**definition, "additionalProperties": False}
    return definition


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value.rsplit("/", 1)[1]
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def main(swagger, directory):
    with open(swagger, encoding="utf-8") as file:
        definitions = {name: LOOSE.get(name, strict(d)) for name, d in json.load(file)["definitions"].items()}
    os.makedirs(directory, exist_ok=True)
    for name, definition in definitions.items():
        for kind in definition.get("x-kubernetes-group-version-kind", []):
            if kind["kind"].endswith("List") or kind["kind"].endswith("Options"):
                continue
            wanted, used = [name], {}
            while wanted:
                one = wanted.pop()
                if one not in used:
                    used[one] = definitions[one]
                    wanted.extend(references(definitions[one]))
            parts = [kind["kind"]] + ([kind["group"].split(".")[0]] if kind["group"] else []) + [kind["version"]]
            with open(os.path.join(directory, "-".join(parts).lower() + ".json"), "w", encoding="utf-8") as file:
                json.dump({"$ref": "#/definitions/" + name, "definitions": used}, file)


main(*sys.argv[1:])
