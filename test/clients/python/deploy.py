"""Judges what deploy/ holds by the programs' own schemas, and prints what is wrong with it as JSON.

    deploy.py manifests FILE   Kubernetes manifests (a JSON list), by the schemas of kubernetes-validate, strictly
    deploy.py board FILE       a Grafana board, by Grafana's own types: fields that they do not know are lost on the way
"""

import json
import sys

VERSIONS = [f"1.{minor}" for minor in range(25, 38)]


def faults_of_manifests(manifests):
    import kubernetes_validate

    faults = []
    for manifest in manifests:
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(manifest, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                faults.append(f"{manifest['kind']} {manifest['metadata']['name']}, {version}: {error.message}")
    return faults


def faults_of_board(board):
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.cog.plugins import register_default_plugins
    from grafana_foundation_sdk.models.dashboard import Dashboard

    register_default_plugins()
    read = json.loads(JSONEncoder().encode(Dashboard.from_json(board)))
    return list(differences(board, read, ""))


def differences(given, read, path):
    if isinstance(given, dict) and isinstance(read, dict):
        for key, value in given.items():
            if key in read:
                yield from differences(value, read[key], f"{path}/{key}")
            else:
                yield f"{path}/{key}: unknown"
    elif isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        for place, (value, other) in enumerate(zip(given, read)):
            yield from differences(value, other, f"{path}/{place}")
    elif given != read:
        yield f"{path}: {given!r} is read as {read!r}"


if __name__ == "__main__":
    kind, file = sys.argv[1:]
    judge = {"manifests": faults_of_manifests, "board": faults_of_board}[kind]
    with open(file, encoding="utf-8") as content:
        print(json.dumps({"faults": judge(json.load(content))}))
