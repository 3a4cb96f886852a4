import type { Amount, JobView } from '../../../preload/contract/index';
import { NO_AMOUNT } from '../logic/reproductions/plan-inputs';

/**
 * What the last run of a job took, up to its end or `now` (milliseconds); from `from` on where that is known. Nothing
 * for one that never ran. Tokens are counted where they are written, in runs.
 */
export function jobAmount(job: JobView, now: number, from = Number.NEGATIVE_INFINITY): Amount {
  if (job.startedAt === null) return NO_AMOUNT;
  const begin = Math.max(Date.parse(job.startedAt), from);
  const end = job.endedAt === null ? now : Date.parse(job.endedAt);
  const seconds = Math.max(0, (end - begin) / 1_000);
  return { seconds, gpuSeconds: seconds * Math.max(job.gpuIds.length, job.resources.gpus), tokens: 0 };
}
