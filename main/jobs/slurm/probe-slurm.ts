import { ok } from '../../base';
import type { AsyncResult, Machine } from '../../machines';
import type { StartedJob } from '../job-starter';
import type { JobProbe, Observation } from '../logic/observation';
import type { ProbedMachine } from '../logic/probe-script';
import {
  END_DETAILS_SCRIPT,
  type EndDetails,
  endDetailsInput,
  parseEndDetails,
} from '../logic/slurm/end-details';
import { type AttemptFacts, isStillValid, needsEndDetails, observe } from '../logic/slurm/observation';
import type { QueueRow } from '../logic/slurm/queue';
import { describeExit, localIso } from '../resolve-state';
import { locateInQueue, type SurveyResult, survey } from './survey';

const END_DETAILS_TIMEOUT_MS = 60_000;

/**
 * Observes jobs on one machine: one query for all, and a second for those that ended without an exit code. `rows`:
 * recent rows of Slurm's queue, if any; `queue`: rows to cache. A `lost` result may be premature, since a node's files may
 * not be visible yet.
 */
export async function probeSlurm(
  jobs: readonly StartedJob[],
  nowMs: number,
  rows: readonly QueueRow[] | null,
): AsyncResult<{ readonly probes: readonly JobProbe[]; readonly queue: readonly QueueRow[] | null }> {
  const machine = jobs[0]?.machine;
  if (machine === undefined) return ok({ probes: [], queue: rows });
  const surveyed = await survey(machine, jobs, rows);
  if (!surveyed.ok) return surveyed;
  const facts = jobs.map((job, index) => factsOf(job, index, surveyed.value));
  if (rows !== null && !facts.every(isStillValid)) return probeSlurm(jobs, nowMs, null);
  const details = await fetchEndDetails(machine, jobs, facts);
  const { here, traces } = surveyed.value;
  const probes = facts.map((fact, index): JobProbe => {
    const log = traces[index]?.log ?? null;
    const lastOutputAt = log === null || log.bytes === 0 ? null : localIso(log.changedSeconds, here, nowMs);
    return {
      observation: localObservation({ ...fact, details: details.get(index) ?? null }, here, nowMs),
      idleGpus: traces[index]?.idleGpus ?? [],
      log: { bytes: log?.bytes ?? 0, lastOutputAt, leftOut: log?.leftOut ?? null },
    };
  });
  return ok({ probes, queue: surveyed.value.queue });
}

const NO_TRACES = { hasStarted: false, process: null, exit: null };

function factsOf(job: StartedJob, index: number, { queue, notes, traces }: SurveyResult): AttemptFacts {
  const note = notes[index];
  const located =
    note === undefined ? { reference: job.reference, row: null } : locateInQueue(job, note, queue);
  const trace = traces[index] ?? NO_TRACES;
  return {
    ...located,
    traces: trace,
    exitText: trace.exit === null ? '' : describeExit(trace.exit),
    slurmAnswers: queue !== null,
    details: null,
  };
}

/** By index in the list; absent for jobs that need none, and for all if the query fails. */
async function fetchEndDetails(
  machine: Machine,
  jobs: readonly StartedJob[],
  facts: readonly AttemptFacts[],
): Promise<ReadonlyMap<number, EndDetails>> {
  const needed = facts.flatMap((fact, index) => {
    const job = jobs[index];
    if (job === undefined || fact.reference === null || !needsEndDetails(fact)) return [];
    return [{ index, reference: fact.reference, folder: job.folder, attempt: job.attempt }];
  });
  if (needed.length === 0) return new Map();
  const result = await machine.run(END_DETAILS_SCRIPT, {
    stdin: endDetailsInput(needed),
    timeoutMs: END_DETAILS_TIMEOUT_MS,
  });
  if (!result.ok) return new Map();
  const references = needed.map(({ reference }) => reference);
  const probes = parseEndDetails(result.value.stdout, references);
  return new Map(
    needed.flatMap(({ index }, position) => {
      const probe = probes[position];
      return probe === undefined ? [] : [[index, probe] as const];
    }),
  );
}

/** Converts times to this computer's clock. */
function localObservation(facts: AttemptFacts, here: ProbedMachine, nowMs: number): Observation {
  const observed = observe(facts);
  if (observed.kind !== 'exited') return observed;
  const writtenMs = Date.parse(facts.traces.exit?.endedAt ?? '');
  const seconds = observed.endedAtS ?? (Number.isNaN(writtenMs) ? null : writtenMs / 1_000);
  const endedAt = seconds === null ? new Date(nowMs).toISOString() : localIso(seconds, here, nowMs);
  const { endedAtS: _, ...end } = observed;
  return { ...end, endedAt };
}
