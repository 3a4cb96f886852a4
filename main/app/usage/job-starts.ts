import type { JobView } from '../../../preload/contract/index';

/** A timeline of this many entries may have lost some between its first and its latest. */
const MAYBE_CUT = 200;

/** One start of a job, from when it held its GPUs; ISO dates. */
export type JobStart = {
  /** From 1. */
  readonly attempt: number;
  readonly startedAt: string;
  /** null: it runs, or may run. */
  readonly endedAt: string | null;
  /** Whether the machine reported the end; false: it is the time when the end was noticed. */
  readonly endIsKnown: boolean;
  /** It was seen running; a Slurm job that was not may have waited all the time. */
  readonly wasSeen: boolean;
};

type Open = { asked: string; running: string | null; ended: string | null; endIsKnown: boolean };

/** The starts of a job by its record, oldest first. Of a long timeline only the last start is certain. */
export function startsOf(job: JobView): readonly JobStart[] {
  const { attempts, startedAt, endedAt, timeline, createdAt } = job;
  const found = timeline.length >= MAYBE_CUT ? [] : startsIn(timeline);
  if (found.length === 0 && startedAt !== null) {
    found.push({ asked: createdAt, running: startedAt, ended: null, endIsKnown: false });
  }
  return found.map(({ asked, running, ended, endIsKnown }, at): JobStart => {
    const isLast = at === found.length - 1;
    const last = isLast ? { startedAt, endedAt } : { startedAt: null, endedAt: null };
    return {
      attempt: Math.max(1, attempts - (found.length - 1 - at)),
      startedAt: last.startedAt ?? running ?? asked,
      endedAt: last.endedAt ?? ended,
      endIsKnown: isLast && job.state.kind === 'exited' ? true : endIsKnown,
      wasSeen: running !== null,
    };
  });
}

function startsIn(timeline: JobView['timeline']): Open[] {
  const open: Open[] = [];
  for (const { at, what } of timeline) {
    const current = open.at(-1);
    const isOpen = current !== undefined && current.ended === null;
    // A job in Slurm's queue is "starting" a second time when its node gets ready.
    if (what === 'starting' && !isOpen)
      open.push({ asked: at, running: null, ended: null, endIsKnown: false });
    if (!isOpen) continue;
    if (what === 'running') current.running ??= at;
    if (what !== 'exited' && what !== 'lost') continue;
    current.ended = at;
    current.endIsKnown = what === 'exited';
  }
  return open;
}
