import { failed, ok } from '../../base';
import type { AsyncResult, Machine } from '../../machines';
import { NO_SLURM } from '../logic/slurm/environment';
import { type ForeignJob, foreignJobScript, parseForeignJob } from '../logic/slurm/foreign-job';
import { noSlurm } from '../logic/slurm/refusals';

const TIMEOUT_MS = 60_000;

/** A job that others submitted to the Slurm of a machine. Only asks; refused where Slurm knows no such job. */
export async function readForeignJob(
  machine: Machine,
  slurmId: string,
  nowMs: number,
): AsyncResult<ForeignJob> {
  const asked = await machine.run(foreignJobScript(slurmId), { timeoutMs: TIMEOUT_MS });
  if (!asked.ok) return asked;
  const { name } = machine.spec;
  if (asked.value.code === NO_SLURM) return failed(noSlurm(name));
  const job = parseForeignJob(asked.value.stdout, (seconds) =>
    new Date(seconds === null ? nowMs : seconds * 1_000).toISOString(),
  );
  if (job !== null) return ok(job);
  return failed({
    code: 'not-found',
    message: `Slurm on ${name} knows no job ${slurmId}.`,
    hint: 'It forgets jobs some time after their end. Watch the folder of its files instead.',
  });
}
