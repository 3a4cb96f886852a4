import type { Decision, OptionPosterior } from '../../../preload/contract';

/** Options shown per decision; a wide root has hundreds. */
const SHOWN = 8;

const MEASURES: Readonly<Record<Decision['measure'], string>> = {
  draw: 'the largest draw wins',
  bound: 'the largest bound wins; untried options first',
  score: 'the best score wins',
  turn: 'in turn',
};

/** "At node 1: refine it or go deeper? (the largest draw wins)" */
export function questionText({ node, question, measure }: Decision): string {
  const where = node === -1 ? 'At the problem' : `At node ${node}`;
  const text = {
    widen: node === -1 ? 'new program or go deeper?' : 'refine it or go deeper?',
    child: 'which child?',
    agent: 'which agent?',
    leaf: 'which node to expand?',
  }[question];
  return `${where}: ${text} (${MEASURES[measure]})`;
}

/** An option in words; `node`: where the question came up, -1 is the problem. */
export function optionText(option: string, node: number, agentName: (id: string) => string): string {
  const [kind, ...rest] = option.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'generate':
      return node === -1 ? 'new program' : `refine node ${node}`;
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

/** What the bars of a question show: its rows, and the ends of their scale. */
export type ShownQuestion = {
  /** The chosen option and the best others, best first. */
  readonly rows: readonly ShownOption[];
  readonly hidden: number;
  readonly low: number;
  readonly high: number;
};

/**
 * The questions that led to a node, in order. Those with the same measure share one scale, which includes 0: on a scale of
 * its own the best option of every question would have a full bar, whatever its value. `beliefs`: one per question and
 * option.
 */
export function shownQuestions(
  why: readonly Decision[],
  beliefs: readonly (readonly (OptionPosterior | null)[])[] | null,
): readonly ShownQuestion[] {
  const shown = why.map((decision, at) => ({
    measure: decision.measure,
    ...shownOptions(decision, beliefs?.[at] ?? []),
  }));
  return shown.map(({ measure, rows, hidden }) => {
    const values = shown.flatMap((other) => (other.measure === measure ? other.rows.flatMap(extent) : []));
    const low = Math.min(0, ...values);
    const high = Math.max(0, ...values);
    return { rows, hidden, low, high: high === low ? low + 1 : high };
  });
}

function shownOptions(
  { options, values, chosen, measure }: Decision,
  beliefs: readonly (OptionPosterior | null)[],
): Pick<ShownQuestion, 'rows' | 'hidden'> {
  const all = options.map(
    (option, at): ShownOption => ({
      option,
      value: values[at] ?? null,
      chosen: at === chosen,
      belief: beliefs[at] ?? null,
    }),
  );
  const sign = measure === 'turn' ? 1 : -1;
  const optionValue = ({ value }: ShownOption): number =>
    value === null ? Number.NEGATIVE_INFINITY : sign * value;
  const sorted = [...all].sort((a, b) => optionValue(a) - optionValue(b));
  const rows = sorted.slice(0, SHOWN);
  const picked = all[chosen];
  if (picked !== undefined && !rows.includes(picked)) rows[rows.length - 1] = picked;
  return { rows, hidden: all.length - rows.length };
}

/** The values that a row draws. */
function extent({ value, belief }: ShownOption): number[] {
  const drawn = value === null ? [] : [value];
  if (belief === null) return drawn;
  const { mean, low, high } = belief;
  return [...drawn, mean, Math.max(MIN_SHOWN, low ?? 0), Math.min(MAX_SHOWN, high ?? 0)];
}
