import { shellWord } from '../../base';

/**
 * Programs that we upload, by the name of their file or folder below tools/: kind, digest, and what else distinguishes them.
 * A background service's program has its version before the digest.
 */
const TOOL =
  /^(pocket-trainer|trainer-resources|learner|grader|model-server|llama-cpp|workbench(?=-))(?:(?<=^workbench)-[\w.]{1,20})?-([0-9a-f]{12,16})(\.mjs|-\d[\w.]{0,20})?$/;
/** Names of jobs' folders. */
const JOB = /^[A-Za-z0-9][\w.-]{0,99}$/;
/** More entries than any folder of ours has are not looked at. */
const MAX_ENTRIES = 5_000;

/** One of our programs on a machine. */
export type UploadedTool = {
  readonly name: string;
  /** Tools of one kind stand for each other, e.g. "grader-3.11". */
  readonly kind: string;
  readonly kib: number;
  /** Seconds since 1970 by the machine's clock. */
  readonly modifiedS: number;
  /** A process there, or a job that has not ended, names it. */
  readonly isUsed: boolean;
};

export type MachineRoom = {
  readonly tools: readonly UploadedTool[];
  /** Folders of the jobs that were asked about, by id. */
  readonly jobs: ReadonlyMap<string, number>;
};

/**
 * Measures our programs, and the folders of the jobs whose ids are its input, a line each. Follows no link, and skips names
 * that are not ours to make. A program counts as used while a process names it, or the command of a job whose last start
 * has written no end: of every workbench that shares this folder.
 */
export function measureScript(home: string): string {
  return `cd ${shellWord(home)} || exit 1
own() { [ -e "$1" ] && [ ! -L "$1" ]; }
kib() { du -sk -- "$1" 2>/dev/null | { read -r size rest; echo "\${size:-0}"; }; }
time_of() { stat -c %Y -- "$1" 2>/dev/null || stat -f %m -- "$1" 2>/dev/null || echo 0; }
ended() {
  newest=0
  for own in "$1"/attempt-*; do
    number=\${own##*-}
    case $number in '' | *[!0-9]*) continue ;; esac
    [ "$number" -le "$newest" ] || newest=$number
  done
  [ -e "$1/attempt-$newest/exit.json" ] && return 0
  for file in "$1/attempt-$newest"/exit-*; do [ -e "$file" ] && return 0; done
  return 1
}
used=$(ps -e -o args= 2>/dev/null || ps ax -o args= 2>/dev/null)
left=${MAX_ENTRIES}
if own jobs; then
  for folder in jobs/*; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || break
    [ -d "$folder" ] && [ ! -L "$folder" ] || continue
    ended "$folder" && continue
    for file in "$folder/command.sh" "$folder/set-up.sh" "$folder/environment.sh"; do
      [ -f "$file" ] && [ ! -L "$file" ] && used="$used
$(head -c 100000 -- "$file")"
    done
  done
fi
left=${MAX_ENTRIES}
if own tools; then
  for path in tools/*; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || break
    own "$path" || continue
    name=\${path#tools/}
    case $name in *[!A-Za-z0-9._-]*) continue ;; esac
    state=free
    case $used in *"$name"*) state=used ;; esac
    echo "tool $name $(kib "$path") $(time_of "$path") $state"
  done
fi
own jobs || exit 0
while IFS= read -r id; do
  case $id in '' | .* | *[!A-Za-z0-9._-]*) continue ;; esac
  [ -d "jobs/$id" ] && own "jobs/$id" && echo "job $id $(kib "jobs/$id")"
done
exit 0`;
}

/** Parses the output of `measureScript`; other lines, and names that we do not make, are skipped. */
export function parseRoom(text: string): MachineRoom {
  const tools: UploadedTool[] = [];
  const jobs = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [what, name = '', kib = '', modified = '', state = ''] = line.slice(0, 400).split(' ');
    if (!/^\d{1,15}$/.test(kib)) continue;
    if (what === 'job' && JOB.test(name)) jobs.set(name, Number(kib));
    const [, kind = '', , rest = ''] = what === 'tool' ? (TOOL.exec(name) ?? []) : [];
    if (kind === '' || !/^\d{1,12}$/.test(modified)) continue;
    tools.push({
      name,
      kind: `${kind}${rest.startsWith('-') ? rest : ''}`,
      kib: Number(kib),
      modifiedS: Number(modified),
      isUsed: state !== 'free',
    });
  }
  return { tools, jobs };
}

/** What is removed: a program, or the folder of a job. */
export type Removed = { readonly folder: 'tools' | 'jobs'; readonly name: string };

/**
 * Removes what its input names, "tools NAME" or "jobs ID" a line, and prints those that are gone. Names are checked again,
 * and nothing behind a link is touched.
 */
export function cleanScript(home: string): string {
  return `cd ${shellWord(home)} || exit 1
while IFS=' ' read -r folder name; do
  case $folder in tools | jobs) ;; *) continue ;; esac
  case $name in '' | .* | -* | *[!A-Za-z0-9._-]*) continue ;; esac
  [ -d "$folder" ] && [ ! -L "$folder" ] && [ ! -L "$folder/$name" ] || continue
  rm -rf -- "$folder/$name"
  [ -e "$folder/$name" ] || echo "$folder $name"
done
exit 0`;
}

/** The input of `cleanScript`; names that we do not make are left out. */
export function cleanInput(removed: readonly Removed[]): string {
  return removed
    .filter(({ folder, name }) => (folder === 'tools' ? TOOL : JOB).test(name))
    .map(({ folder, name }) => `${folder} ${name}\n`)
    .join('');
}
