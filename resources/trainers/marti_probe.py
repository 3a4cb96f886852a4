"""Checks whether a machine is ready for a MARTI training: python3 - JSON

The argument is {"checkout", "data", "output", "models", "packages", "splits", "ownRay"}; prints one line of JSON
after a marker. Changes nothing, and imports only the standard library.
"""

import glob
import importlib.metadata
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys

MARKER = "@mars2-probe@"
#: A row with all its tests can take some megabytes.
FIRST_ROW_BYTES = 32 * 1024 * 1024
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")


def version_of(package):
    try:
        if importlib.util.find_spec(package) is None:
            return None
    except (ImportError, ValueError):
        return None
    for name in (package, package.replace("_", "-")):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def probe_checkout(folder):
    entry = os.path.join(folder, "examples", "mars2", "multi_agent_train_ppo_ray.py")
    return {
        "isThere": os.path.isdir(folder),
        "hasEntry": os.path.isfile(entry),
        "hasPackage": os.path.isdir(os.path.join(folder, "marti")),
        "commit": output_of("git", "-C", folder, "rev-parse", "HEAD"),
        "changes": output_of("git", "-C", folder, "status", "--porcelain", "--untracked-files=no"),
    }


def first_row(path):
    with open(path, encoding="utf-8") as file:
        text = file.read(FIRST_ROW_BYTES).lstrip()
    start = text.find("{")
    if start < 0:
        return None
    try:
        row, _ = json.JSONDecoder().raw_decode(text[start:])
    except ValueError:
        return None
    return row


def probe_split(folder, split):
    """`datasets` uses every file whose name contains the name of the split."""
    files = sorted(path for ending in ("json", "jsonl") for path in glob.glob(os.path.join(folder, f"*.{ending}")))
    matching = [path for path in files if split in os.path.basename(path)]
    try:
        row = first_row(matching[0]) if matching else None
    except (OSError, UnicodeDecodeError):
        row = None
    return {"files": [os.path.basename(path) for path in matching], "fields": sorted(row) if row else None}


def probe_model(model):
    folder = os.path.expanduser(model)
    if not os.path.isdir(folder):
        cache = os.environ.get("HF_HUB_CACHE") or os.path.join(
            os.environ.get("HF_HOME") or os.path.expanduser("~/.cache/huggingface"), "hub"
        )
        cached = sorted(glob.glob(os.path.join(cache, "models--" + model.replace("/", "--"), "snapshots", "*")))
        folder = cached[-1] if cached else None
    if folder is None:
        return {"model": model, "place": None, "bytes": 0}
    weights = [path for path in glob.glob(os.path.join(folder, "*")) if path.endswith(WEIGHTS)]
    return {"model": model, "place": folder, "bytes": sum(os.path.getsize(path) for path in weights)}


def probe_disk(folder):
    place = os.path.abspath(folder)
    while not os.path.exists(place):
        place = os.path.dirname(place)
    usage = shutil.disk_usage(place)
    return {"place": place, "free": usage.free, "total": usage.total, "canWrite": os.access(place, os.W_OK)}


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def main(question):
    checkout, data, output = (os.path.expanduser(question[name]) for name in ("checkout", "data", "output"))
    return {
        "executable": sys.executable,
        "version": list(sys.version_info[:3]),
        "packages": {package: version_of(package) for package in question["packages"]},
        "checkout": probe_checkout(checkout),
        "data": {
            "isThere": os.path.isdir(data),
            "splits": {split: probe_split(data, split) for split in question["splits"]},
        },
        "models": [probe_model(model) for model in question["models"]],
        "disk": probe_disk(output),
        "portIsFree": is_free(8265) if question["ownRay"] else None,
    }


print(MARKER + json.dumps(main(json.loads(sys.argv[1]))))
