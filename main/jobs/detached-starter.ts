import type { Refusal } from '../../preload/contract';
import { failed, ok } from '../base';
import type { Asked, Machine } from '../machines';
import type { JobStarter, StartedJob } from './job-starter';
import { attemptFolder, commandFileText, jobFiles, scriptFiles } from './logic/job-files';
import { JOB_MARK, JOB_WRAPPER } from './logic/job-wrapper';
import { type JobTraces, LOOK_SCRIPT, lookInput, parseLook } from './logic/look-script';
import type { JobLook, Stopped } from './logic/sighting';
import { afterStartScript, beforeStartScript, neverBeginScript } from './logic/start-script';
import { parseStopped, stopScript } from './logic/stop-script';
import { hereIso, settle } from './settle';

/** A look reads a few small files; a machine that takes longer hangs. */
const LOOK_TIMEOUT_MS = 20_000;
/** What stopping takes beyond the grace: waiting for a start under way, KILL, and a slow machine. */
const STOP_SLACK_MS = 30_000;
/**
 * An attempt that shows no process after so long has none: its wrapper named it before the start was answered. What
 * another host has written may be seen late over NFS, but not later than that.
 */
const NAMELESS_MS = 60_000;

/** Starts jobs as processes of the machine that nothing of ours has to outlive: files there are all that is kept. */
export function createDetachedStarter({
  clock,
}: {
  readonly clock: { readonly now: () => number };
}): JobStarter {
  /** Since when an attempt is seen without a process. */
  const namelessSinceMs = new Map<string, number>();

  const start = async (job: StartedJob): Asked<{ readonly reference: null }> => {
    const { folder, order, machine } = job;
    const own = attemptFolder(folder, job.attempt);
    const made = await machine.makeFolder(folder);
    if (!made.ok) return made;
    const before = await machine.run(beforeStartScript(order.cwd ?? folder, own));
    if (!before.ok) return before;
    if (before.value.code === 3) {
      const message = `The working folder ${order.cwd} does not exist on "${machine.spec.name}".`;
      return failed({ code: 'bad-input', message, hint: 'Make it there, or name another one.' });
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
          order.cwd ?? folder,
          ...order.freshFiles,
        ],
        cwd: folder,
        env: { [JOB_MARK]: job.id },
      });
      if (!spawned.ok) {
        const kept = await machine.run(neverBeginScript(own));
        if (kept.ok && kept.value.code === 0) return ok({ reference: null });
        return kept.ok ? spawned : failed(nobodyKnows(machine, spawned.error));
      }
    }
    const after = await machine.run(afterStartScript(own));
    if (!after.ok) return failed(nobodyKnows(machine, after.error));
    return after.value.code === 4 ? failed(neverBegan(machine)) : ok({ reference: null });
  };

  const writeFiles = async (job: StartedJob): Asked<null> => {
    const command = commandFileText({
      id: job.id,
      createdAt: job.createdAt,
      spec: job.order,
    });
    const texts = [[jobFiles.command, command] as const, ...scriptFiles(job.order, job.env)];
    const written = await Promise.all(
      texts.map(([name, text]) => job.machine.writeText(`${job.folder}/${name}`, text)),
    );
    return written.find((answer) => !answer.ok) ?? ok(null);
  };

  const hasWaited = (job: StartedJob, traces: JobTraces, nowMs: number): boolean => {
    const key = `${job.id} ${job.attempt}`;
    if (traces.process !== null || traces.exit !== null) {
      namelessSinceMs.delete(key);
      return false;
    }
    const sinceMs = namelessSinceMs.get(key) ?? nowMs;
    namelessSinceMs.set(key, sinceMs);
    return nowMs - sinceMs >= NAMELESS_MS;
  };

  const look = async (jobs: readonly StartedJob[]): Asked<readonly JobLook[]> => {
    const machine = jobs[0]?.machine;
    if (machine === undefined) return ok([]);
    const told = await machine.run(LOOK_SCRIPT, { stdin: lookInput(jobs), timeoutMs: LOOK_TIMEOUT_MS });
    if (!told.ok) return told;
    const folders = jobs.map(({ folder }) => folder);
    const seen = parseLook(told.value.stdout, folders);
    if (seen === null) return failed(unreadable(machine, told.value.stderr));
    const nowMs = clock.now();
    const here = { ...seen.machine, isAlwaysThisHost: machine.spec.kind === 'local' };
    const looks = jobs.map((job, index): JobLook | null => {
      const traces = seen.jobs[index];
      if (traces === undefined) return null;
      const waitedForProcess = hasWaited(job, traces, nowMs);
      const { log } = traces;
      return {
        sighting: settle(traces, here, { nowMs, waitedForProcess }),
        log: {
          bytes: log?.bytes ?? 0,
          lastOutputAt:
            log === null || log.bytes === 0 ? null : hereIso(log.changedSeconds, seen.machine, nowMs),
        },
      };
    });
    return ok(looks.filter((one) => one !== null));
  };

  const stop = async (job: StartedJob, graceMs: number): Asked<Stopped> => {
    const { id, folder, attempt, machine } = job;
    const script = stopScript({ id, folder, attempt, graceMs });
    const done = await machine.run(script, { timeoutMs: graceMs + STOP_SLACK_MS });
    return done.ok ? ok(parseStopped(done.value.stdout)) : done;
  };

  return { start, look, stop };
}

function neverBegan(machine: Machine): Refusal {
  return {
    code: 'unavailable',
    message: `The job did not begin on "${machine.spec.name}" within 10 s, so it was kept from beginning later.`,
    hint: 'The machine may be short of memory or processes: look at it in a terminal.',
  };
}

/** Part of a start was done and how it went is not known: asked again, it goes on from there. */
function nobodyKnows(machine: Machine, cause: Refusal): Refusal {
  const message = `Whether the job began on "${machine.spec.name}" is not known: ${cause.message}`;
  return { code: 'unreachable', message };
}

function unreadable(machine: Machine, stderr: string): Refusal {
  return {
    code: 'unavailable',
    message: `"${machine.spec.name}" gave no readable account of its jobs: ${stderr.trim().slice(-300) || 'nothing'}.`,
  };
}
