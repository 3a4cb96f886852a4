import type { TrainingCurve, TrainingView } from '../../../../preload/contract';
import type { MetricRow, Part } from './metric-row';
import { Series } from './series';
import { TimeLine } from './time-line';
import type { Trend } from './trend';

/** Where a row comes from. What the first has of a quantity goes before what the later ones have of it. */
const SOURCES = ['metrics', 'own-steps', 'log'] as const;
type RowSource = (typeof SOURCES)[number];

/** A trainer that makes up names as it goes must not fill the memory: later ones are left out. verl has some 120. */
const MOST_SERIES = 2_000;

/** A quantity of an agent, as alarms see it. */
export type TrendOf = {
  readonly agentId: string | null;
  readonly part: Part;
  readonly key: string;
  readonly trend: Trend;
};

type Entry = Omit<MetricRow, 'step' | 'value' | 'samples'> & {
  readonly source: RowSource;
  readonly series: Series;
};

type Write = (step: number, value: number, ms: number | null, samples?: number) => void;

/** All that a training has measured so far, in bounded memory. */
export class CurveBook {
  readonly #entries = new Map<string, Entry>();
  readonly #times = new Map<string, TimeLine>();

  /** `ms`: when it was, by a clock that is the same for all rows of the source; null: not told. */
  add(source: RowSource, row: MetricRow, ms: number | null = null): void {
    this.writerOf(source, row)(row.step, row.value, ms, row.samples);
  }

  /** Adds values of one quantity: who has a million of them looks for its series once. */
  writerOf(source: RowSource, { agentId, part, key, dataset }: Omit<MetricRow, 'step' | 'value'>): Write {
    const name = `${source}\n${agentId ?? ''}\n${part}\n${key}\n${dataset ?? ''}`;
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      if (this.#entries.size === MOST_SERIES) return () => undefined;
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

  /** In the order of agents and keys as they came; none has more than `points` points. */
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

  /** The newest value of every quantity that has a key of ours; the evaluation's where it is measured twice. */
  latest(): TrainingView['latest'] {
    const latest = new Map<string, TrainingView['latest'][number]>();
    const rank = ({ entry }: { readonly entry: Entry }): number => (entry.part === 'evaluation' ? 1 : 0);
    for (const { name, entry } of this.#best().toSorted((a, b) => rank(a) - rank(b))) {
      const value = entry.series.last;
      if (value === undefined || entry.part === 'other') continue;
      latest.set(`${entry.agentId ?? ''}\n${name}`, { agentId: entry.agentId, key: name, value });
    }
    return [...latest.values()];
  }

  trends(): readonly TrendOf[] {
    return this.#best().map(({ entry }) => ({ ...entry, trend: entry.series.trend }));
  }

  /** Updates by agent: of those that have any. */
  updates(): ReadonlyMap<string | null, number> {
    const updates = new Map<string | null, number>();
    const isCounted = new Set<string | null>();
    for (const source of ['own-steps', 'metrics', 'log'] as const) {
      const here = [...this.#entries.values()].filter((one) => one.source === source && one.part === 'train');
      for (const { agentId, series } of here) {
        if (isCounted.has(agentId)) continue;
        updates.set(agentId, Math.max(updates.get(agentId) ?? 0, series.trend.lastStep));
      }
      for (const { agentId } of here) isCounted.add(agentId);
    }
    return updates;
  }

  /** The time lines of a source that have a point, one an agent. */
  timeLines(source: RowSource): readonly TimeLine[] {
    return [...this.#times]
      .filter(([name, line]) => name.startsWith(`${source}\n`) && line.span !== null)
      .map(([, line]) => line);
  }

  /** One entry a quantity, and its name: with its data set where there are several. */
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
