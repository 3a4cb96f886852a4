import type { GpuCurves } from '../../../preload/contract';
import { shellWord } from '../../base';

/** Samples of a GPU that are held; when there are more, each two become one. */
const MAX_SAMPLES = 4_096;
const MAX_GPUS = 64;
/** Bytes of the file per read, some sixty reads of the largest file, each below 50 ms of work. */
export const GPU_PIECE_BYTES = 524_288;
const LONGEST_LINE = 200;

type Sample = {
  /** Seconds since 1970 by the machine's clock. */
  readonly at: number;
  readonly use: number | null;
  readonly memory: number | null;
  readonly power: number | null;
  readonly heat: number | null;
};

/**
 * Prints the file's size and a line feed, then its bytes from `offset` on, all but digits and what separates them as "?".
 * Prints nothing where it is no plain file: the job can put anything there.
 */
export function gpuPieceScript(path: string, offset: number): string {
  const file = shellWord(path);
  return `[ -f ${file} ] && [ ! -L ${file} ] || exit 0
wc -c <${file}
tail -c +${offset + 1} -- ${file} | head -c ${GPU_PIECE_BYTES} | LC_ALL=C tr -c '0-9.,\\n' '?'`;
}

const LINE =
  /^(\d{9,11}),(\d{1,3}),(\d{0,3}(?:\.\d{1,3})?),(\d{0,8}),(\d{0,8}),(\d{0,5}(?:\.\d{1,3})?),(\d{0,3})$/;

/** All samples of a job's GPUs, in bounded memory. */
export class GpuSamples {
  readonly #gpus = new Map<number, { samples: Sample[]; total: number | null }>();
  /** Bytes that were taken. */
  offset = 0;

  /** Takes what `gpuPieceScript` printed for `offset`; true: there is more to read. */
  take(output: string): boolean {
    const headEnd = output.indexOf('\n');
    const size = Number(output.slice(0, Math.max(0, headEnd)).trim());
    if (headEnd < 0 || !Number.isInteger(size) || size < this.offset) {
      this.#gpus.clear();
      this.offset = 0;
      return headEnd >= 0 && size > 0;
    }
    const text = output.slice(headEnd + 1);
    const end = text.lastIndexOf('\n') + 1;
    for (const line of text.slice(0, end).split('\n')) this.#add(line);
    // Half a line waits for its other half, unless it is longer than any line of ours.
    const consumed = text.length - end > LONGEST_LINE ? text.length : end;
    this.offset += consumed;
    return consumed > 0 && this.offset < size;
  }

  /** What cannot be a sample is skipped. */
  #add(line: string): void {
    const match = line.length > LONGEST_LINE ? null : LINE.exec(line);
    if (match === null) return;
    const [at, gpu, use, memory, total, power, heat] = match.slice(1).map(numberOf);
    if (at == null || gpu == null || (use ?? 0) > 100) return;
    const entry = this.#gpus.get(gpu) ?? { samples: [], total: null };
    if (this.#gpus.size === MAX_GPUS && !this.#gpus.has(gpu)) return;
    this.#gpus.set(gpu, entry);
    entry.total = total ?? entry.total;
    // The clock was set back.
    while ((entry.samples.at(-1)?.at ?? 0) >= at) entry.samples.pop();
    entry.samples.push({
      at,
      use: use ?? null,
      memory: memory ?? null,
      power: power ?? null,
      heat: heat ?? null,
    });
    if (entry.samples.length > MAX_SAMPLES) entry.samples = halved(entry.samples);
  }

  /** At most `points` of each GPU: means of use and power, the highest memory and temperature. */
  curves(points: number): GpuCurves {
    const gpus = [...this.#gpus].sort(([a], [b]) => a - b);
    const from = Math.min(...gpus.map(([, { samples }]) => samples[0]?.at ?? Number.POSITIVE_INFINITY));
    return {
      fromMs: Number.isFinite(from) ? from * 1_000 : null,
      gpus: gpus.map(([gpu, { samples, total }]) => {
        let shown = samples;
        while (shown.length > Math.max(2, points)) shown = halved(shown);
        return {
          gpu,
          seconds: shown.map(({ at }) => at - from),
          use: shown.map(({ use }) => use),
          memoryMib: shown.map(({ memory }) => memory),
          powerW: shown.map(({ power }) => power),
          temperatureC: shown.map(({ heat }) => heat),
          memoryTotalMib: total,
        };
      }),
    };
  }
}

function numberOf(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** Each two samples as one; an odd last one stays. */
function halved(samples: readonly Sample[]): Sample[] {
  const half: Sample[] = [];
  for (let i = 0; i < samples.length; i += 2) {
    const [one, two] = [samples[i], samples[i + 1]];
    if (one === undefined) continue;
    if (two === undefined) half.push(one);
    else
      half.push({
        at: (one.at + two.at) / 2,
        use: combine(one.use, two.use, mean),
        memory: combine(one.memory, two.memory, Math.max),
        power: combine(one.power, two.power, mean),
        heat: combine(one.heat, two.heat, Math.max),
      });
  }
  return half;
}

const mean = (a: number, b: number): number => (a + b) / 2;

function combine(a: number | null, b: number | null, of: (a: number, b: number) => number): number | null {
  return a === null ? b : b === null ? a : of(a, b);
}
