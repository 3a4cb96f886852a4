import { shellWord, shellWords } from '../../../base';
import { attemptFolder, jobFiles } from '../job-files';
import type { FoundProcess } from '../sighting';
import { PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import type { ArrayPlace } from './survey';

/** Slurm gives a job its `KillWait` between TERM and KILL (30 s where nobody changed it), then its node cleans up. */
const END_PATIENCE_S = 90;

/** Exit code of the script when Slurm did not answer. */
export const STOP_UNANSWERED = 7;

/** How long the script takes at most, for a grace. */
export function stopTimeoutMs(graceMs: number): number {
  return graceMs + (END_PATIENCE_S + 60) * 1_000;
}

/**
 * Ends a start. Making the folder of the attempt decides whether it has begun: with that made here its wrapper never
 * will, whatever Slurm does, and it is taken out of the queue. One that has begun gets TERM in all its processes, and
 * after the grace Slurm's own end of a job: TERM, its KillWait, KILL. Says `left STATE` for one that is still there.
 */
export function slurmStopScript(job: {
  readonly folder: string;
  readonly attempt: number;
  readonly reference: string | null;
  /** Further jobs in the queue for the same start. */
  readonly twins: readonly string[];
  readonly array: ArrayPlace | null;
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
# A folder that somebody has removed tells nothing, but Slurm still has the job.
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
# Sets state; empty when Slurm has forgotten the job.
ask() {
  state=$(squeue --noheader --array --states=all --jobs="$reference" --format=%T 2>&1) && return 0
  case $state in
    *'Invalid job id'*) state= ;;
    *) printf '%s\\n' "$state" >&2; exit ${STOP_UNANSWERED} ;;
  esac
}
has_ended() {
  ask
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
  job.twins.length === 0
    ? ''
    : `scancel ${shellWords(job.twins)} >/dev/null 2>&1
`
}has_ended && exit 0
if [ -n "$begun" ] && [ ${job.graceMs} -gt 0 ]; then
  scancel --full --signal=TERM "$reference" >/dev/null 2>&1
  wait_for_end ${Math.ceil(job.graceMs / 1_000)} || scancel "$reference" >/dev/null 2>&1
else
  scancel "$reference" >/dev/null 2>&1
fi
if wait_for_end ${END_PATIENCE_S}; then
  [ ! -d "$own" ] || [ -z "$begun" ] || [ -e "$own/${jobFiles.exit}" ] || ls "$own"/exit-* >/dev/null 2>&1 || ended stopped
else
  echo "left $state"
fi
exit 0
`;
}

/** What Slurm has not ended in time, as something with a number and a name. */
export function parseSlurmStopped(text: string, reference: string | null): readonly FoundProcess[] {
  const state = /^left (\S+)$/m.exec(text)?.[1];
  if (state === undefined || reference === null) return [];
  return [{ pid: Number.parseInt(reference, 10), command: `(Slurm's number of the job, in state ${state})` }];
}
