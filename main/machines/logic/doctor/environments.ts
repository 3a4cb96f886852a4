import { shellWord } from '../../../base';
import { DRIVER_CUDA, LIMITED } from './cuda';
import { valuesIn } from './finding';

/** Packages that are searched for, by the name that they are installed and imported under. */
export const PACKAGES = ['vllm', 'sglang', 'ray', 'marti'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** A Python environment with the installed versions of the packages that we search for, and of torch. */
export type Environment = {
  readonly kind: 'conda' | 'venv' | 'path';
  /** Its folder; of `path` the interpreter itself. */
  readonly path: string;
  readonly python: string;
  readonly versions: ReadonlyMap<string, string>;
  /** The CUDA that its PyTorch is built for, e.g. "12.4". */
  readonly torchCuda: string | null;
};

export type EnvironmentSurvey = {
  readonly environments: readonly Environment[];
  /** Folders that hold MARTI's sources. */
  readonly checkouts: readonly string[];
  /** Lines of `module avail` that mention them. */
  readonly modules: readonly string[];
  /** On this machine, or where its jobs run. */
  readonly hasGpu: boolean;
  readonly isLoginNode: boolean;
  /** The newest CUDA that the driver allows. */
  readonly driverCuda: string | null;
};

/** Enough for a lab's machine; a limit for file servers. */
const MAX_ENVIRONMENTS = 80;

/**
 * Lists environments in the usual places (conda's own list, its usual folders, venvs in the home folder and one below
 * it, the machine's large disks) and reads what is installed from folder names: no interpreter is started but the
 * python3 on the path, which does not lie in its own folder.
 */
export const ENVIRONMENTS_SCRIPT = `
${LIMITED}
user=$(id -un)
{
  for prefix in "\${CONDA_PREFIX:-}" "\${VIRTUAL_ENV:-}"; do [ -n "$prefix" ] && echo "$prefix"; done
  cat "$HOME/.conda/environments.txt" 2>/dev/null
  for base in "$HOME" /opt /data/"$user" /scratch/"$user" /work/"$user" /local/"$user"; do
    for prefix in "$base"/*conda* "$base"/*conda*/envs/* "$base"/*forge* "$base"/*forge*/envs/* "$base"/micromamba/envs/* "$base"/.conda/envs/* \\
      "$base"/.venv "$base"/*/.venv "$base"/*/venv "$base"/venv "$base"/*env "$base"/*envs/* "$base"/*-env "$base"/mars2-* "$base"/.virtualenvs/* "$base"/.pyenv/versions/* "$base"/.local/share/uv/tools/*; do
      [ -d "$prefix" ] && echo "$prefix"
    done
  done
} | while read -r prefix; do
  [ -x "$prefix/bin/python" ] || continue
  if [ -d "$prefix/conda-meta" ]; then echo "conda $prefix"; elif [ -f "$prefix/pyvenv.cfg" ]; then echo "venv $prefix"; else echo "path $prefix"; fi
done | awk '!seen[$0]++' | head -n ${MAX_ENVIRONMENTS} | while read -r kind prefix; do
  echo "environment=$kind $prefix"
  for package in vllm sglang ray marti MARTI torch; do
    for info in "$prefix"/lib/python3*/site-packages/"$package"-*.dist-info "$prefix"/lib/python3*/site-packages/"$package"-*.egg-info; do
      [ -d "$info" ] || continue
      info=\${info##*/}; info=\${info%.*}
      echo "package=$(echo "$package" | tr A-Z a-z) \${info#*-}"
    done
  done
  sed -n "s/^cuda[^=]*= *'\\([0-9.]*\\)'.*/torch-cuda=\\1/p" "$prefix"/lib/python3*/site-packages/torch/version.py 2>/dev/null
done
python=$(command -v python3) && cd / && echo "environment=path $python" && limited 15 "$python" -c '
import importlib.metadata as metadata
for name in ("vllm", "sglang", "ray", "marti", "torch"):
    try:
        print("package=%s %s" % (name, metadata.version(name)))
    except Exception:
        pass
' 2>/dev/null
for folder in "$HOME"/*/marti/__init__.py "$HOME"/*/*/marti/__init__.py /data/"$user"/*/marti/__init__.py /scratch/"$user"/*/marti/__init__.py; do
  [ -f "$folder" ] && echo "checkout=\${folder%/marti/__init__.py}"
done
for device in /dev/nvidia[0-9]* /dev/kfd; do [ -e "$device" ] && { echo "gpu=yes"; break; }; done
PATH="$PATH:/usr/local/nvidia/bin:/usr/lib/wsl/lib"
command -v nvidia-smi >/dev/null 2>&1 && ${DRIVER_CUDA}
if command -v bash >/dev/null 2>&1; then
  limited 15 bash -lc 'type module >/dev/null 2>&1 && module -t avail 2>&1' </dev/null 2>/dev/null | grep -iE 'vllm|sglang|pytorch|(^|/)ray|marti' | head -n 5 | sed 's/^/module=/'
fi
exit 0
`;

/** Reads what `ENVIRONMENTS_SCRIPT` printed. `isLoginNode`: the GPUs are elsewhere. */
export function parseEnvironments(text: string, isLoginNode: boolean): EnvironmentSurvey {
  type Draft = { -readonly [Key in keyof Environment]: Environment[Key] } & { versions: Map<string, string> };
  const environments: Draft[] = [];
  const checkouts: string[] = [];
  const modules: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^([a-z-]+)=(.*)$/.exec(line) ?? [];
    const [first = '', ...rest] = value.split(' ');
    const last = environments.at(-1);
    if (name === 'environment' && (first === 'conda' || first === 'venv' || first === 'path')) {
      const path = rest.join(' ');
      // The interpreter of the path is named itself; everything else is a folder.
      const python = first === 'path' && /\/python3?$/.test(path) ? path : `${path}/bin/python`;
      environments.push({ kind: first, path, python, versions: new Map(), torchCuda: null });
    } else if (name === 'package' && last !== undefined) last.versions.set(first, rest.join(' '));
    else if (name === 'torch-cuda' && last !== undefined) last.torchCuda = value;
    else if (name === 'checkout') checkouts.push(value);
    else if (name === 'module') modules.push(value.slice(0, 100));
  }
  const values = valuesIn(text);
  return {
    environments: environments.filter(({ versions }) => versions.size > 0),
    checkouts: [...new Set(checkouts)],
    modules,
    hasGpu: isLoginNode || values.get('gpu') === 'yes' || values.get('cuda') !== undefined,
    isLoginNode,
    driverCuda: values.get('cuda') || null,
  };
}

/** The environment with the newest version of a package, where it is tried. */
export function newestWith(survey: EnvironmentSurvey, name: PackageName): Environment | null {
  const having = survey.environments.filter(({ versions }) => versions.has(name));
  return having.reduce<Environment | null>(
    (best, environment) =>
      best === null || isNewer(environment.versions.get(name) ?? '', best.versions.get(name) ?? '')
        ? environment
        : best,
    null,
  );
}

/** Set-up line of a launch that uses this environment. */
export function setUpOf({ kind, path }: Environment): string {
  if (kind === 'venv') return `. ${shellWord(`${path}/bin/activate`)}`;
  if (kind === 'conda') return `export PATH=${shellWord(`${path}/bin`)}:"$PATH"`;
  return '';
}

function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => (version.match(/\d+/g) ?? []).slice(0, 4).map(Number));
  for (let position = 0; position < 4; position += 1) {
    const difference = (left?.[position] ?? 0) - (right?.[position] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
