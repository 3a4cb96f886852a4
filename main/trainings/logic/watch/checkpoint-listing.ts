import type { TrainingCheckpoint } from '../../../../preload/contract';
import { shellPath, shellWord } from '../../../base';

/** A folder on the machine that holds checkpoints. */
export type CheckpointFolder = {
  readonly path: string;
  /** The agent they belong to; null: their names tell, or there is only one agent. */
  readonly agentId: string | null;
  /**
   * own: files `<agent>-<updates>.json` of pocket policies, folders `<agent>-<updates>` of models or their adapters; marti: folders `global_step<N>_hf`, and optimiser states in `_actor/`;
   * numbered: folders whose names contain a number, the step.
   */
  readonly names: 'own' | 'marti' | 'numbered';
  /** Folder within each of them that holds the weights; left out: the folder itself. */
  readonly weights?: string;
};

export type CheckpointListing = {
  /** The machine's clock at the time of the listing, in seconds. */
  readonly nowSeconds: number | null;
  /** The file system of the first folder. */
  readonly disk: { readonly freeBytes: number; readonly folder: string } | null;
  readonly checkpoints: readonly TrainingCheckpoint[];
};

/** Lists all folders in one round trip; absent folders are skipped. */
export function checkpointScript(folders: readonly CheckpointFolder[]): string {
  const commands = folders.flatMap(({ path, names, weights }, at) => {
    const inner = shellPath(path);
    return names === 'marti'
      ? [`look ${at} ${inner}`, `look ${at}/_actor ${inner}/_actor`]
      : [`within=${shellWord(weights === undefined ? '' : `/${weights}`)}`, `look ${at} ${inner}`];
  });
  const first = folders[0];
  return `
export LC_ALL=C
if stat -c %Y / >/dev/null 2>&1; then facts() { stat -L -c '%Y %s %n' "$@"; }
else facts() { stat -L -f '%m %z %N' "$@"; }; fi
serves() {
  [ -f "$1/config.json" ] || return 1
  for weights in "$1"/*.safetensors "$1"/pytorch_model*.bin; do [ -f "$weights" ] && return 0; done
  return 1
}
adapts() { [ -f "$1/adapter_config.json" ] && [ -f "$1/adapter_model.safetensors" ]; }
within=
look() {
  (
    cd "$2" 2>/dev/null || exit 0
    set -- "$1" ./*[0-9]*
    [ -e "$2" ] || exit 0
    echo "in $1"
    shift
    facts "$@" 2>/dev/null | sed 's/^/entry /'
    for one; do
      [ -d "$one" ] || continue
      du -sk "$one" 2>/dev/null | sed 's/^/kib /'
      serves "$one$within" && echo "serves $one"
      adapts "$one" && echo "adapts $one"
    done
  )
}
echo "now $(date +%s)"
${commands.join('\n')}
${first === undefined ? '' : diskLines(first.path)}
exit 0
`;
}

/** The folder may not exist yet: then its nearest existing ancestor is measured. */
function diskLines(path: string): string {
  return `place=${shellPath(path)}
until [ -e "$place" ]; do
  case $place in */*) place=\${place%/*} ;; *) place=/ ;; esac
  [ -n "$place" ] || place=/
done
df -Pk "$place" 2>/dev/null | tail -n 1 | sed 's/^/disk /'
echo "place $place"
`;
}

type Entry = {
  readonly seconds: number;
  readonly bytes: number;
  kib: number | null;
  holds: 'model' | 'adapter' | null;
};

/** Parses the output of `checkpointScript`; `isoDate` formats milliseconds. Oldest first, by agent. */
export function parseCheckpointListing(
  stdout: string,
  folders: readonly CheckpointFolder[],
  agentIds: readonly string[],
  isoDate: (ms: number) => string,
): CheckpointListing {
  let nowSeconds: number | null = null;
  let freeBytes: number | null = null;
  let diskFolder = '';
  const entries = new Map<string, Map<string, Entry>>();
  let current = new Map<string, Entry>();
  for (const line of stdout.split('\n')) {
    const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (word === 'now') nowSeconds = numberAt(rest, /^(\d+)$/);
    else if (word === 'in') {
      current = new Map();
      entries.set(rest, current);
    } else if (word === 'entry') {
      const [, seconds, bytes, name] = /^(\d+) (\d+) \.\/(.+)$/.exec(rest) ?? [];
      if (name !== undefined)
        current.set(name, { seconds: Number(seconds), bytes: Number(bytes), kib: null, holds: null });
    } else if (word === 'kib') {
      const [, kib, name = ''] = /^(\d+)\s+\.\/(.+)$/.exec(rest) ?? [];
      const entry = current.get(name);
      if (entry !== undefined) entry.kib = Number(kib);
    } else if (word === 'serves' || word === 'adapts') {
      const entry = current.get(rest.slice(2));
      if (entry !== undefined) entry.holds = word === 'serves' ? 'model' : 'adapter';
    } else if (word === 'disk') {
      const kib = numberAt(rest, /\s(\d+)\s+\d+%\s/);
      freeBytes = kib === null ? null : kib * 1_024;
    } else if (word === 'place') diskFolder = rest;
  }
  const checkpoints = [...entries].flatMap(([where, named]) => {
    const folder = folders[Number.parseInt(where, 10)];
    if (folder === undefined) return [];
    const inner = where.slice(where.indexOf('/') + 1);
    const path = where.includes('/') ? `${folder.path}/${inner}` : folder.path;
    return [...named].flatMap(([name, entry]) => {
      const parsedName = nameOf(name, folder, entry, agentIds);
      if (parsedName === null) return [];
      // Where there are weights within, they are what is served.
      const within = folder.weights !== undefined && parsedName.canServe ? `/${folder.weights}` : '';
      const at = isoDate(entry.seconds * 1_000);
      const bytes = entry.kib === null ? entry.bytes : entry.kib * 1_024;
      return [{ ...parsedName, path: `${path}/${name}${within}`, at, bytes }];
    });
  });
  const order = (id: string): number => agentIds.indexOf(id);
  return {
    nowSeconds,
    disk: freeBytes === null ? null : { freeBytes, folder: diskFolder },
    checkpoints: checkpoints.toSorted(
      (a, b) => order(a.agentId) - order(b.agentId) || a.step - b.step || (a.id < b.id ? -1 : 1),
    ),
  };
}

function nameOf(
  name: string,
  { names, agentId }: CheckpointFolder,
  { kib, holds }: Entry,
  agentIds: readonly string[],
): Pick<TrainingCheckpoint, 'id' | 'agentId' | 'step' | 'canServe'> | null {
  const owner = agentId ?? agentIds[0] ?? '';
  if (names === 'own') {
    const [, agent, updates, ending] = /^(.+)-(\d+)(\.json)?$/.exec(name) ?? [];
    const isFile = kib === null;
    if (agent === undefined || isFile !== (ending !== undefined)) return null;
    // Our own server loads adapters too; adapters of other trainers need an engine with an option for them.
    const canServe = isFile || holds !== null;
    return { id: `${agent}-${updates}`, agentId: agent, step: Number(updates), canServe };
  }
  const number =
    names === 'marti' ? /^global_step(\d+)(?:_hf)?$/.exec(name)?.[1] : name.match(/\d+/g)?.at(-1);
  if (number === undefined || kib === null) return null;
  return { id: `${owner}-${name}`, agentId: owner, step: Number(number), canServe: holds === 'model' };
}

function numberAt(text: string, pattern: RegExp): number | null {
  const step = pattern.exec(text)?.[1];
  return step === undefined ? null : Number(step);
}
