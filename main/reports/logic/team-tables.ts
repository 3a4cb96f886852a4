import type { RunComparison, SolveMatrix, TeamGain } from '../../../preload/contract/index';
import { ODDS_NOTE } from '../../../preload/contract/plans/index';
import { ODDS, oddsCell } from './pair-tables';
import { SEED_MEANING } from './reading';
import {
  column,
  number,
  numbersOf,
  P,
  POINTS,
  plainEstimate,
  RATE,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';
import { type ComparisonRow, comparisonTable, METRICS, sumsTitle } from './results-table';

/** Who solves what: by configurations of studies, or by methods of an experiment. */
type Solves = Pick<SolveMatrix, 'configurations' | 'byAll' | 'byNone' | 'byOneAlone'> & {
  readonly problems: ReadonlyArray<
    Omit<SolveMatrix['problems'][number], 'cells'> & {
      readonly cells: ReadonlyArray<{ readonly solved01: number; readonly found01: number } | null>;
    }
  >;
};

/** The parts of a table of who solves what. */
export function solvesParts(solves: Solves, noun: 'configuration' | 'method') {
  const { byAll, byNone } = solves;
  return {
    head: {
      id: 'solves',
      title: 'Who solves what',
      rowTitle: 'Problem',
      notes: [
        `Share of the seeds whose answer, the program chosen from the tree by the public tests, passes the private tests${solves.problems.some(({ cells }) => cells.includes(null)) ? '; a dash: not searched' : ''}. ${SEED_MEANING}.`,
        `Differences are not tested here${solves.configurations.length > 1 ? ', but over all problems in the table "pairs"' : ''}.`,
        `A problem counts as solved here if more than half of the seeds solve it, and if every ${noun} has finished it. Solved by all ${noun}s: ${byAll}; by none: ${byNone}; ${solves.configurations.map((name, at) => `by ${name} alone: ${solves.byOneAlone[at] ?? 0}`).join('; ')}.`,
      ],
    },
    columns: [
      column('benchmark', 'Benchmark', WHOLE, { printed: false }),
      column('title', 'Title', WHOLE, { printed: false }),
      column('difficulty', 'Difficulty', WHOLE, {
        printed: solves.problems.some(({ difficulty }) => (difficulty ?? '') !== ''),
      }),
      ...solves.configurations.map((name) => column(name, name, RATE)),
      ...solves.configurations.map((name) => column(`${name} found`, name, RATE, { printed: false })),
    ],
    rows: solves.problems.map(
      ({ problemId, benchmarkId, title, difficulty, cells }): ComparisonRow => [
        problemId,
        null,
        [
          text(benchmarkId),
          text(title),
          text(difficulty),
          ...cells.map((cell) => number(cell?.solved01)),
          ...cells.map((cell) => number(cell?.found01)),
        ],
      ],
    ),
  };
}

function solvesTable({ analysis, solves }: RunComparison): ReportTable {
  const { head, columns, rows } = solvesParts(solves, 'configuration');
  return comparisonTable(analysis, head, columns, rows);
}

function gainsTable({ analysis, gains }: RunComparison): ReportTable {
  const seedsOf = new Map(analysis.rows.map(({ configuration, seeds }) => [configuration, seeds.length]));
  const basisOf = ({ team, problems }: TeamGain) => ({ problems, seeds: seedsOf.get(team) ?? 0 });
  return comparisonTable(
    analysis,
    {
      id: 'gains',
      title: 'What teams add',
      rowTitle: 'Team',
      notes: [
        'Problems that some node solves, with as many nodes for each. Side by side: equal shares of the members\u2019 own trees put together, without sharing a tree, over all their seeds; a dash: a member has fewer seeds than the team has agents of it.',
        `${ODDS_NOTE} A is the team.`,
      ],
    },
    [
      column('members', 'Members alone'),
      column('team', 'Team', RATE),
      column('best_member', 'Best member', RATE),
      column('side_by_side', 'Side by side', RATE),
      column('over_best', 'Over best member', POINTS),
      { ...ODDS, id: 'odds_ratio_over_best' },
      column('over_side_by_side', 'Over side by side', POINTS),
      { ...ODDS, id: 'odds_ratio_over_side_by_side' },
      column('p_over_best', 'p (Holm), best', P),
      column('p_over_side_by_side', 'p (Holm), side by side', P),
      column('problems', 'Problems'),
    ],
    gains.map(
      (gain): ComparisonRow => [
        gain.team,
        gain.team,
        [
          text(gain.members.join(', ')),
          number(gain.team01),
          number(gain.bestMember01),
          number(gain.sideBySide01),
          plainEstimate({ ...gain.overBest, ...basisOf(gain) }),
          oddsCell(gain.overBest.oddsRatio, basisOf(gain)),
          plainEstimate(gain.overSideBySide && { ...gain.overSideBySide, ...basisOf(gain) }),
          oddsCell(gain.overSideBySide?.oddsRatio ?? null, basisOf(gain)),
          number(gain.overBest.pHolm),
          number(gain.overSideBySide?.pHolm),
          number(gain.problems),
        ],
      ],
    ),
  );
}

/** How many trees there are, where each configuration has as many. */
function treesText(shapes: RunComparison['shapes']): string {
  const counts = [...new Set(shapes.map(({ trees }) => trees))];
  return counts.length === 1 ? `, ${counts[0]} trees a configuration` : ' (how many: table "shapes")';
}

function contributionsTable({ analysis, contributions, shapes }: RunComparison): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'contributions',
      title: sumsTitle('What each agent contributes', analysis),
      rowTitle: 'Agent',
      notes: [
        `Numbers of programs (of trees where it says so) over all finished trees of all seeds${treesText(shapes)}; their differences are not tested. A first attempt has no parent; a refinement is written from another program, its parent. Passed: the private tests. Solved: trees whose answer, the program chosen by the public tests, is the agent's and passes; child solved: trees whose answer passes and refines a program of the agent (a tree can count in both). Tokens: of prompts and answers.`,
      ],
    },
    [
      column('first_attempts', 'First attempts'),
      column('first_attempts_passed', 'First attempts passed'),
      column('refinements', 'Refinements'),
      column('refinements_passed', 'Refinements passed'),
      column('solved', 'Solved'),
      column('child_solved', 'Child solved'),
      column('tokens', 'Tokens'),
    ],
    contributions.flatMap(({ configuration, agents }) =>
      agents.map(
        (agent): ComparisonRow => [
          agent.name,
          configuration,
          numbersOf(agent, [
            'firstAttempts',
            'firstAttemptsPassed',
            'refinements',
            'refinementsPassed',
            'solved',
            'childSolved',
            'tokens',
          ]),
          configuration,
        ],
      ),
    ),
  );
}

function transitionsTable({ analysis, contributions, shapes }: RunComparison): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'transitions',
      title: sumsTitle('Who refines whom', analysis),
      rowTitle: 'Refined by',
      notes: [
        `Numbers over all finished trees of all seeds${treesText(shapes)}; their differences are not tested. A refinement is a program that an agent writes from another program, its parent. Repaired: the parent fails the private tests and the child passes them. Refinements are of any parent, also of one that passes, so repaired / refinements is not the share of failing parents that are repaired.`,
      ],
    },
    [column('parent', 'Parent by'), column('refinements', 'Refinements'), column('repaired', 'Repaired')],
    contributions.flatMap(({ configuration, agents, transitions }) =>
      agents.flatMap((parent, from) =>
        agents.map((child, to): ComparisonRow => {
          const cell = transitions[from]?.[to];
          return [
            child.name,
            configuration,
            [
              text(parent.name),
              number(cell?.count, cell?.seedSpreads?.count),
              number(cell?.repaired, cell?.seedSpreads?.repaired),
            ],
            configuration,
          ];
        }),
      ),
    ),
  );
}

function shapesTable({ analysis, shapes }: RunComparison): ReportTable {
  const two = { kind: 'number', digits: 2 } as const;
  return comparisonTable(
    analysis,
    {
      id: 'shapes',
      title: 'Shape of the trees',
      rowTitle: 'Configuration',
      notes: [
        'Over all finished trees of all seeds; differences are not tested. A first attempt has depth 1, its child 2. Mean greatest depth: over the trees; greatest depth: of any tree. Children of a parent: a mean in each tree over the programs that have any, then over the trees.',
      ],
    },
    [
      column('trees', 'Trees'),
      column('mean_depth', 'Mean greatest depth', two),
      column('max_depth', 'Greatest depth'),
      column('mean_width', 'First attempts a tree', two),
      column('mean_branching', 'Children of a parent', two),
    ],
    shapes.map(
      (shape): ComparisonRow => [
        shape.configuration,
        shape.configuration,
        [
          number(shape.trees),
          ...numbersOf(shape, ['meanDepth']),
          number(shape.maxDepth),
          ...numbersOf(shape, ['meanWidth', 'meanBranching']),
        ],
      ],
    ),
  );
}

function cutoffsTable({ analysis, cutoffs }: RunComparison): ReportTable {
  const seedsOf = new Map(analysis.rows.map(({ configuration, seeds }) => [configuration, seeds.length]));
  return comparisonTable(
    analysis,
    {
      id: 'cut-offs',
      title: 'Before and after the training cut-off',
      rowTitle: 'Configuration',
      notes: [
        'Problems of the month or day of the cut-off, the latest of a team, count as before. The difference is between other problems, so not paired; its interval is made of theirs (Newcombe 1998, method 10).',
      ],
    },
    [
      column('models', 'Models', undefined, { printed: false }),
      column('cutoff', 'Cut-off'),
      column('metric', 'Metric', undefined, { printed: false }),
      column('before', 'Before', RATE),
      column('n_before', 'Problems'),
      column('after', 'After', RATE),
      column('n_after', 'Problems'),
      column('difference', 'After \u2212 before', POINTS),
    ],
    METRICS.flatMap(({ name, label }) =>
      cutoffs.flatMap(({ configuration, models, cutoff, parts }) =>
        parts
          .filter(({ metric }) => metric === name)
          .map(({ before, after, difference }): ComparisonRow => {
            const basis = { seeds: seedsOf.get(configuration) ?? 0 };
            const problems = (before?.problems ?? 0) + (after?.problems ?? 0);
            return [
              configuration,
              configuration,
              [
                text(models.map(({ model, cutoff: own }) => `${model}: ${own}`).join(', ')),
                text(cutoff),
                text(name),
                plainEstimate(before && { ...before, ...basis }),
                number(before?.problems),
                plainEstimate(after && { ...after, ...basis }),
                number(after?.problems),
                plainEstimate(difference && { ...difference, ...basis, problems }),
              ],
              label,
            ];
          }),
      ),
    ),
  );
}

/** Who solves what, and what agents and teams contribute. */
export function teamTables(comparison: RunComparison): ReportTable[] {
  return [
    solvesTable(comparison),
    gainsTable(comparison),
    cutoffsTable(comparison),
    contributionsTable(comparison),
    transitionsTable(comparison),
    shapesTable(comparison),
  ];
}
