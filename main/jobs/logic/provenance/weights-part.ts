import type { ScriptPart } from '../../../base';

/** Bytes of weights that are read for their digests at one start: a second or two. */
const MAX_READ_BYTES = 268_435_456;
const MAX_FILES = 60;

/**
 * Weights by what the hub's cache knows of them (a file's name there is its SHA-256, a snapshot's its commit); elsewhere
 * small files are read, and large ones identified by size and time alone.
 */
export const WEIGHTS_PART: ScriptPart = {
  name: 'weights',
  body: `
  left=${MAX_READ_BYTES}
  file_facts() {
    facts=$(facts_of "$1")
    [ -n "$facts" ] || return
    bytes=\${facts%% *}
    digest=-
    target=$(readlink -- "$1")
    hash=\${target##*/}
    case $target in *blobs/*) [ "\${#hash}" -eq 64 ] && digest=$hash ;; esac
    if [ "$digest" = - ] && [ "$bytes" -le "$left" ]; then
      left=$((left - bytes))
      digest=$(digest_of "$1")
    fi
    printf 'file %s %s %s\\n' "$facts" "\${digest:--}" "$2"
  }
  weights_of >"$work/weights"
  while IFS= read -r name; do
    [ -n "$name" ] || continue
    printf 'weights %s\\n' "$name"
    path=$(home_path "$name")
    case $path in /*) ;; *) [ ! -e "$cwd/$path" ] || path=$cwd/$path ;; esac
    if [ ! -e "$path" ]; then
      hub=\${HF_HUB_CACHE:-\${HF_HOME:-$HOME/.cache/huggingface}/hub}
      cached=$hub/models--$(printf '%s' "\${name%%:*}" | sed 's#/#--#g')
      commit=\${revision:-main}
      [ ! -f "$cached/refs/$commit" ] || commit=$(head -c 100 "$cached/refs/$commit")
      path=$cached/snapshots/$commit
    fi
    [ -e "$path" ] || continue
    printf 'path %s\\n' "$path"
    if [ -f "$path" ]; then file_facts "$path" "\${path##*/}"; continue; fi
    case $(cd "$path" && pwd -P) in
      */snapshots/*) found=$(cd "$path" && pwd -P); found=\${found##*/snapshots/}; printf 'revision %s\\n' "\${found%%/*}" ;;
      *)
        note=$path/.cache/huggingface/download/config.json.metadata
        [ ! -f "$note" ] || printf 'revision %s\\n' "$(head -n 1 "$note" | head -c 100)" ;;
    esac
    count=0
    for file in "$path"/*.json "$path"/*.safetensors "$path"/*.gguf "$path"/*.bin "$path"/*.pt "$path"/*.pth "$path"/*.npz; do
      [ -f "$file" ] && [ "$count" -lt ${MAX_FILES} ] || continue
      count=$((count + 1))
      file_facts "$file" "\${file##*/}"
    done
  done <"$work/weights"`,
};
