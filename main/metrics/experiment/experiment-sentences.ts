import type { ExperimentRequest, ExperimentResult, ExperimentRow } from '../../../preload/contract';
import {
  differsByBothTests,
  experimentEvaluation,
  PAPER_ORDER,
  SIGNIFICANCE_LEVEL,
  trainingMethodOf,
} from '../../../preload/contract/plans';
import { counted } from '../../base';
import { type Conclusion, limit, limitOf } from '../conclusion';
import { formatList, formatPoints, formatSignedPoints } from '../format';
import { COMPLEMENT_SENTENCE, CONTROL_SENTENCE } from '../pocket-sentences';
import { MIN_SEEDS_TESTED, smallestSignFlip } from '../seeds-test';
import { type Compared, comparedText, comparisonOf, comparisonText } from './row-comparison';

const FIRST_ATTEMPTS: Compared = ['pass@1', 'alone'];
const SEARCHED_ALONE: Compared = ['pass@1(mcts)', 'alone'];
const SEARCHED_BY_TEAM: Compared = ['pass@1(mcts)', 'team'];
const FOUND_BY_TEAM: Compared = ['pass@n', 'team'];

type SentenceInput = Pick<ExperimentResult, 'cells' | 'pairs' | 'budgets'> & {
  readonly request: ExperimentRequest;
  /** Trainings that are done, and all trainings. */
  readonly done: number;
  readonly planned: number;
};

/** The conclusions and their limits, most important first. */
export function experimentConclusions(input: SentenceInput): Conclusion[] {
  const { request, done, planned } = input;
  const unfinished =
    done === planned
      ? []
      : [limitOf(`The experiment is not finished: ${done} of ${counted(planned, 'training')} count so far.`)];
  if (done === 0) return unfinished;
  const sets = familySets(request);
  const hasControl = request.rows.some(({ method }) => method === 'grpo-all-wrong');
  const isPocket = request.models === undefined;
  return [
    ...(isPocket ? [limitOf(COMPLEMENT_SENTENCE)] : []),
    ...(isPocket && !hasControl ? [limitOf(CONTROL_SENTENCE)] : []),
    ...unfinished,
    ...sets.flatMap((rows) => orderingSentences(rows, input)),
    ...sets.flatMap((rows) => controlSentences(rows, input)),
    ...equalTotalSentences(input),
    ...changeSentences(input),
    ...gradientSentences(input),
    ...uncertaintySentences(input),
    limitOf(
      isPocket
        ? `Pocket scale: small policies on generated problems, evaluated on ${experimentEvaluation(request)}; the results say nothing about large models.`
        : `Language models, evaluated on ${experimentEvaluation(request)}; the results say nothing of other models or problems.`,
    ),
  ];
}

/** Rows with an unchanged method, by families: these stand for the papers' methods. */
function familySets({ rows }: ExperimentRequest): ExperimentRow[][] {
  const sets = new Map<string, ExperimentRow[]>();
  for (const row of rows.filter(isPlain)) {
    sets.set(familiesOf(row), [...(sets.get(familiesOf(row)) ?? []), row]);
  }
  return [...sets.values()];
}

function isPlain({ change }: ExperimentRow): boolean {
  return Object.keys(change).length === 0;
}

function familiesOf({ families }: ExperimentRow): string {
  return families.join(' + ');
}

/** Whether each of the papers' methods is above the one before it, and of how many of them that could be seen. */
function orderingSentences(rows: readonly ExperimentRow[], { pairs }: SentenceInput): Conclusion[] {
  const chain = PAPER_ORDER.flatMap((method) => rows.find((row) => row.method === method) ?? []);
  const [first] = chain;
  if (first === undefined || chain.length < 2) return [];
  const labels = chain.map(({ label }) => label);
  return [FIRST_ATTEMPTS, SEARCHED_ALONE, SEARCHED_BY_TEAM, FOUND_BY_TEAM].flatMap((compared) => {
    const steps = labels
      .slice(1)
      .flatMap((label, at) => comparisonOf(pairs, compared, label, labels[at] ?? '') ?? []);
    if (steps.length < labels.length - 1) return [];
    const confirmed = steps.filter((step) => step.isSignificant && step.difference > 0);
    const where = `In ${comparedText(compared)} (${familiesOf(first)}) the papers' ordering`;
    const texts = confirmed.map(comparisonText);
    const all = PAPER_ORDER.length;
    const scope = chain.length < all ? ` in the ${chain.length} of ${all} rows that were measured` : '';
    if (!steps.some(({ isTested }) => isTested)) {
      const short = `${where} is not tested over so few seeds`;
      return [
        limit(
          short,
          `${where}${scope} is not tested over so few seeds: ${formatList(steps.map(comparisonText))}.`,
        ),
      ];
    }
    if (confirmed.length === steps.length) {
      const short = `${where} is confirmed${scope}, ${labels.join(' < ')}`;
      return [{ kind: 'difference', short, long: `${short}: ${formatList(texts)}.` }];
    }
    const others = steps.filter((step) => !confirmed.includes(step)).map(comparisonText);
    const partly = texts.length === 0 ? '' : ` Part of it holds: ${formatList(texts)}.`;
    const short = `${where} is not confirmed${scope}`;
    const found = partly === '' ? '' : `, ${confirmed.length} of ${steps.length} steps hold`;
    return [
      {
        kind: 'no-difference',
        short: `${short}${found}`,
        long: `${short}: ${formatList(others)}.${partly}`,
      },
    ];
  });
}

/** Whether the controls, which have no partner or no tree, reach the heterogeneous team. */
function controlSentences(rows: readonly ExperimentRow[], input: SentenceInput): Conclusion[] {
  const team = rows.find(({ method }) => method === 'heter-mars2');
  const controls = rows.filter(({ method }) => trainingMethodOf(method).isControl);
  if (team === undefined) return [];
  return controls.flatMap(({ label, method }) => {
    const compared = [FIRST_ATTEMPTS, SEARCHED_ALONE, SEARCHED_BY_TEAM];
    return comparisonOfRows(input, team.label, label, compared, {
      short: 'Control: ',
      long: `Control "${label}" (${lowered(trainingMethodOf(method).line)}) `,
    });
  });
}

/** Compares teams whose agents together have as many samples as one agent that learns alone. */
function equalTotalSentences(input: SentenceInput): Conclusion[] {
  const { request, budgets } = input;
  const budgetOf = (label: string) => budgets.find((budget) => budget.label === label);
  return request.rows.flatMap((row) => {
    const total = budgetOf(row.label)?.samplesTotal;
    const alone = request.rows.find(
      (other) =>
        other.method === 'rs2' &&
        isPlain(other) &&
        familiesOf(other) === familiesOf(row) &&
        budgetOf(other.label)?.samplesPerAgent === total,
    );
    if (row.method !== 'heter-mars2' || alone === undefined || total === undefined) return [];
    return comparisonOfRows(input, row.label, alone.label, [FIRST_ATTEMPTS, SEARCHED_ALONE], {
      short: 'With equal budgets: ',
      long: `With equal budgets (${total.toLocaleString('en')} samples of all agents together, as many of each agent alone) `,
    });
  });
}

/** Ablations and other families, against the unchanged method. */
function changeSentences(input: SentenceInput): Conclusion[] {
  const { rows } = input.request;
  return rows.flatMap((row) => {
    const plain = rows.find((other) => other !== row && other.method === row.method && isPlain(other));
    if (plain === undefined || (isPlain(row) && rows.indexOf(plain) > rows.indexOf(row))) return [];
    if (row.change.updates !== undefined) return [];
    const over =
      familiesOf(plain) === familiesOf(row) ? '' : ' (agents alone: over the families that both have)';
    const compared = [FIRST_ATTEMPTS, SEARCHED_ALONE, SEARCHED_BY_TEAM];
    return comparisonOfRows(input, row.label, plain.label, compared, {
      short: 'Changed setting: ',
      long: `Changed setting${over}: `,
    });
  });
}

/** "in Pass@1 of agents alone, A is above B (...); in ...", in one line what is significant. Empty: there is nothing to compare. */
function comparisonOfRows(
  { pairs }: SentenceInput,
  label: string,
  other: string,
  metrics: readonly Compared[],
  before: Readonly<Record<'short' | 'long', string>>,
): Conclusion[] {
  const comparisons = metrics.flatMap((compared) => {
    const comparison = comparisonOf(pairs, compared, label, other);
    return comparison === null ? [] : [{ ...comparison, title: comparedText(compared) }];
  });
  if (comparisons.length === 0) return [];
  const found = comparisons
    .filter(({ isSignificant }) => isSignificant)
    .map(({ title, difference }) => `${title} ${formatSignedPoints(difference)}`);
  const isTested = comparisons.some((comparison) => comparison.isTested);
  const finding =
    found.length > 0
      ? `${found.join(', ')} percentage points`
      : isTested
        ? 'no significant difference'
        : 'not tested';
  const texts = comparisons.map((comparison) => `in ${comparison.title}, ${comparisonText(comparison)}`);
  return [
    {
      kind: found.length > 0 ? 'difference' : isTested ? 'no-difference' : 'limit',
      short: `${before.short}${label} against ${other}: ${finding}`,
      long: `${before.long}${texts.join('; ')}.`,
    },
  ];
}

function gradientSentences({ cells }: SentenceInput): Conclusion[] {
  const shares = cells.filter(({ metric, part }) => metric === 'zero-advantage' && part === 'alone');
  if (shares.length === 0) return [];
  const shareTexts = shares.map(({ label, value }) => `${label} ${formatPoints(value)} %`);
  const values = shares.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)].map(formatPoints);
  return [
    limit(
      `Training samples without a gradient: ${least === most ? '' : `${least} to `}${most} %`,
      `Training samples without a gradient, because all rewards of their group are equal: ${formatList(shareTexts)}.`,
    ),
  ];
}

function uncertaintySentences({ pairs, cells }: SentenceInput): Conclusion[] {
  const seeds = Math.max(0, ...cells.map((cell) => cell.seeds));
  if (seeds === 1) {
    return [
      limit(
        'One seed: the intervals leave out the chance of training',
        'One seed: the intervals cover the choice of problems, and with each problem the chance of its search, but not the chance of training. Train more seeds before you claim a difference between methods.',
      ),
    ];
  }
  const basis = `Intervals: two-level bootstrap over ${seeds} seeds and the problems, with so few seeds somewhat too narrow. p: the larger of two tests, sign flips over the problems and a paired t test over the seeds, after Holm's correction for all pairs of the metric. A row is called above or below another only where p < ${SIGNIFICANCE_LEVEL}.`;
  if (seeds < MIN_SEEDS_TESTED) {
    const few = `${seeds} seeds are too few for the second test, so nothing is claimed.`;
    return [limit(limitOf(few).short, `${basis} ${few}`)];
  }
  const lowest = `A sign-flip test over ${seeds} seeds, which assumes no distribution, cannot go below p = ${smallestSignFlip(seeds)}.`;
  const found = pairs.filter(differsByBothTests).length;
  const kind = found > 0 ? 'difference' : 'no-difference';
  const short = `${found} of ${counted(pairs.length, 'difference')} are significant`;
  return [{ kind, short, long: `${basis} ${short}. ${lowest}` }];
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
