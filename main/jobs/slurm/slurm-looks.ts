import { ok } from '../../base';
import type { Asked, Machine } from '../../machines';
import type { StartedJob } from '../job-starter';
import type { LookedAt } from '../logic/look-script';
import type { JobLook, Sighting } from '../logic/sighting';
import {
  CLOSER_LOOK_SCRIPT,
  type CloserLook,
  closerLookInput,
  parseCloserLook,
} from '../logic/slurm/closer-look';
import type { QueueRow } from '../logic/slurm/queue';
import { needsCloserLook, type StartFacts, sightingOf, stillStands } from '../logic/slurm/sighting';
import { hereIso, wordsOfExit } from '../settle';
import { placeOf, type Surveyed, survey } from './survey';

const CLOSER_LOOK_TIMEOUT_MS = 60_000;

/**
 * Looks at jobs of one machine: one question for all, and a second for those that have ended and did not say how.
 * `known`: rows of Slurm's queue that are new enough, if any; `queue` of the answer: those to go on with. Every `lost`
 * is one of this moment: what a node wrote may be on its way.
 */
export async function lookInSlurm(
  jobs: readonly StartedJob[],
  nowMs: number,
  known: readonly QueueRow[] | null,
): Asked<{ readonly looks: readonly JobLook[]; readonly queue: readonly QueueRow[] | null }> {
  const machine = jobs[0]?.machine;
  if (machine === undefined) return ok({ looks: [], queue: known });
  const seen = await survey(machine, jobs, known);
  if (!seen.ok) return seen;
  const facts = jobs.map((job, index) => factsOf(job, index, seen.value));
  if (known !== null && !facts.every(stillStands)) return lookInSlurm(jobs, nowMs, null);
  const closer = await lookCloser(machine, jobs, facts);
  const { here, traces } = seen.value;
  const looks = facts.map((fact, index): JobLook => {
    const log = traces[index]?.log ?? null;
    const lastOutputAt = log === null || log.bytes === 0 ? null : hereIso(log.changedSeconds, here, nowMs);
    return {
      sighting: sightingHere({ ...fact, closer: closer.get(index) ?? null }, here, nowMs),
      log: { bytes: log?.bytes ?? 0, lastOutputAt },
    };
  });
  return ok({ looks, queue: seen.value.queue });
}

const NO_TRACES = { hasBegun: false, process: null, exit: null };

function factsOf(job: StartedJob, index: number, { queue, notes, traces }: Surveyed): StartFacts {
  const note = notes[index];
  const place = note === undefined ? { reference: job.reference, row: null } : placeOf(job, note, queue);
  const trace = traces[index] ?? NO_TRACES;
  return {
    ...place,
    traces: trace,
    exitWords: trace.exit === null ? '' : wordsOfExit(trace.exit),
    slurmAnswers: queue !== null,
    closer: null,
  };
}

/** By place in the list; those that need none, and all when it is not answered, are left out. */
async function lookCloser(
  machine: Machine,
  jobs: readonly StartedJob[],
  facts: readonly StartFacts[],
): Promise<ReadonlyMap<number, CloserLook>> {
  const needed = facts.flatMap((fact, index) => {
    const job = jobs[index];
    if (job === undefined || fact.reference === null || !needsCloserLook(fact)) return [];
    return [{ index, reference: fact.reference, folder: job.folder, attempt: job.attempt }];
  });
  if (needed.length === 0) return new Map();
  const told = await machine.run(CLOSER_LOOK_SCRIPT, {
    stdin: closerLookInput(needed),
    timeoutMs: CLOSER_LOOK_TIMEOUT_MS,
  });
  if (!told.ok) return new Map();
  const references = needed.map(({ reference }) => reference);
  const looks = parseCloserLook(told.value.stdout, references);
  return new Map(
    needed.flatMap(({ index }, place) => {
      const look = looks[place];
      return look === undefined ? [] : [[index, look] as const];
    }),
  );
}

/** With times of this computer. */
function sightingHere(facts: StartFacts, here: LookedAt, nowMs: number): Sighting {
  const seen = sightingOf(facts);
  if (seen.kind !== 'exited') return seen;
  const writtenMs = Date.parse(facts.traces.exit?.endedAt ?? '');
  const seconds = seen.endedAtS ?? (Number.isNaN(writtenMs) ? null : writtenMs / 1_000);
  const endedAt = seconds === null ? new Date(nowMs).toISOString() : hereIso(seconds, here, nowMs);
  const { endedAtS: _, ...end } = seen;
  return { ...end, endedAt };
}
