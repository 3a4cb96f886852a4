import { type ScriptPart, shellWord } from '../../../base';

/** Prints the version of this Python and what is installed for it, as `pip freeze` does. Python 3.8 or newer. */
const LIST_PACKAGES = `
import json, sys
print("executable " + sys.executable)
print("version " + sys.version.split()[0])
try:
    from importlib import metadata
except ImportError:
    print("problem old-python")
    sys.exit()
seen = set()
for found in metadata.distributions():
    try:
        name, version = found.metadata["Name"], found.version
        if not name or name.lower() in seen:
            continue
        seen.add(name.lower())
        line = name + "==" + str(version)
        origin = json.loads(found.read_text("direct_url.json") or "{}")
        if "vcs_info" in origin:
            line += " @ " + origin["url"] + "@" + origin["vcs_info"].get("commit_id", "")
        elif "dir_info" in origin:
            line += " @ " + origin["url"] + (" (editable)" if origin["dir_info"].get("editable") else "")
        print("package " + " ".join(line.split()))
    except Exception:
        print("problem package")
`;

/**
 * The Python that runs the command: named in it, or in the first line of the program that it starts (vllm, torchrun). The
 * first that answers counts. In a container: its Python, where a second one of the same image can be asked.
 */
export const PACKAGES_PART: ScriptPart = {
  name: 'packages',
  body: `
  if [ -n "$in_container" ]; then
    (cd / && python_of_image -c ${shellWord(LIST_PACKAGES)}) </dev/null >"$work/packages"
    [ -s "$work/packages" ] && without_secrets <"$work/packages" || echo 'problem in-container'
    return
  fi
  interpreter_of() {
    case \${1##*/} in
      python | python[0-9]*) printf '%s\\n' "$1" ;;
      llama-server | ollama)
        printf 'engine %s: %s\\n' "\${1##*/}" "$(limited 5 "$1" --version </dev/null 2>&1 | grep -i version | head -n 1)" >&3 ;;
      *)
        head -c 300 "$1" | tr -d '\\000' >"$work/head"
        { IFS= read -r first; IFS= read -r second; } <"$work/head"
        case $first in
          '#!'*python*)
            set -f; set -- \${first#'#!'}; set +f
            case $1 in */env) command -v -- "\${2:-python3}" ;; *) printf '%s\\n' "$1" ;; esac ;;
          # A path too long for a first line.
          '#!/bin/sh') printf '%s\\n' "$second" |
            sed -n "s/^'''exec' *\\"\\([^\\"]*python[0-9.]*\\)\\".*/\\1/p; s/^'''exec' *\\([^\\" ]*python[0-9.]*\\) .*/\\1/p" ;;
        esac ;;
    esac
  }
  programs_of >"$work/programs"
  while IFS= read -r word; do
    path=$(program_path "$word")
    [ -f "$path" ] && [ -x "$path" ] || continue
    python=$(interpreter_of "$path" 3>>"$work/engines")
    [ -n "$python" ] || continue
    (cd / && limited 15 "$python" -c ${shellWord(LIST_PACKAGES)}) </dev/null >"$work/packages"; code=$?
    [ -s "$work/packages" ] || { printf 'problem python %s %s\\n' "$code" "$python"; continue; }
    [ "$code" -eq 0 ] || echo 'problem package'
    without_secrets <"$work/packages"
    break
  done <"$work/programs"
  [ ! -s "$work/engines" ] || cat "$work/engines"`,
};
