import { z } from 'zod';
import { attemptFolder, type ExitFile, exitFileSchema, jobFiles, parseFile } from './job-files';
import { PROCESS_TABLE } from './process-table';

/**
 * Tells of any number of jobs in one go; reads a folder and an attempt's folder per job, a line each. Without a
 * process of its own per job: two hundred take 0.2 s of a busy two-core machine. The process is looked at before the exit file:
 * a wrapper that goes between the two has written it by then. `free` (KiB on the disk) comes only with jobs that are
 * gone without a word.
 */
export const LOOK_SCRIPT = `${PROCESS_TABLE}
boot_id
echo "now $(date +%s)"
echo "boot $boot"
echo "host $(uname -n)"
set --
while IFS= read -r folder && IFS= read -r own; do
  echo job
  set -- "$@" "$folder/${jobFiles.output}"
  [ -d "$own" ] && echo begun || continue
  alive=
  pid=
  if [ -r "$own/${jobFiles.process}" ]; then
    host=
    { read -r pid; read -r born; IFS= read -r start; read -r host; } <"$own/${jobFiles.process}"
    case $pid in '' | *[!0-9]*) pid= ;; esac
  fi
  if [ -n "$pid" ]; then
    echo "process $pid $born $host"
    if is_alive "$pid" "$start"; then
      alive=1
      echo alive
    fi
  fi
  exit=
  if [ -r "$own/${jobFiles.exit}" ]; then
    IFS= read -r exit <"$own/${jobFiles.exit}"
    echo "exit $exit"
  else
    for file in "$own"/exit-*; do
      [ -e "$file" ] || continue
      exit=1
      echo "exit-name \${file##*/exit-}"
    done
  fi
  if [ -z "$exit$alive" ]; then
    # A number that another process has names no group of ours.
    if [ -n "$pid" ] && [ "$born" = "$boot" ] && ! is_taken "$pid"; then
      group_of "$pid"
      echo "members$members"
    fi
    df -Pk "$own" 2>/dev/null | { read -r line; read -r disk size used free rest; echo "free $free"; }
  fi
done
echo end
[ "$#" -gt 0 ] || exit 0
if stat -c %s / >/dev/null 2>&1; then stat -c 'log %s %Y %n' -- "$@"; else stat -f 'log %z %m %N' -- "$@"; fi 2>/dev/null
exit 0
`;

export function lookInput(
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
): string {
  return jobs.map(({ folder, attempt }) => `${folder}\n${attemptFolder(folder, attempt)}\n`).join('');
}

/** What the machine says of itself with every look. */
export type LookedAt = {
  /** Seconds since 1970 by the machine's clock. */
  readonly nowSeconds: number;
  readonly bootId: string;
  readonly host: string;
};

export type JobTraces = {
  /** The attempt's folder is there: it began, or was kept from beginning. */
  readonly hasBegun: boolean;
  readonly process: {
    readonly pid: number;
    readonly bootId: string;
    /** null in a file of workbench 0.1. */
    readonly host: string | null;
    /** The very process, not another with its number. */
    readonly isAlive: boolean;
  } | null;
  readonly exit: ExitFile | null;
  /** Living processes of its group; looked for only when the leader is gone without a word. */
  readonly members: readonly number[];
  /** KiB free on the disk of its folder; null where not asked. */
  readonly freeKib: number | null;
  readonly log: { readonly bytes: number; readonly changedSeconds: number } | null;
};

const headSchema = z.object({ now: z.coerce.number().int().positive(), boot: z.string(), host: z.string() });

/** The answer to `LOOK_SCRIPT` for these folders; null when it is not that. */
export function parseLook(
  text: string,
  folders: readonly string[],
): { readonly machine: LookedAt; readonly jobs: readonly JobTraces[] } | null {
  const [told = '', logLines] = splitAt(text, '\nend\n');
  if (logLines === null) return null;
  const [head = '', ...blocks] = told.split('\njob');
  const parsed = headSchema.safeParse(
    Object.fromEntries(head.split('\n').map((line) => [wordOf(line), restOf(line)])),
  );
  if (!parsed.success || blocks.length !== folders.length) return null;
  const logs = parseLogs(logLines);
  const { now, boot, host } = parsed.data;
  return {
    machine: { nowSeconds: now, bootId: boot, host },
    jobs: blocks.map((block, index) =>
      tracesOf(block.split('\n').slice(1), logs.get(`${folders[index]}/${jobFiles.output}`) ?? null),
    ),
  };
}

function tracesOf(lines: readonly string[], log: JobTraces['log']): JobTraces {
  const said = new Map(lines.map((line) => [wordOf(line), restOf(line)]));
  const [pid, bootId = '', host = ''] = (said.get('process') ?? '').split(' ');
  const members = (said.get('members') ?? '').split(' ').filter((word) => word !== '');
  const free = said.get('free') ?? '';
  return {
    hasBegun: said.has('begun'),
    process:
      pid === undefined || pid === ''
        ? null
        : { pid: Number(pid), bootId, host: host === '' ? null : host, isAlive: said.has('alive') },
    exit: exitOf(said),
    members: members.map(Number),
    freeKib: /^\d+$/.test(free) ? Number(free) : null,
    log,
  };
}

/** From the file, or from the name of the empty one that a full disk allowed; that tells no time. */
function exitOf(said: ReadonlyMap<string, string>): ExitFile | null {
  const file = parseFile(exitFileSchema, said.get('exit') ?? null);
  if (file !== null) return file;
  const name = said.get('exit-name');
  if (name === undefined) return null;
  const code = /^\d+$/.test(name) ? Number(name) : null;
  return { code, endedAt: '', stage: 'command', full: true };
}

function parseLogs(text: string): ReadonlyMap<string, NonNullable<JobTraces['log']>> {
  const logs = new Map<string, NonNullable<JobTraces['log']>>();
  for (const line of text.split('\n')) {
    const match = /^log (\d+) (\d+) (.*)$/.exec(line);
    if (match === null) continue;
    logs.set(match[3] ?? '', { bytes: Number(match[1]), changedSeconds: Number(match[2]) });
  }
  return logs;
}

function wordOf(line: string): string {
  return line.split(' ', 1)[0] ?? '';
}

function restOf(line: string): string {
  return line.slice(wordOf(line).length + 1);
}

function splitAt(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + mark.length)];
}
