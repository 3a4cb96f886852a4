import type { TrainingCurve, TrainingView } from '../../../../preload/contract';
import type { MetricRow, Part } from './metric-names';
import { Series } from './series';
import { TimeLine } from './time-line';
import type { Trend } from './trend';

/** Where a row comes from. For each quantity, an earlier source takes precedence over a later one. */
const SOURCES = ['metrics', 'own-steps', 'log'] as const;
type RowSource = (typeof SOURCES)[number];

/** Bounds memory if a trainer keeps inventing names: further ones are dropped. verl has about 120. */
const MAX_SERIES = 2_000;

/** The trend of an agent's quantity, for alarms. */
export type QuantityTrend = {
  readonly agentId: string | null;
  readonly part: Part;
  readonly key: string;
  readonly trend: Trend;
};

/** The axis of a training's curves. */
export type CurveClock = {
  /** Its first point, milliseconds since 1970 by the machine's clock. */
  readonly beginMs: number;
  /** The step reached by then, with its fraction; null: before the first or after the last. */
  readonly stepAt: (ms: number) => number | null;
};

type Entry = Omit<MetricRow, 'step' | 'value' | 'samples'> & {
  readonly source: RowSource;
  readonly series: Series;
};

type Write = (step: number, value: number, ms: number | null, samples?: number) => void;

/** All metrics of a training so far, in bounded memory. */
export class CurveStore {
  readonly #entries = new Map<string, Entry>();
  readonly #times = new Map<string, TimeLine>();

  /** `ms`: its time, by one clock for all rows of the source; null: unknown. */
  add(source: RowSource, row: MetricRow, ms: number | null = null): void {
    this.writerOf(source, row)(row.step, row.value, ms, row.samples);
  }

  /** Returns a function that adds values of one quantity, so that its series is looked up only once. */
  writerOf(source: RowSource, { agentId, part, key, dataset }: Omit<MetricRow, 'step' | 'value'>): Write {
    const name = `${source}\n${agentId ?? ''}\n${part}\n${key}\n${dataset ?? ''}`;
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      if (this.#entries.size === MAX_SERIES) return () => undefined;
      entry = { source, agentId, part, key, dataset, series: new Series() };
      this.#entries.set(name, entry);
    }
    const { series } = entry;
    const line = this.#timeLine(source, agentId);
    return (step, value, ms, samples) => {
      series.add(step, value, samples);
      if (ms !== null) line.add(step, ms);
    };
  }

  addTime(source: RowSource, agentId: string | null, step: number, ms: number): void {
    this.#timeLine(source, agentId).add(step, ms);
  }

  #timeLine(source: RowSource, agentId: string | null): TimeLine {
    const name = `${source}\n${agentId ?? ''}`;
    let line = this.#times.get(name);
    if (line === undefined) {
      line = new TimeLine();
      this.#times.set(name, line);
    }
    return line;
  }

  /** In the order in which agents and keys appeared; at most `points` points each. */
  curves(points: number): TrainingCurve[] {
    return this.#best().flatMap(({ name, entry }) => {
      const { steps, values, samples } = entry.series.points(points);
      if (steps.length === 0) return [];
      const line = this.#timeLineOf(entry);
      const begin = this.#begin(entry.source);
      const seconds =
        line === null ? null : steps.map((step) => Math.max(0, (line.at(step) - begin) / 1_000));
      return [{ agentId: entry.agentId, key: name, part: entry.part, steps, values, samples, seconds }];
    });
  }

  /** The newest value of every known quantity, separately for training and evaluation. */
  latest(): TrainingView['latest'] {
    const latest = new Map<string, TrainingView['latest'][number]>();
    const rank = ({ entry }: { readonly entry: Entry }): number => (entry.part === 'evaluation' ? 1 : 0);
    for (const { name, entry } of this.#best().toSorted((a, b) => rank(a) - rank(b))) {
      const { agentId, part } = entry;
      const value = entry.series.last;
      if (value === undefined || part === 'other') continue;
      latest.set(`${agentId ?? ''}\n${name}\n${part}`, { agentId, key: name, part, value });
    }
    return [...latest.values()];
  }

  trends(): readonly QuantityTrend[] {
    return this.#best().map(({ entry }) => ({ ...entry, trend: entry.series.trend }));
  }

  /** Updates of each agent that has any. */
  updates(): ReadonlyMap<string | null, number> {
    const updates = new Map<string | null, number>();
    const isCounted = new Set<string | null>();
    for (const source of ['own-steps', 'metrics', 'log'] as const) {
      const here = [...this.#entries.values()].filter(
        (entry) => entry.source === source && entry.part === 'train',
      );
      for (const { agentId, series } of here) {
        if (isCounted.has(agentId)) continue;
        updates.set(agentId, Math.max(updates.get(agentId) ?? 0, series.trend.lastStep));
      }
      for (const { agentId } of here) isCounted.add(agentId);
    }
    return updates;
  }

  /** The non-empty time lines of a source, one per agent. */
  timeLines(source: RowSource): readonly TimeLine[] {
    return [...this.#times]
      .filter(([name, line]) => name.startsWith(`${source}\n`) && line.span !== null)
      .map(([, line]) => line);
  }

  /** When the steps were reached; null: no source tells in a clock that others share (logs have their own). */
  clock(): CurveClock | null {
    for (const source of ['metrics', 'own-steps'] as const) {
      const [line] = this.timeLines(source);
      if (line !== undefined) return { beginMs: this.#begin(source), stepAt: (ms) => line.stepAt(ms) };
    }
    return null;
  }

  /** One entry per quantity, and its name, which includes the data set if there are several. */
  #best(): readonly { readonly name: string; readonly entry: Entry }[] {
    const best = new Map<string, Entry>();
    const datasets = new Map<string, Set<string | null>>();
    for (const entry of this.#entries.values()) {
      const plain = `${entry.part}\n${entry.key}`;
      const name = `${plain}\n${entry.agentId ?? ''}\n${entry.dataset ?? ''}`;
      datasets.set(plain, (datasets.get(plain) ?? new Set()).add(entry.dataset));
      const other = best.get(name);
      if (other === undefined || SOURCES.indexOf(entry.source) < SOURCES.indexOf(other.source))
        best.set(name, entry);
    }
    return [...best.values()].map((entry) => {
      const isOne = (datasets.get(`${entry.part}\n${entry.key}`)?.size ?? 1) === 1;
      return { name: isOne || entry.dataset === null ? entry.key : `${entry.key}/${entry.dataset}`, entry };
    });
  }

  #timeLineOf({ source, agentId }: Entry): TimeLine | null {
    const own = this.#times.get(`${source}\n${agentId ?? ''}`);
    return own !== undefined && own.span !== null ? own : (this.timeLines(source)[0] ?? null);
  }

  #begin(source: RowSource): number {
    return Math.min(...this.timeLines(source).map((line) => line.span?.first ?? Number.POSITIVE_INFINITY));
  }
}
