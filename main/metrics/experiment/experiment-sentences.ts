import type { ExperimentRequest, ExperimentResult, ExperimentRow } from '../../../preload/contract';
import {
  differsByBothTests,
  EXPERIMENT_LEVEL,
  experimentEvaluation,
  PAPER_ORDER,
  trainingMethodOf,
} from '../../../preload/contract/plans';
import { counted } from '../../base';
import { formatList, formatPoints } from '../format';
import { COMPLEMENT_SENTENCE, CONTROL_SENTENCE } from '../pocket-sentences';
import { FEWEST_SEEDS_TESTED, smallestSignFlip } from '../seeds-test';
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
export function experimentSentences(input: SentenceInput): string[] {
  const { request, done, planned } = input;
  const unfinished =
    done === planned
      ? []
      : [`The experiment is not finished: ${done} of ${counted(planned, 'training')} count so far.`];
  if (done === 0) return unfinished;
  const sets = familySets(request);
  const hasControl = request.rows.some(({ method }) => method === 'grpo-all-wrong');
  const isPocket = request.models === undefined;
  return [
    ...(isPocket ? [COMPLEMENT_SENTENCE] : []),
    ...(isPocket && !hasControl ? [CONTROL_SENTENCE] : []),
    ...unfinished,
    ...sets.flatMap((rows) => orderingSentences(rows, input)),
    ...sets.flatMap((rows) => controlSentences(rows, input)),
    ...equalTotalSentences(input),
    ...changeSentences(input),
    ...gradientSentences(input),
    ...uncertaintySentences(input),
    isPocket
      ? `Pocket scale: small policies on generated problems, evaluated on ${experimentEvaluation(request)}; the results say nothing about large models.`
      : `Language models, evaluated on ${experimentEvaluation(request)}; the results say nothing of other models or problems.`,
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
function orderingSentences(rows: readonly ExperimentRow[], { pairs }: SentenceInput): string[] {
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
      return [`${where}${scope} is not tested over so few seeds: ${formatList(steps.map(comparisonText))}.`];
    }
    if (confirmed.length === steps.length) {
      return [`${where} is confirmed${scope}, ${labels.join(' < ')}: ${formatList(texts)}.`];
    }
    const others = steps.filter((step) => !confirmed.includes(step)).map(comparisonText);
    const partly = texts.length === 0 ? '' : ` Part of it holds: ${formatList(texts)}.`;
    return [`${where} is not confirmed${scope}: ${formatList(others)}.${partly}`];
  });
}

/** Whether the controls, which have no partner or no tree, reach the heterogeneous team. */
function controlSentences(rows: readonly ExperimentRow[], input: SentenceInput): string[] {
  const team = rows.find(({ method }) => method === 'heter-mars2');
  const controls = rows.filter(({ method }) => trainingMethodOf(method).isControl);
  if (team === undefined) return [];
  return controls.flatMap(({ label, method }) => {
    const sentences = comparisonsText(input, team.label, label, [
      FIRST_ATTEMPTS,
      SEARCHED_ALONE,
      SEARCHED_BY_TEAM,
    ]);
    return sentences === null
      ? []
      : [`Control "${label}" (${lowered(trainingMethodOf(method).line)}) ${sentences}.`];
  });
}

/** Compares teams whose agents together have as many samples as one agent that learns alone. */
function equalTotalSentences(input: SentenceInput): string[] {
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
    const sentences = comparisonsText(input, row.label, alone.label, [FIRST_ATTEMPTS, SEARCHED_ALONE]);
    return sentences === null
      ? []
      : [
          `With equal budgets (${total.toLocaleString('en')} samples of all agents together, as many of each agent alone) ${sentences}.`,
        ];
  });
}

/** Ablations and other families, against the unchanged method. */
function changeSentences(input: SentenceInput): string[] {
  const { rows } = input.request;
  return rows.flatMap((row) => {
    const plain = rows.find((other) => other !== row && other.method === row.method && isPlain(other));
    if (plain === undefined || (isPlain(row) && rows.indexOf(plain) > rows.indexOf(row))) return [];
    if (row.change.updates !== undefined) return [];
    const sentences = comparisonsText(input, row.label, plain.label, [
      FIRST_ATTEMPTS,
      SEARCHED_ALONE,
      SEARCHED_BY_TEAM,
    ]);
    const over =
      familiesOf(plain) === familiesOf(row) ? '' : ' (agents alone: over the families that both have)';
    return sentences === null ? [] : [`Changed${over}: ${sentences}.`];
  });
}

/** "in Pass@1 of agents alone: A is above B (...); in ...". null: there is nothing to compare. */
function comparisonsText(
  { pairs }: SentenceInput,
  label: string,
  other: string,
  metrics: readonly Compared[],
): string | null {
  const sentences = metrics.flatMap((compared) => {
    const comparison = comparisonOf(pairs, compared, label, other);
    return comparison === null ? [] : [`in ${comparedText(compared)} ${comparisonText(comparison)}`];
  });
  return sentences.length === 0 ? null : sentences.join('; ');
}

function gradientSentences({ cells }: SentenceInput): string[] {
  const shares = cells.filter(({ metric, part }) => metric === 'zero-advantage' && part === 'alone');
  if (shares.length === 0) return [];
  const shareTexts = shares.map(({ label, value }) => `${label} ${formatPoints(value)} %`);
  return [
    `Training samples without a gradient, because all rewards of their group are equal: ${formatList(shareTexts)}.`,
  ];
}

function uncertaintySentences({ pairs, cells }: SentenceInput): string[] {
  const seeds = Math.max(0, ...cells.map((cell) => cell.seeds));
  if (seeds === 1) {
    return [
      'One seed: the intervals cover the choice of problems, and with each problem the chance of its search, but not the chance of training. Train more seeds before you claim a difference between methods.',
    ];
  }
  const basis = `Intervals: two-level bootstrap over ${seeds} seeds and the problems, with so few seeds somewhat too narrow. p: the larger of two tests, sign flips over the problems and a paired t test over the seeds, after Holm's correction for all pairs of the metric. A row is called above or below another only where p < ${EXPERIMENT_LEVEL}.`;
  if (seeds < FEWEST_SEEDS_TESTED)
    return [`${basis} ${seeds} seeds are too few for the second test, so nothing is claimed.`];
  const limit = `A sign-flip test over ${seeds} seeds, which assumes no distribution, cannot go below p = ${smallestSignFlip(seeds)}.`;
  const found = pairs.filter(differsByBothTests).length;
  return [`${basis} ${found} of ${counted(pairs.length, 'difference')} are significant. ${limit}`];
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
