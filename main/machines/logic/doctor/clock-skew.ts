import { bad, type Finding, good, unknown, warning } from './finding';

/** Seconds and nanoseconds since 1970; a `date` without nanoseconds prints something else behind the seconds. */
export const CLOCK_SCRIPT = 'date +%s%N';

/** One question: when it was asked and answered by our clock (ms since 1970), and what the machine's `date` printed. */
export type ClockSample = { readonly sentMs: number; readonly answeredMs: number; readonly printed: string };

/** Time stamps in logs and ages of processes are then hard to compare by eye. */
const NOTICEABLE_MS = 2_000;
/** Logins by ticket (Kerberos, munge) and certificates fail at about five minutes; Slurm's at less. */
const HARMFUL_MS = 60_000;

/** Judges by the sample with the shortest round trip: half of it is the largest possible error. */
export function clockFinding(samples: readonly ClockSample[]): Finding {
  const offsets = samples.flatMap(offsetOf).sort((a, b) => a.slackMs - b.slackMs);
  const best = offsets[0];
  if (best === undefined) return unknown('The machine does not report its time.');
  const leastSkewMs = Math.max(0, Math.abs(best.offsetMs) - best.slackMs);
  if (leastSkewMs <= NOTICEABLE_MS)
    return good(
      `Agrees with this computer's to ${secondsText(Math.max(Math.abs(best.offsetMs), best.slackMs))}.`,
    );
  const summary = `The machine's clock is ${secondsText(Math.abs(best.offsetMs))} ${best.offsetMs > 0 ? 'ahead of' : 'behind'} this computer's.`;
  const todo =
    'Check on both which one is wrong: `timedatectl`. `sudo timedatectl set-ntp true` synchronizes a clock.';
  return leastSkewMs > HARMFUL_MS ? bad(summary, todo) : warning(summary, todo);
}

function offsetOf({ sentMs, answeredMs, printed }: ClockSample) {
  const [, seconds, nanoseconds] = /^(\d{9,10}?)(\d{9})?\D*$/.exec(printed.trim()) ?? [];
  if (seconds === undefined) return [];
  // Whole seconds are, on average, half a second old.
  const isWhole = nanoseconds === undefined;
  const remoteMs = Number(seconds) * 1_000 + (isWhole ? 500 : Number(nanoseconds) / 1e6);
  const slackMs = (answeredMs - sentMs) / 2 + (isWhole ? 500 : 0);
  return [{ offsetMs: remoteMs - (sentMs + answeredMs) / 2, slackMs }];
}

function secondsText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 0.95) return `${Math.max(0.1, Math.ceil(seconds * 10) / 10)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
