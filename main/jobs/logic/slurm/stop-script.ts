import { shellWord, shellWords } from '../../../base';
import { attemptFolder, jobFiles } from '../job-files';
import type { LeftoverProcess } from '../observation';
import { PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import type { ArrayElement } from './survey';

/** Slurm waits `KillWait` between TERM and KILL (30 s by default), then the node cleans up. */
const END_TIMEOUT_S = 90;

/** Exit code of the script if Slurm did not answer. */
export const STOP_UNANSWERED = 7;

/** Longest duration of the script for a grace period. */
export function stopTimeoutMs(graceMs: number): number {
  return graceMs + (END_TIMEOUT_S + 60) * 1_000;
}

/**
 * Ends an attempt. Creating the attempt's folder decides whether it has started: if it is created here, the wrapper never
 * runs, whatever Slurm does, and the job is removed from the queue. If it has started, all its processes get TERM, and
 * after the grace period Slurm cancels it: TERM, KillWait, KILL. Prints `left STATE` if it is still there.
 */
export function slurmStopScript(job: {
  readonly folder: string;
  readonly attempt: number;
  readonly reference: string | null;
  /** Further jobs in the queue for the same attempt. */
  readonly duplicates: readonly string[];
  readonly array: ArrayElement | null;
  readonly graceMs: number;
}): string {
  const link = job.array === null ? '' : shellWord(`${job.array.folder}/${job.array.index}`);
  return `folder=${shellWord(job.folder)}
own=${shellWord(attemptFolder(job.folder, job.attempt))}
reference=${shellWord(job.reference ?? '')}
link=${link}
umask 077
ended() {
  printf '{"code":null,"endedAt":"%s","stage":"%s"}\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >"$own/exit.mine" &&
    ln "$own/exit.mine" "$own/${jobFiles.exit}"
  rm -f "$own/exit.mine"
} 2>/dev/null
begun=1
# If the folder was removed, only Slurm still has the job.
if [ -d "$folder" ] && mkdir "$own" 2>/dev/null; then
  begun=
  ended never-began
fi
if [ -n "$link" ]; then
  rm -f "$link"
  rmdir "\${link%/*}" 2>/dev/null
fi
[ -n "$reference" ] || exit 0
${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
# Sets state; empty if Slurm no longer knows the job.
query_state() {
  state=$(squeue --noheader --array --states=all --jobs="$reference" --format=%T 2>&1) && return 0
  case $state in
    *'Invalid job id'*) state= ;;
    *) printf '%s\\n' "$state" >&2; exit ${STOP_UNANSWERED} ;;
  esac
}
has_ended() {
  query_state
  case $state in
    '' | BOOT_FAIL | CANCELLED | COMPLETED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT) return 0 ;;
  esac
  return 1
}
# Waits up to $1 seconds.
wait_for_end() {
  until=$(($(date +%s) + $1))
  while ! has_ended; do
    [ "$(date +%s)" -lt "$until" ] || return 1
    sleep 0.5 2>/dev/null || sleep 1
  done
}
${
  job.duplicates.length === 0
    ? ''
    : `scancel ${shellWords(job.duplicates)} >/dev/null 2>&1
`
}has_ended && exit 0
if [ -n "$begun" ] && [ ${job.graceMs} -gt 0 ]; then
  scancel --full --signal=TERM "$reference" >/dev/null 2>&1
  wait_for_end ${Math.ceil(job.graceMs / 1_000)} || scancel "$reference" >/dev/null 2>&1
else
  scancel "$reference" >/dev/null 2>&1
fi
if wait_for_end ${END_TIMEOUT_S}; then
  [ ! -d "$own" ] || [ -z "$begun" ] || [ -e "$own/${jobFiles.exit}" ] || ls "$own"/exit-* >/dev/null 2>&1 || ended stopped
else
  echo "left $state"
fi
exit 0
`;
}

/** The job that Slurm did not end in time, if any, as a leftover process. */
export function parseSlurmStopped(text: string, reference: string | null): readonly LeftoverProcess[] {
  const state = /^left (\S+)$/m.exec(text)?.[1];
  if (state === undefined || reference === null) return [];
  return [{ pid: Number.parseInt(reference, 10), command: `(Slurm job id, in state ${state})` }];
}
