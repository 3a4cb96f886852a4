import { shellWord } from '../../base';
import { attemptFolder, jobFiles } from './job-files';
import { JOB_MARK } from './job-wrapper';
import type { LeftoverProcess, StopResult } from './observation';
import { PROCESS_TABLE } from './process-table';

/** After KILL only a process blocked in the kernel is left. */
const KILL_TIMEOUT_TENTHS = 50;
/** A start in progress writes its process file within this time. */
const START_TIMEOUT_TENTHS = 100;

/**
 * Ends an attempt and all its descendants: its process group, and processes that left the group (`setsid`, a shell with
 * job control) but still have the job's marker in their environment, as far as this account may see it. An id is not
 * reused while a group has it, so the group of a leader that is gone can still be signalled, unless a new process has
 * the id: then the group is not ours and is left alone. An attempt that has not started is prevented from starting by
 * creating its folder here. Prints `orphan PID COMMAND` for processes outside the group, and `left PID COMMAND` for
 * those that survived KILL.
 */
export function stopScript(job: {
  readonly id: string;
  readonly folder: string;
  readonly attempt: number;
  readonly graceMs: number;
}): string {
  return `${PROCESS_TABLE}
folder=${shellWord(job.folder)}
own=${shellWord(attemptFolder(job.folder, job.attempt))}
mark=${shellWord(`${JOB_MARK}=${job.id}`)}
umask 077
ended() {
  printf '{"code":null,"endedAt":"%s","stage":"%s"}\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >"$own/exit.mine" &&
    mv "$own/exit.mine" "$own/${jobFiles.exit}" || : >"$own/exit-null"
} 2>/dev/null
# If the folder was removed, the group is unknown, but processes with the marker are still found.
if [ -d "$folder" ] && mkdir "$own" 2>/dev/null; then
  ended never-began
  exit 0
fi
left=${START_TIMEOUT_TENTHS}
while [ -d "$own" ] && [ ! -e "$own/${jobFiles.process}" ] && [ ! -e "$own/${jobFiles.exit}" ] && [ "$left" -gt 0 ]; do
  sleep 0.1 2>/dev/null || sleep 1
  left=$((left - 1))
done
boot_id
leader=
if [ -r "$own/${jobFiles.process}" ]; then
  { read -r leader; read -r born; IFS= read -r start; } <"$own/${jobFiles.process}"
  case $leader in '' | *[!0-9]*) leader= ;; esac
  [ "$born" = "$boot" ] || leader=
  if [ -n "$leader" ] && ! is_alive "$leader" "$start" && is_taken "$leader"; then leader=; fi
fi
# Sets members (of the group) and marked (other processes with the marker).
find_processes() {
  members= marked=
  [ -z "$leader" ] || group_of "$leader"
  if [ -r /proc/self/stat ]; then
    for file in $(grep -lsxzF -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
      file=\${file#/proc/}
      file=\${file%/environ}
      case "$members " in *" $file "*) ;; *) marked="$marked $file" ;; esac
    done
  fi
}
name() {
  for pid in $2; do
    echo "$1 $pid $(ps -o args= -p "$pid" 2>/dev/null | cut -c 1-200)"
  done
}
# Waits up to $1 tenths of a second until no process is left.
gone() {
  tenths=$1
  while :; do
    find_processes
    [ -n "$members$marked" ] || return 0
    [ "$tenths" -gt 0 ] || return 1
    sleep 0.1 2>/dev/null || sleep 1
    tenths=$((tenths - 1))
  done
}
send() {
  [ -z "$members" ] || kill -s "$1" -- "-$leader"
  [ -z "$marked" ] || kill -s "$1" -- $marked
} 2>/dev/null
find_processes
orphans=$marked
name orphan "$marked"
send TERM
if ! gone ${Math.max(0, Math.ceil(job.graceMs / 100))}; then
  for pid in $marked; do
    case "$orphans " in *" $pid "*) ;; *) name orphan "$pid" ;; esac
  done
  send KILL
  gone ${KILL_TIMEOUT_TENTHS} || name left "$members$marked"
fi
# With enough time, the wrapper has written the exit code itself.
[ -n "$members$marked" ] || [ -e "$own/${jobFiles.exit}" ] || ls "$own"/exit-* >/dev/null 2>&1 || ended stopped
exit 0
`;
}

export function parseStopped(text: string): StopResult {
  return { orphans: parseProcesses(text, 'orphan'), left: parseProcesses(text, 'left') };
}

function parseProcesses(text: string, word: string): readonly LeftoverProcess[] {
  return text
    .split('\n')
    .map((line) => /^(\w+) (\d+) (.*)$/.exec(line))
    .filter((match) => match !== null && match[1] === word)
    .map((match) => ({ pid: Number(match?.[2]), command: match?.[3] ?? '' }));
}

/** e.g. "41 sleep 1000 and 42 python -m engine" */
export function listProcesses(processes: readonly LeftoverProcess[]): string {
  const names = processes.map(({ pid, command }) => `${pid} ${command}`.trim());
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
