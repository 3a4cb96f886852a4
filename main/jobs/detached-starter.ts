import type { Refusal } from '../../preload/contract';
import { failed, ok } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { JobStarter, StartedJob } from './job-starter';
import { attemptFolder, commandFileText, jobFiles, scriptFiles } from './logic/job-files';
import { JOB_MARK, JOB_WRAPPER } from './logic/job-wrapper';
import { DEFAULT_LOG_LIMIT_BYTES } from './logic/log-limit';
import type { JobProbe, StopResult } from './logic/observation';
import { type JobTraces, PROBE_SCRIPT, parseProbe, probeInput } from './logic/probe-script';
import { afterStartScript, beforeStartScript, preventStartScript } from './logic/start-script';
import { parseStopped, stopScript } from './logic/stop-script';
import { localIso, resolveState } from './resolve-state';

/** A probe reads a few small files; a machine that takes longer hangs. */
const PROBE_TIMEOUT_MS = 20_000;
/** Time for a stop beyond its grace period: a start in progress, KILL, and a slow machine. */
const STOP_SLACK_MS = 30_000;
/**
 * An attempt without a process file after this long has no process: its wrapper writes the file before the start returns.
 * Over NFS, files of another host may appear late, but not this late.
 */
const NO_PROCESS_MS = 60_000;

/** Starts jobs as detached processes; their state is only in files on the machine. */
export function createDetachedStarter({
  clock,
  logLimitBytes = () => DEFAULT_LOG_LIMIT_BYTES,
  workbench = 'unknown',
}: {
  readonly clock: { readonly now: () => number };
  /** Our version, for the record of what made a start. */
  readonly workbench?: string;
  /** Bytes that a log of a job may take on its disk, from its next start on; null: any number. */
  readonly logLimitBytes?: () => number | null;
}): JobStarter {
  /** Since when an attempt has been observed without a process. */
  const noProcessSinceMs = new Map<string, number>();

  const start = async (job: StartedJob): AsyncResult<{ readonly reference: null }> => {
    const { folder, spec, machine } = job;
    const own = attemptFolder(folder, job.attempt);
    const made = await machine.makeFolder(folder);
    if (!made.ok) return made;
    const before = await machine.run(beforeStartScript(spec.cwd ?? folder, own));
    if (!before.ok) return before;
    if (before.value.code === 3) {
      const message = `The working folder ${spec.cwd} does not exist on "${machine.spec.name}".`;
      return failed({ code: 'bad-input', message, hint: 'Create it there, or choose another one.' });
    }
    if (before.value.stdout.trim() !== 'begun') {
      const written = await writeFiles(job);
      if (!written.ok) return written;
      const spawned = await machine.spawnDetached({
        command: '/bin/sh',
        args: [
          '-c',
          JOB_WRAPPER,
          'mars2-job',
          folder,
          `${job.attempt}`,
          spec.cwd ?? folder,
          `${logLimitBytes() ?? 0}`,
          ...spec.freshFiles,
        ],
        cwd: folder,
        env: { [JOB_MARK]: job.id },
      });
      if (!spawned.ok) {
        const prevented = await machine.run(preventStartScript(own));
        if (prevented.ok && prevented.value.code === 0) return ok({ reference: null });
        return prevented.ok ? spawned : failed(startIsUnknown(machine, spawned.error));
      }
    }
    const after = await machine.run(afterStartScript(own));
    if (!after.ok) return failed(startIsUnknown(machine, after.error));
    return after.value.code === 4 ? failed(neverStarted(machine)) : ok({ reference: null });
  };

  const writeFiles = async (job: StartedJob): AsyncResult<null> => {
    const command = commandFileText({
      id: job.id,
      createdAt: job.createdAt,
      spec: job.spec,
    });
    const texts = [[jobFiles.command, command] as const, ...scriptFiles(job.spec, job.env, workbench)];
    const written = await Promise.all(
      texts.map(([name, text]) => job.machine.writeText(`${job.folder}/${name}`, text)),
    );
    return written.find((answer) => !answer.ok) ?? ok(null);
  };

  const hasWaitedForProcess = (job: StartedJob, traces: JobTraces, nowMs: number): boolean => {
    const key = `${job.id} ${job.attempt}`;
    if (traces.process !== null || traces.exit !== null) {
      noProcessSinceMs.delete(key);
      return false;
    }
    const sinceMs = noProcessSinceMs.get(key) ?? nowMs;
    noProcessSinceMs.set(key, sinceMs);
    return nowMs - sinceMs >= NO_PROCESS_MS;
  };

  const probe = async (jobs: readonly StartedJob[]): AsyncResult<readonly JobProbe[]> => {
    const machine = jobs[0]?.machine;
    if (machine === undefined) return ok([]);
    const result = await machine.run(PROBE_SCRIPT, { stdin: probeInput(jobs), timeoutMs: PROBE_TIMEOUT_MS });
    if (!result.ok) return result;
    const folders = jobs.map(({ folder }) => folder);
    const probed = parseProbe(result.value.stdout, folders);
    if (probed === null) return failed(unreadable(machine, result.value.stderr));
    const nowMs = clock.now();
    const here = { ...probed.machine, isAlwaysThisHost: machine.spec.kind === 'local' };
    const probes = jobs.map((job, index): JobProbe | null => {
      const traces = probed.jobs[index];
      if (traces === undefined) return null;
      const waitedForProcess = hasWaitedForProcess(job, traces, nowMs);
      const { log } = traces;
      return {
        observation: resolveState(traces, here, { nowMs, waitedForProcess }),
        idleGpus: traces.idleGpus,
        log: {
          bytes: log?.bytes ?? 0,
          lastOutputAt:
            log === null || log.bytes === 0 ? null : localIso(log.changedSeconds, probed.machine, nowMs),
          leftOut: log?.leftOut ?? null,
        },
      };
    });
    return ok(probes.filter((probe) => probe !== null));
  };

  const stop = async (job: StartedJob, graceMs: number): AsyncResult<StopResult> => {
    const { id, folder, attempt, machine } = job;
    const script = stopScript({ id, folder, attempt, graceMs });
    const done = await machine.run(script, { timeoutMs: graceMs + STOP_SLACK_MS });
    return done.ok ? ok(parseStopped(done.value.stdout)) : done;
  };

  return { start, probe: probe, stop };
}

function neverStarted(machine: Machine): Refusal {
  return {
    code: 'unavailable',
    message: `The job did not start on "${machine.spec.name}" within 10 s; the start was cancelled.`,
    hint: 'The machine may be out of memory or processes. Check it in a terminal.',
  };
}

/** The start may have been partly done; repeating it continues from there. */
function startIsUnknown(machine: Machine, cause: Refusal): Refusal {
  const message = `It is unknown whether the job started on "${machine.spec.name}": ${cause.message}`;
  return { code: 'unreachable', message };
}

function unreadable(machine: Machine, stderr: string): Refusal {
  return {
    code: 'unavailable',
    message: `"${machine.spec.name}" returned no readable state of its jobs: ${stderr.trim().slice(-300) || 'no output'}.`,
  };
}
