import { EXPERIMENT_METRIC_TITLES, percentText, ROUNDING_NOISE } from '../../preload/contract/plans/index';
import type { TrainingCurve } from '../../preload/contract/training';

/** Names and number formats of the logged quantities of a training. Unknown keys keep their name. */

export type CurveKey = {
  readonly key: string;
  readonly label: string;
  /** One sentence. */
  readonly hint: string;
  /** share: in [0, 1], shown in percent. number: as it is. */
  readonly unit: 'share' | 'number';
};

const share = (key: string, label: string, hint: string): CurveKey => ({ key, label, hint, unit: 'share' });
const number = (key: string, label: string, hint: string): CurveKey => ({ key, label, hint, unit: 'number' });

/** In display order. */
const KNOWN_KEYS: readonly CurveKey[] = [
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
    EXPERIMENT_METRIC_TITLES['zero-advantage'],
    'Share of samples whose advantage is 0: they contribute no gradient',
  ),
  share('all-wrong', 'All-wrong groups', 'Share of samples in groups in which every node fails'),
  share('refined', 'Refinements', 'Share of samples that refine the program of another node'),
  number('entropy', 'Entropy', 'Entropy of the policy per token; near 0 it has stopped exploring'),
  number('kl', 'KL', 'Distance from the reference policy, by the chosen estimator'),
  number(
    'logp-gap',
    'Writer–learner gap, nats',
    'Mean difference per token between the log-probabilities reported while writing and those of the learner',
  ),
  share(
    'vetoed',
    'Vetoed tokens',
    'Share of tokens in samples left out because writer and learner disagree too far on one token',
  ),
  share('capped', 'Capped tokens', 'Share of tokens whose importance weight was cut to its cap'),
  number(
    'publish-slope',
    'Published change',
    'Change of the engine’s log-probabilities by new weights, as a share of the learner’s: 1, the weights arrived; 0, they did not',
  ),
  number(
    'publish-gap',
    'Engine–learner gap, nats',
    'Mean difference per token between what engine and learner say of the same answers after new weights were published',
  ),
  share(
    'publish-proven',
    'Publications proven',
    'Share of the transfers of weights whose arrival could be verified; the others changed less than rounding does',
  ),
  number('publish-seconds', 'Seconds to publish', 'Time to send new weights to the engine and verify them'),
  number(
    'learner-memory',
    'Learner’s memory, GB',
    'Peak memory of the learner so far: of its first GPU, or of its process where it runs on processors',
  ),
  number('prompt-tokens', 'Prompt tokens', 'Mean length of the prompts of the samples'),
  share('clipped', 'Clipped ratios', 'Share of importance ratios that were clipped'),
  number('update-kl', 'KL per update', 'Distance between the policy before and after an update'),
  number(
    'engine-kl',
    'Sampler KL',
    'Distance between the policy as the inference engine samples and as the trainer computes it',
  ),
  number('gradient-norm', 'Gradient norm', 'Before clipping, if the trainer logs it'),
  number('policy-loss', 'Policy loss', 'The objective that the optimiser minimises'),
  number('loss', 'Loss', 'Policy loss with penalties'),
  number('ratio', 'Importance ratio', 'Mean ratio between the current policy and the one that sampled'),
  share('node-share', 'Share of nodes', 'Share of the nodes of the trees that the agent wrote'),
  share('distinct', 'Distinct programs', 'Share of programs that differ from all others of their group'),
  share('kept-trees', 'Kept trees', 'Share of the trees that pass the filter'),
  number('group-reward-std', 'Reward std in groups', 'Mean standard deviation of the rewards of a group'),
  number('return', 'Return', 'The reward after penalties, as the trainer logs it'),
  number('tokens', 'Response length', 'Mean tokens of a response'),
  share('cut-answers', 'Truncated responses', 'Share of responses cut by the token limit'),
  number('unjudged-samples', 'Unjudged samples', 'Left out since the last update: the grader failed on them'),
  number('stale-samples', 'Stale samples', 'Left out since the last update: too many rounds have passed'),
  number('learning-rate', 'Learning rate', 'Of the optimiser'),
  number(
    'tokens-per-second',
    'Tokens per second',
    'Written by all agents together, while answers are written',
  ),
  share('time-writing', 'Time writing', 'Share of the time in which answers are written'),
  share('time-grading', 'Time grading', 'Share of the time in which programs are tested'),
  share('time-learning', 'Time learning', 'Share of the time in which weights are updated'),
  number('seconds', 'Seconds per update', 'From one update to the next'),
];

/** Keys are ours or as logged; after a "/" may follow the data set of an evaluation. */
export function curveKey(key: string): CurveKey {
  const exact = KNOWN_KEYS.find((candidate) => candidate.key === key);
  if (exact !== undefined) return exact;
  const [, base = key, dataSet] = /^([^/]+)\/(.+)$/.exec(key) ?? [];
  const baseKey = KNOWN_KEYS.find((candidate) => candidate.key === base);
  if (baseKey !== undefined && dataSet !== undefined)
    return { ...baseKey, key, label: `${baseKey.label}, ${dataSet}` };
  const [, n] = /^pass@(\d+)$/.exec(base) ?? [];
  if (n !== undefined) {
    const label = dataSet === undefined ? `Pass@${n}` : `Pass@${n}, ${dataSet}`;
    return share(key, label, `Chance that one of ${n} attempts passes the private tests`);
  }
  return number(key, key, 'As the trainer logs it');
}

/**
 * As heads, lists and the terminal call it: "Training Pass@1" of the samples of an update, "Pass@1, n = 100" of as many held-out
 * problems. `heldOut` null: it is not known how many.
 */
export function quantityLabel(
  { key, label }: Pick<CurveKey, 'key' | 'label'>,
  part: TrainingCurve['part'],
  heldOut: number | null,
): string {
  if (part === 'train') return key.startsWith('pass@') ? `Training ${label}` : label;
  if (part !== 'evaluation') return label;
  return heldOut === null || !key.startsWith('pass@') ? `${label}, evaluation` : `${label}, n = ${heldOut}`;
}

/** After Pass@1 and the like. */
const AFTER_PASS = KNOWN_KEYS.findIndex(({ key }) => key === 'shaped-reward') - 0.5;

/** Known keys first, in display order; the others by name. */
export function compareKeys(a: string, b: string): number {
  const rank = (key: string): number => {
    const at = KNOWN_KEYS.findIndex(
      (candidate) => key === candidate.key || key.startsWith(`${candidate.key}/`),
    );
    return at !== -1 ? at : /^pass@\d/.test(key) ? AFTER_PASS : KNOWN_KEYS.length;
  };
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** 0.4231 -> "0.423", 31.23 -> "31.2", 12345 -> "12,345", 0.00003 -> "3.0e-5": three significant digits. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size < ROUNDING_NOISE) return '0';
  const sign = value < 0 ? '−' : '';
  if (size >= 1e6 || size < 1e-3) return sign + size.toExponential(1).replace('e+', 'e').replace('e-', 'e−');
  // 0.9996 is written as 1 is.
  const rounded = Number(size.toPrecision(3));
  if (rounded >= 100) return sign + Math.round(size).toLocaleString('en');
  return sign + size.toFixed(rounded >= 10 ? 1 : rounded >= 1 ? 2 : 3);
}

/** A share is shown in percent without the sign, which is in the title. */
export function formatCurveValue(unit: CurveKey['unit'], value: number): string {
  if (unit === 'number') return shortNumber(value);
  return percentText(value);
}

/** For an axis whose ticks are `step` > 0 apart. */
export function formatCurveTick(unit: CurveKey['unit'], value: number, step: number): string {
  const times = unit === 'share' ? 100 : 1;
  const shown = value * times;
  const shownStep = step * times;
  if (shown === 0) return '0';
  const size = Math.abs(shown);
  const sign = shown < 0 ? '−' : '';
  // As many digits as tell neighbours apart.
  const power = (number: number): number => Math.floor(Math.log10(number) + 1e-9);
  const apart = Math.min(4, Math.max(size >= 1e5 ? 1 : 0, power(size) - power(shownStep)));
  if (size >= 1e5 || size < 1e-3)
    return sign + size.toExponential(apart).replace('e+', 'e').replace('e-', 'e−');
  const digits = Math.max(0, Math.min(4, Math.ceil(-Math.log10(shownStep) - 1e-9)));
  return sign + size.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
