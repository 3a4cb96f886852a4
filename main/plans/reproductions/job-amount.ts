import type { Amount, JobView } from '../../../preload/contract/index';
import { NO_AMOUNT } from '../logic/reproductions/plan-inputs';

/**
 * What the last life of a job took, up to its end or `now` (milliseconds); from `from` on where that is given. Nothing
 * for one that never ran. Tokens are counted where they are written, in runs.
 */
export function jobAmount(job: JobView | null | undefined, now: number, from: number | null = null): Amount {
  if (job === null || job === undefined || job.startedAt === null) return NO_AMOUNT;
  const begin = Math.max(Date.parse(job.startedAt), from ?? Number.NEGATIVE_INFINITY);
  const end = job.endedAt === null ? now : Date.parse(job.endedAt);
  const seconds = Math.max(0, (end - begin) / 1_000);
  return { seconds, gpuSeconds: seconds * Math.max(job.gpuIds.length, job.resources.gpus), tokens: 0 };
}
