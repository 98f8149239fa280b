#!/usr/bin/env python3
"""Holds docker/compose.yaml against the Compose specification's schema, and against this project's own rules.

usage: compose.py SCHEMA.JSON
"""

import json
import os
import re
import sys

import jsonschema
import yaml

docker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docker")
with open(os.path.join(docker, "compose.yaml"), encoding="utf-8") as file:
    compose = yaml.safe_load(file)
with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
errors = ["%s: %s" % ("/".join(map(str, e.path)), e.message) for e in jsonschema.Draft7Validator(schema).iter_errors(compose)]

bind = re.compile(r"^(\$\{[A-Z_]+:-)?127\.0\.0\.1\}?:[0-9]+:[0-9]+$")
for name, service in compose["services"].items():
    errors += ["%s: port %s is not on loopback by default" % (name, p) for p in service.get("ports", []) if not bind.match(p)]
    if "healthcheck" not in service:
        errors.append(name + ": has no health check")
    for wanted in service.get("secrets", []):
        source = wanted if isinstance(wanted, str) else wanted["source"]
        if source not in compose["secrets"]:
            errors.append("%s: there is no secret %s" % (name, source))
    for key, value in service.get("environment", {}).items():
        if re.search("PASSWORD|TOKEN|SECRET", key) and not key.endswith("_FILE"):
            errors.append("%s: %s is in the environment: %s" % (name, key, value))
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith("./") and not os.path.exists(os.path.join(docker, source)):
            errors.append("%s: there is no %s" % (name, source))
        elif not source.startswith("./") and source not in compose["volumes"]:
            errors.append("%s: there is no volume %s" % (name, source))
    if not service["image"].split(":-")[0].startswith("${"):
        errors.append("%s: its image cannot be chosen" % name)


def jobs(name):
    """The names that Prometheus' rules and the board know processes by."""
    with open(os.path.join(docker, "prometheus", name), encoding="utf-8") as file:
        return {job["job_name"] for job in yaml.safe_load(file)["scrape_configs"]}


errors += ["prometheus/compose.yml: no rule knows the job " + job for job in jobs("compose.yml") - jobs("prometheus.yml")]
for error in errors:
    print(error)
sys.exit(1 if errors else 0)
