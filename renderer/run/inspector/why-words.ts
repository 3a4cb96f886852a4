import type { Decision, OptionPosterior } from '../../../preload/contract';

/** Options of one question that are shown; a wide root has hundreds. */
const SHOWN = 8;

const MEASURES: Readonly<Record<Decision['measure'], string>> = {
  draw: 'the largest draw wins',
  bound: 'the largest bound wins; what is untried goes first',
  score: 'the best score wins',
  turn: 'whose turn it was',
};

/** "At the problem: go wider or deeper? The largest draw wins" */
export function questionWords({ node, question, measure }: Decision): string {
  const where = node === -1 ? 'At the problem' : `At node ${node}`;
  const text = {
    widen: 'a fresh attempt, or go on below?',
    child: 'below which child?',
    agent: 'which agent writes?',
    leaf: 'which node is expanded?',
  }[question];
  return `${where}: ${text} (${MEASURES[measure]})`;
}

export function optionWords(option: string, agentName: (id: string) => string): string {
  const [kind, ...rest] = option.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'generate':
      return 'fresh attempt here';
    case 'proceed':
      return 'go on below';
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
  /** What the search believed of it then; null: not known. */
  readonly belief: OptionPosterior | null;
};

/** Beyond these a belief's interval is cut: a score is in [0, 1], and one that has seen little reaches far out. */
const MIN_SHOWN = -0.25;
const MAX_SHOWN = 1.25;

/**
 * The chosen option and the best others, best first; `low` to `high` is their scale, which holds 0. `beliefs`: one an
 * option, in its order.
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
  return { rows, hidden: all.length - rows.length, low, high === low ? low + 1 : high };
}
