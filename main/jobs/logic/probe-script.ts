import { z } from 'zod';
import type { LeftOutPart } from '../../../preload/contract';
import { idleGpus } from './gpu-sampler';
import { attemptFolder, type ExitFile, exitFileSchema, jobFiles, parseFile } from './job-files';
import { leftOutFile, parseLeftOut } from './log-limit';
import { PROCESS_TABLE } from './process-table';

/**
 * Reports any number of jobs at once; reads a job's folder and its attempt's folder per job, one line each. Starts no
 * process per job without GPUs: two hundred take 0.2 s on a busy two-core machine. The process is checked before the
 * exit file, which a wrapper that ends in between has written by then. `free` (KiB on disk) is reported only for jobs
 * that ended without an exit code.
 */
export const PROBE_SCRIPT = `${PROCESS_TABLE}
boot_id
echo "now $(date +%s)"
echo "boot $boot"
echo "host $(uname -n)"
set --
while IFS= read -r folder && IFS= read -r own; do
  echo job
  set -- "$@" "$folder/${jobFiles.output}"
  if [ -r "$folder/${leftOutFile(jobFiles.output)}" ]; then
    IFS= read -r part <"$folder/${leftOutFile(jobFiles.output)}"
    echo "left-out $part"
  fi
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
  # Processes only for a job with GPUs: what it may have written there itself has no limit.
  if [ -z "$exit" ] && [ -f "$own/${jobFiles.gpuUse}" ] && [ ! -L "$own/${jobFiles.gpuUse}" ]; then
    echo "gpu-use $(head -c 2000 "$own/${jobFiles.gpuUse}" | tr -cd '0-9:. ')"
  fi
  if [ -z "$exit$alive" ]; then
    # If another process has the id, the group is not ours.
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

export function probeInput(
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
): string {
  return jobs.map(({ folder, attempt }) => `${folder}\n${attemptFolder(folder, attempt)}\n`).join('');
}

/** What the machine reports about itself in every probe. */
export type ProbedMachine = {
  /** Seconds since 1970 by the machine's clock. */
  readonly nowSeconds: number;
  readonly bootId: string;
  readonly host: string;
};

export type JobTraces = {
  /** The attempt's folder exists: it has started, or its start was prevented. */
  readonly hasStarted: boolean;
  readonly process: {
    readonly pid: number;
    readonly bootId: string;
    /** null in files of workbench 0.1. */
    readonly host: string | null;
    /** The same process, not another with a reused id. */
    readonly isAlive: boolean;
  } | null;
  readonly exit: ExitFile | null;
  /** Running processes of its group; listed only if the leader ended without an exit code. */
  readonly members: readonly number[];
  /** KiB free on the disk of its folder; null: not reported. */
  readonly freeKib: number | null;
  /** Numbers of its GPUs that were idle for the last ten minutes. */
  readonly idleGpus: readonly number[];
  readonly log: LogTrace | null;
};

type LogTrace = {
  readonly bytes: number;
  readonly changedSeconds: number;
  /** What its limit left out. */
  readonly leftOut: LeftOutPart | null;
};

const headSchema = z.object({ now: z.coerce.number().int().positive(), boot: z.string(), host: z.string() });

/** Parses the output of `PROBE_SCRIPT` for these folders; null: invalid. */
export function parseProbe(
  text: string,
  folders: readonly string[],
): { readonly machine: ProbedMachine; readonly jobs: readonly JobTraces[] } | null {
  const [report = '', logLines] = splitAt(text, '\nend\n');
  if (logLines === null) return null;
  const [head = '', ...blocks] = report.split('\njob');
  const parsed = headSchema.safeParse(
    Object.fromEntries(head.split('\n').map((line) => [wordOf(line), restOf(line)])),
  );
  if (!parsed.success || blocks.length !== folders.length) return null;
  const logs = parseLogs(logLines);
  const { now, boot, host } = parsed.data;
  return {
    machine: { nowSeconds: now, bootId: boot, host },
    jobs: blocks.map((block, index) =>
      tracesOf(block.split('\n').slice(1), logs.get(`${folders[index]}/${jobFiles.output}`) ?? null, now),
    ),
  };
}

function tracesOf(
  lines: readonly string[],
  log: Omit<LogTrace, 'leftOut'> | null,
  nowSeconds: number,
): JobTraces {
  const values = new Map(lines.map((line) => [wordOf(line), restOf(line)]));
  const [pid, bootId = '', host = ''] = (values.get('process') ?? '').split(' ');
  const members = (values.get('members') ?? '').split(' ').filter((word) => word !== '');
  const free = values.get('free') ?? '';
  return {
    hasStarted: values.has('begun'),
    process:
      pid === undefined || pid === ''
        ? null
        : { pid: Number(pid), bootId, host: host === '' ? null : host, isAlive: values.has('alive') },
    exit: exitOf(values),
    members: members.map(Number),
    freeKib: /^\d+$/.test(free) ? Number(free) : null,
    idleGpus: idleGpus(values.get('gpu-use'), nowSeconds),
    log: log === null ? null : { ...log, leftOut: parseLeftOut(values.get('left-out') ?? null) },
  };
}

/** From the exit file, or from the name of the empty file written on a full disk, which has no time. */
function exitOf(values: ReadonlyMap<string, string>): ExitFile | null {
  const file = parseFile(exitFileSchema, values.get('exit') ?? null);
  if (file !== null) return file;
  const name = values.get('exit-name');
  if (name === undefined) return null;
  const code = /^\d+$/.test(name) ? Number(name) : null;
  return { code, endedAt: '', stage: 'command', full: true };
}

function parseLogs(text: string): ReadonlyMap<string, Omit<LogTrace, 'leftOut'>> {
  const logs = new Map<string, Omit<LogTrace, 'leftOut'>>();
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
