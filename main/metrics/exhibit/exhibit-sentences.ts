import type { Exhibit, ExhibitResult, FilledCell } from '../../../preload/contract';
import {
  ALL_LINES_OURS,
  FEW_SEEDS_NOTE,
  SCALE_SENTENCES,
  standInSentence,
} from '../../../preload/contract/plans';
import { counted, RANDOM_VERSION } from '../../base';
import { BOOTSTRAP_SEED } from '../bootstrap';
import { type Conclusion, limitOf } from '../conclusion';
import { EXACT_RATES_METHOD } from '../exact-rates';
import { POCKET_SENTENCES } from '../pocket-sentences';

type Filled = Pick<ExhibitResult, 'cells' | 'series' | 'scale'> & {
  /** What the differences between lines are, and what limits them. */
  readonly measured: readonly Conclusion[];
};

/** The conclusions that the exhibit allows as it is filled now, and their limits, most important first. */
export function exhibitConclusions(
  exhibit: Exhibit,
  { cells, series, scale, measured: differences }: Filled,
): Conclusion[] {
  const states = [...cells, ...series].map(({ state }) => state.kind);
  const failed = states.filter((kind) => kind === 'failed').length;
  const standIns = standInSentence(exhibit, scale);
  const before = [
    ...(scale === 'pocket' ? POCKET_SENTENCES : []),
    ...(standIns === null ? [] : [standIns]),
    ...(scale === 'pocket' || scale === 'desk' ? [SCALE_SENTENCES[scale]] : []),
    ...(scale === 'own' ? atHandSentences(exhibit) : []),
    ...(scale === 'paper' ? paperSentences(exhibit, cells) : []),
    ...oursSentences(exhibit),
  ];
  const after = [
    ...measuredSentences(exhibit, { cells, series, scale }),
    ...(failed > 0 ? [`${failed} could not be measured because a step failed; retry the step.`] : []),
    // For runs at hand, `fillingCautions` names what is missing.
    ...(scale === 'own' ? [] : missingSentences([...cells, ...series])),
    ...uncertaintySentences(cells, scale, differences.length > 0),
  ];
  return [...before.map(limitOf), ...differences, ...after.map(limitOf)];
}

/** How much of it is measured, and on how much less than all problems and seeds. */
function measuredSentences(
  { scales }: Exhibit,
  { cells, series, scale }: Omit<Filled, 'measured'>,
): string[] {
  const all = [...cells, ...series];
  const done = all.filter(({ state }) => state.kind === 'done');
  const others = cells.filter(({ ours, state }) => ours !== null && state.kind !== 'done');
  // Runs also have values that were not requested. While seeds are still to come, the table has the values of finished
  // ones.
  const along = others.filter(({ state }) => state.kind === 'empty').length;
  const startedCount = others.length - along;
  const parts = [
    `${done.length} of ${counted(all.length, 'value')} and lines are measured`,
    ...(startedCount === 0 ? [] : [`${counted(startedCount, 'value')} so far from the finished seeds alone`]),
    ...(along === 0
      ? []
      : [`${counted(along, 'other value')} ${along === 1 ? 'comes' : 'come'} from the same runs`]),
  ];
  const scaleSettings = scale === 'pocket' || scale === 'paper' ? scales[scale] : null;
  const ours = done.flatMap((one) => ('ours' in one && one.ours !== null ? [one.ours] : []));
  const less = [
    ['problem', Math.max(0, ...ours.map(({ problems }) => problems)), scaleSettings?.benchmark.problems ?? 0],
    ['seed', Math.max(0, ...ours.map(({ seeds }) => seeds)), scaleSettings?.seeds.length ?? 0],
  ] as const;
  const shown = less.flatMap(([noun, own, of]) =>
    own > 0 && own < of ? [`${counted(own, noun)} instead of ${of}`] : [],
  );
  return [
    ...(done.length < all.length ? [`${parts.join(', ')}.`] : []),
    ...(shown.length === 0 ? [] : [`Measured with ${shown.join(' and ')}.`]),
  ];
}

function atHandSentences({ cells, series }: Exhibit): string[] {
  const isLearning = series.map(({ curve }) => curve.kind === 'learning');
  return [
    ...(cells.length > 0 || isLearning.includes(false)
      ? ['Runs at hand: each value has the scale, problems and seeds of its study.']
      : []),
    ...(isLearning.includes(true)
      ? ['Trainings at hand: each line has the scale, held-out problems and seeds of its trainings.']
      : []),
  ];
}

/** So that an addition is not taken for the paper's. */
function oursSentences({ rows, columns, series }: Exhibit): string[] {
  const parts = [
    ...(rows.some(({ ours }) => ours) ? ['rows'] : []),
    ...(columns.some(({ ours }) => ours) ? ['columns'] : []),
    ...(series.some(({ ours }) => ours) ? ['lines'] : []),
  ];
  if (rows.length + columns.length === 0 && series.length > 0 && series.every(({ ours }) => ours))
    return [ALL_LINES_OURS];
  return parts.length === 0
    ? []
    : [
        `The ${parts.join(' and ')} whose names say "ours" are not in the paper: we added them to see what else could explain a difference.`,
      ];
}

/** The number of values that cannot be measured, by reason. */
function missingSentences(cells: readonly Pick<FilledCell, 'state'>[]): string[] {
  const reasons = new Map<string, number>();
  for (const { state } of cells) {
    if (state.kind === 'missing') reasons.set(state.message, (reasons.get(state.message) ?? 0) + 1);
  }
  return [...reasons].map(([why, number]) => `${counted(number, 'value')} not measured: ${why}`);
}

/** How many of the comparable paper's numbers lie inside our intervals. */
function paperSentences(exhibit: Exhibit, cells: readonly FilledCell[]): string[] {
  const held = cells.flatMap((cell, at) => {
    const reference = exhibit.cells[at]?.reference[0];
    if (cell.ours === null || reference === undefined || cell.notComparable.length > 0) return [];
    const value = reference.unit === 'number' ? reference.value : reference.value / 100;
    return [cell.ours.low <= value && value <= cell.ours.high];
  });
  if (held.length === 0) return ["No value can be compared with the paper's yet."];
  const inside = held.filter(Boolean).length;
  return [
    `The paper's number lies inside our 95 % CI in ${inside} of ${counted(held.length, 'cell')} that can be compared. The paper reports no intervals, so a number outside does not prove a difference.`,
  ];
}

/** `compared`: sentences before these say how the lines differ. */
function uncertaintySentences(
  cells: readonly FilledCell[],
  scale: ExhibitResult['scale'],
  compared: boolean,
): string[] {
  const seeds = cells.flatMap(({ ours }) => ours?.seeds ?? []);
  if (seeds.length === 0) return [];
  const sentences = compared
    ? []
    : ['Each interval is for one value. To see which rows differ significantly, compare the runs.'];
  if (Math.min(...seeds) === 1) {
    const scope = Math.max(...seeds) === 1 ? 'One seed per configuration' : 'Some values have one seed';
    // At desk scale nothing is trained; of runs at hand it is not known here.
    const training =
      scale === 'desk' || scale === 'own'
        ? ''
        : ', but not the chance of training. Another training can turn the order of rows around';
    sentences.unshift(
      `${scope}: the intervals cover the choice of problems, and with each problem the chance of its search${training}.`,
    );
  }
  return sentences;
}

/** How values, intervals and tests of what it has were made. `compared`: differences between its lines are listed. */
export function exhibitMethod(
  { cells, series }: Exhibit,
  scale: ExhibitResult['scale'],
  compared: boolean,
): string {
  const learns = series.some(({ curve }) => curve.kind === 'learning');
  const hasReference = cells.some(({ reference }) => reference.length > 0);
  return [
    ...ALWAYS_USED,
    ...(learns ? [LEARNING_METHOD] : []),
    ...(compared ? [DIFFERENCES_METHOD] : []),
    ...(scale === 'paper' && hasReference
      ? ["Difference: ours minus the first of the paper's values, as they stand."]
      : []),
  ].join(' ');
}

const LEARNING_METHOD =
  'Learning curves: mean over the seeds, band from the lowest to the highest seed, from the untrained policy (0 updates) on where its training evaluated it. A seed that was evaluated before and after a shown step is interpolated linearly between the two.';

const DIFFERENCES_METHOD =
  "Differences between rows, or between columns where these are methods: of each seed and problem that both have; p: the larger of two tests, over the problems (paired bootstrap) and over the seeds (paired t test, at least three seeds), after Holm's correction for all that are listed.";

const ALWAYS_USED = [
  'Each value is the mean over its seeds, on the problems that all of these have finished.',
  `Interval: 95 % percentile bootstrap. Of one seed: over the problems, exact (all resamples) where the values are multiples of a common fraction, else drawn. Of several seeds: over seeds and problems, resampled independently, always drawn, ${FEW_SEEDS_NOTE}. Drawn: 2,000 resamples, seed ${BOOTSTRAP_SEED}, generator ${RANDOM_VERSION}.`,
  EXACT_RATES_METHOD,
];
