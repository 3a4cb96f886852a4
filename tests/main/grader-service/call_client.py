"""Calls the client as trainers do: `call_client.py FILE`, a JSON line {"name", "arguments"} for each call."""

import importlib.util
import json
import sys

# As verl and others load a reward function: by the path of its file.
spec = importlib.util.spec_from_file_location("custom_module", sys.argv[1])
assert spec is not None
assert spec.loader is not None
module = importlib.util.module_from_spec(spec)
sys.modules["custom_module"] = module
spec.loader.exec_module(module)

for line in sys.stdin:
    call = json.loads(line)
    function = getattr(module, call["name"])
    if "settings" in call:
        function = function(**call["settings"])
    try:
        given = call["arguments"]
        answer = {"value": function(**given) if isinstance(given, dict) else function(*given)}
    except module.GraderError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
