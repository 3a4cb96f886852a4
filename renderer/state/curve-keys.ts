/** What the quantities of a training are called and how their values stand. Keys that nobody knows keep their name. */

export type CurveKey = {
  readonly key: string;
  readonly label: string;
  /** What it is, in a sentence. */
  readonly hint: string;
  /** share: in [0, 1], shown in percent. number: as it is. */
  readonly unit: 'share' | 'number';
};

const share = (key: string, label: string, hint: string): CurveKey => ({ key, label, hint, unit: 'share' });
const number = (key: string, label: string, hint: string): CurveKey => ({ key, label, hint, unit: 'number' });

/** In the order in which they are looked at. */
const KNOWN: readonly CurveKey[] = [
  number('reward', 'Reward', 'Mean reward of the samples of an update'),
  share('pass@1', 'Pass@1', 'Share of first attempts that pass the private tests'),
  share('pass@1(mcts)', 'Pass@1(MCTS)', 'Share of problems whose chosen node passes the private tests'),
  share('pass@n', 'Pass@N', 'Share of problems for which some node passes the private tests'),
  share(
    'pass@1-of-passing',
    'Pass@1 where solvable',
    'Pass@1 over the problems that some node of the tree solves',
  ),
  number('shaped-reward', 'Shaped reward', 'Mean reward after shaping and penalties'),
  share(
    'zero-advantage',
    'Without a gradient',
    'Share of samples whose advantage is 0: nothing is learned from them',
  ),
  share('all-wrong', 'In all-wrong groups', 'Share of samples in groups of which every node fails'),
  share('refined', 'Refinements', 'Share of samples that refine the program of another node'),
  number('entropy', 'Entropy', 'How undecided the policy is, a token; near 0 it has stopped to explore'),
  number('kl', 'KL', 'Distance from the policy before the training, by the estimator of the order'),
  share('clipped', 'Clipped ratios', 'Share of ratios that the clipping has cut'),
  number(
    'update-kl',
    'KL of an update',
    'Distance between the policy before and after it learned from a batch',
  ),
  number('engine-kl', 'KL of the engine', 'Distance between the policy as it samples and as it learns'),
  number('gradient-norm', 'Gradient norm', 'Before clipping, where the trainer tells'),
  number('policy-loss', 'Policy loss', 'What the optimiser makes small'),
  number('loss', 'Loss', 'Policy loss with its penalties'),
  number('ratio', 'Importance ratio', 'Mean ratio between the policy now and the one that sampled'),
  share('node-share', 'Share of nodes', 'Share of the nodes of the trees that the agent wrote'),
  share('distinct', 'Different programs', 'Share of programs that differ from all others of their group'),
  share('kept-trees', 'Kept trees', 'Share of the trees that the filter lets through'),
  number('group-reward-std', 'Spread within groups', 'Standard deviation of the rewards of a group, mean'),
  number('return', 'Return', 'What the trainer calls so: the reward after penalties'),
  number('tokens', 'Tokens of an answer', 'Mean length of an answer'),
  share('cut-answers', 'Cut answers', 'Share of answers that the limit on tokens has cut'),
  number('learning-rate', 'Learning rate', 'Of the optimiser'),
  number('seconds', 'Seconds of an update', 'From one update to the next'),
];

/** Keys are ours, or as logged; behind a "/" may stand the data set that an evaluation is of. */
export function curveKey(key: string): CurveKey {
  const known = KNOWN.find((one) => one.key === key);
  if (known !== undefined) return known;
  const [, base = key, behind] = /^([^/]+)\/(.+)$/.exec(key) ?? [];
  const bare = KNOWN.find((one) => one.key === base);
  if (bare !== undefined && behind !== undefined) return { ...bare, key, label: `${bare.label}, ${behind}` };
  const [, n] = /^pass@(\d+)$/.exec(base) ?? [];
  if (n !== undefined) {
    const label = behind === undefined ? `Pass@${n}` : `Pass@${n}, ${behind}`;
    return share(key, label, `Chance that one of ${n} attempts passes the private tests`);
  }
  return number(key, key, 'As the trainer logs it');
}

/** Behind Pass@1 and its kin. */
const AFTER_PASS = KNOWN.findIndex(({ key }) => key === 'shaped-reward') - 0.5;

/** Known keys first, in their order; the others by name. */
export function compareKeys(a: string, b: string): number {
  const place = (key: string): number => {
    const at = KNOWN.findIndex((one) => key === one.key || key.startsWith(`${one.key}/`));
    return at !== -1 ? at : /^pass@\d/.test(key) ? AFTER_PASS : KNOWN.length;
  };
  return place(a) - place(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** 0.4231 -> "0.423", 31.23 -> "31.2", 12345 -> "12,345", 0.00003 -> "3.0e-5": three digits that count. */
export function shortNumber(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size >= 1e6 || size < 1e-3) return sign + size.toExponential(1).replace('e+', 'e').replace('e-', 'e−');
  if (size >= 100) return sign + Math.round(size).toLocaleString('en');
  return sign + (size >= 10 ? size.toFixed(1) : size >= 1 ? size.toFixed(2) : size.toFixed(3));
}

/** A value as its reading stands: a share in percent without its sign, which stands in the title. */
export function valueWords(unit: CurveKey['unit'], value: number): string {
  if (unit === 'number') return shortNumber(value);
  const percent = value * 100;
  return percent < 0 ? `−${(-percent).toFixed(1)}` : percent.toFixed(1);
}

/** A value at an axis whose ticks are `step` apart. */
export function tickWords(unit: CurveKey['unit'], value: number, step: number): string {
  const times = unit === 'share' ? 100 : 1;
  const shown = value * times;
  const apart = step * times;
  if (shown === 0) return '0';
  const size = Math.abs(shown);
  const sign = shown < 0 ? '−' : '';
  if (size >= 1e5 || size < 1e-3)
    return (
      sign +
      size
        .toExponential(size >= 1e5 ? 1 : 0)
        .replace('e+', 'e')
        .replace('e-', 'e−')
    );
  const digits = Math.max(0, Math.min(4, Math.ceil(-Math.log10(apart) - 1e-9)));
  return sign + size.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
