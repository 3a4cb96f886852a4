import type { Analysis } from '../../preload/contract';
import { FEW_SEEDS_NOTE, tieRuleText } from '../../preload/contract/plans';
import { RANDOM_VERSION } from '../base';
import { MAX_ALL_PAIRS, pairCount } from './comparison';
import type { ConfigurationMetrics } from './configuration-metrics';
import { EXACT_RATES_METHOD } from './exact-rates';

type Notes = Analysis['methodNotes'];

/** How the values, intervals and tests of this many configurations are made (docs/metrics.md, "Statistics"). */
export function methodNotes(configurations: number, seed: number, resamples: number): Notes {
  return [
    {
      topic: 'Intervals',
      lines: [
        '95 % percentile bootstrap.',
        'Of one seed: over the problems, exact (all resamples) where the values are multiples of a common fraction, else drawn.',
        `Of several seeds: over seeds and problems (two-level), always drawn, ${FEW_SEEDS_NOTE}; where a part has no values by seed, over the problems, each with its mean over the seeds.`,
        `Drawn: ${resamples.toLocaleString('en-US')} resamples, seed ${seed}, generator ${RANDOM_VERSION}.`,
        EXACT_RATES_METHOD,
      ],
    },
    ...differenceNotes(configurations),
    {
      topic: 'Pass@1',
      lines: ['mean over agents, then problems, of the share of independent first attempts that pass.'],
    },
    {
      topic: 'Pass@k',
      lines: ["unbiased estimate from the same samples, those of a team's agents taken together."],
    },
    {
      topic: 'Pass@n and Pass@1(MCTS)',
      lines: [
        'over the first n nodes of the tree; nodes depend on each other, so Pass@n is no estimate of Pass@k.',
      ],
    },
  ];
}

function differenceNotes(configurations: number): Notes {
  const pairs = pairCount(configurations);
  if (pairs === 0) return [];
  const many = pairs === 1 ? 'one pair' : `${pairs} pairs`;
  const onlyFirst =
    configurations > MAX_ALL_PAIRS
      ? [
          `Of more than ${MAX_ALL_PAIRS} configurations only differences from the first are tested, and curves are over nodes alone.`,
        ]
      : [];
  return [
    {
      topic: 'Differences',
      lines: [
        'paired over the problems that all configurations have finished (where no problem is in all of them, over those that both of a pair have finished);',
        'exact McNemar test where each problem has one verdict a side, paired bootstrap where it has a rate;',
        'where each of several seeds of either side has weights of its own (a training), p is at least that of a paired t test over the seeds, and 1 for two seeds;',
        `within each metric Holm's correction for ${many}, claimed below 0.05.`,
        'Their intervals are not widened for the number of pairs;',
        "smallest detectable differences and problems needed are for the strictest step of the correction and a true difference that is found 4 times in 5 (80 % power): where an interval covers seeds, the smallest detectable difference is a sum of two. The first is the least that the test claims: z of the level times the standard error of the difference (its interval's width over 3.92), or, where p is at least that of the t test, t of the level times the standard error of the seeds' own differences if that is more. The second is z (or t) of the power times the standard error of the difference. There the problems needed are left out, because more problems leave the seeds' spread as it is.",
      ],
    },
    {
      topic: 'Odds ratios',
      lines: [
        'of A minus B: problems on which A does better over those on which B does, with the exact conditional interval (Clopper and Pearson) over problems, which leaves out the chance of training.',
        ...onlyFirst,
      ],
    },
  ];
}

/** The same in one paragraph, for files. */
export function methodText(notes: Notes): string {
  return notes.map(({ topic, lines }) => `${topic}: ${lines.join(' ')}`).join(' ');
}

/** How each configuration's searches choose their answer, the first question where a node is "found, not chosen". */
export function answerNote(configurations: readonly ConfigurationMetrics[]): Notes[number] {
  const names = new Map<string, string[]>();
  for (const { configuration, runs } of configurations) {
    for (const rule of new Set(runs.map(({ config }) => tieRuleText(config.search)))) {
      names.set(rule, [...(names.get(rule) ?? []), configuration]);
    }
  }
  const onlySampled = configurations.every(({ runs }) =>
    runs.every(({ config }) => config.search.strategy.kind === 'repeated'),
  );
  return {
    topic: 'The answer of a search',
    lines: [
      'the node with the best score;',
      ...(onlySampled
        ? ['the nodes are independent samples, without a tree search, so Pass@1(MCTS) is their best of N;']
        : []),
      ...[...names].map(([rule, of]) => (names.size === 1 ? `${rule}.` : `${of.join(', ')}: ${rule}.`)),
    ],
  };
}
