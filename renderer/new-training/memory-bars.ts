import type { MemoryPart, PlanMemory } from '../../preload/contract/plan-memory';
import { MEMORY_PARTS } from '../../preload/contract/plans/index';
import { configurationColor } from '../theme/index';
import { bytes } from '../widgets/index';
import type { StackedPart } from '../widgets/stacked-bar';

/** Parts of an agent's memory that are there at once. */
export type MemoryBar = {
  readonly id: string;
  readonly agent: string;
  readonly phase: 'while writing' | 'while learning';
  readonly stack: PlanMemory['agents'][number]['writing'];
  /** Bytes of those whose size is known. */
  readonly sum: number;
  readonly isSumKnown: boolean;
};

/** Neighbours in a stack differ clearly. What writing adds has one colour: it is either of the two. */
const COLORS: Readonly<Record<MemoryPart, string>> = {
  weights: configurationColor(0),
  gradients: configurationColor(1),
  optimiser: configurationColor(2),
  frozenCopy: configurationColor(5),
  base: 'var(--mark-faint)',
  passCopies: configurationColor(7),
  activations: configurationColor(4),
  logits: configurationColor(3),
  fragments: configurationColor(3),
  keysAndValues: configurationColor(6),
  engine: configurationColor(6),
};
/** On a device many times larger than what is needed, the bars would be too short to be read. */
const MAX_TIMES = 4;

export function barsOf({ id, writing, learning }: PlanMemory['agents'][number]): readonly MemoryBar[] {
  const bar = (phase: MemoryBar['phase'], stack: MemoryBar['stack']): MemoryBar => ({
    ...{ id: `${id} ${phase}`, agent: id, phase, stack },
    sum: stack.reduce((total, part) => total + (part.bytes ?? 0), 0),
    isSumKnown: stack.every((part) => part.bytes !== null),
  });
  return [bar('while writing', writing), bar('while learning', learning)];
}

export function largestOf(bars: readonly MemoryBar[]): MemoryBar | undefined {
  return bars.toSorted((a, b) => b.sum - a.sum)[0];
}

/** Bytes at the right edge of all bars, and where the device's line is; null: none, or far beyond the edge. */
export function memoryScale(
  needed: number,
  deviceBytes: number | null,
): { end: number; limit: number | null } {
  if (deviceBytes !== null && deviceBytes > MAX_TIMES * needed) return { end: 1.1 * needed, limit: null };
  return { end: Math.max(needed, deviceBytes ?? 0), limit: deviceBytes };
}

export function colorOf(part: MemoryPart): Pick<StackedPart, 'color' | 'hatched'> {
  return { color: COLORS[part], hatched: part === 'fragments' };
}

/** What is drawn of a bar: parts of unknown size are not. The last one is set apart from what follows. */
export function drawnParts({ id, stack }: MemoryBar): readonly StackedPart[] {
  const known = stack.flatMap(({ part, bytes: value }) =>
    value === null ? [] : [{ id: `${id} ${part}`, value, ...colorOf(part) }],
  );
  return known.map((part, at) => (at === known.length - 1 ? { ...part, last: true } : part));
}

/** "small while writing, in GB: weights 0.60, ...; 1.7 GB of 25.3 GB", for who cannot see it. */
export function barText(bar: MemoryBar, deviceBytes: number | null): string {
  const parts = bar.stack.map(({ part, bytes: size }) => `${MEMORY_PARTS[part]} ${gigabytes(size)}`);
  const prefix = bar.isSumKnown ? '' : 'more than ';
  return `${bar.agent} ${bar.phase}, in GB: ${parts.join(', ')}; ${prefix}${ofDevice(bar.sum, deviceBytes)}`;
}

export function ofDevice(size: number, deviceBytes: number | null): string {
  return `${bytes(size)}${deviceBytes === null ? '' : ` of ${bytes(deviceBytes)}`}`;
}

/** "0.60"; the unit is in the caption. */
export function gigabytes(size: number | null): string {
  if (size === null) return 'unknown';
  return size < 0.005e9 ? '< 0.01' : (size / 1e9).toFixed(2);
}
