import type { Decision, OptionPosterior } from '../../../preload/contract';

/** Options shown per decision; a wide root has hundreds. */
const SHOWN = 8;

const MEASURES: Readonly<Record<Decision['measure'], string>> = {
  draw: 'the largest draw wins',
  bound: 'the largest bound wins; untried options first',
  score: 'the best score wins',
  turn: 'in turn',
};

/** "At the problem: new attempt or go deeper? (the largest draw wins)" */
export function questionText({ node, question, measure }: Decision): string {
  const where = node === -1 ? 'At the problem' : `At node ${node}`;
  const text = {
    widen: 'new attempt or go deeper?',
    child: 'which child?',
    agent: 'which agent?',
    leaf: 'which node to expand?',
  }[question];
  return `${where}: ${text} (${MEASURES[measure]})`;
}

export function optionText(option: string, agentName: (id: string) => string): string {
  const [kind, ...rest] = option.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'generate':
      return 'new attempt here';
    case 'proceed':
      return 'go deeper';
    case 'child':
    case 'leaf':
      return name === '-1' ? 'the problem' : `node ${name}`;
    case 'agent':
      return agentName(name);
    default:
      return option;
  }
}

export type ShownOption = {
  readonly option: string;
  readonly value: number | null;
  readonly chosen: boolean;
  /** The search's estimate at that time; null: not known. */
  readonly belief: OptionPosterior | null;
};

/** Intervals are clipped to these: scores are in [0, 1], but intervals from few observations are wide. */
const MIN_SHOWN = -0.25;
const MAX_SHOWN = 1.25;

/**
 * The chosen option and the best others, best first; `low` to `high` is their scale, which includes 0. `beliefs`: one per
 * option, in order.
 */
export function shownOptions(
  { options, values, chosen, measure }: Decision,
  beliefs: readonly (OptionPosterior | null)[] = [],
): {
  readonly rows: readonly ShownOption[];
  readonly hidden: number;
  readonly low: number;
  readonly high: number;
} {
  const all = options.map(
    (option, at): ShownOption => ({
      option,
      value: values[at] ?? null,
      chosen: at === chosen,
      belief: beliefs[at] ?? null,
    }),
  );
  const sign = measure === 'turn' ? 1 : -1;
  const worth = ({ value }: ShownOption): number =>
    value === null ? Number.NEGATIVE_INFINITY : sign * value;
  const sorted = [...all].sort((a, b) => worth(a) - worth(b));
  const rows = sorted.slice(0, SHOWN);
  const picked = all[chosen];
  if (picked !== undefined && !rows.includes(picked)) rows[rows.length - 1] = picked;
  const shown = rows.flatMap(({ value, belief }) => [
    ...(value === null ? [] : [value]),
    ...(belief === null
      ? []
      : [belief.mean, Math.max(MIN_SHOWN, belief.low ?? 0), Math.min(MAX_SHOWN, belief.high ?? 0)]),
  ]);
  const low = Math.min(0, ...shown);
  const high = Math.max(0, ...shown);
  return { rows, hidden: all.length - rows.length, low, high: high === low ? low + 1 : high };
}
