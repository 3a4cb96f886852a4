import { describe, expect, it } from 'vitest';
import {
  type DoneTraining,
  experimentDetailsInSteps,
  type HeldOutProblem,
  holm,
  signFlipP,
  tTestP,
} from '../../../../main/metrics';
import { rowTrainingOf } from '../../../../main/plans/logic/experiments/experiment-record';
import {
  type ExperimentRequest,
  experimentRequestSchema,
  modelTrainingSchema,
  type TeamEvaluation,
} from '../../../../preload/contract';
import { madeUpTraining } from '../../../support/sample-evaluations';

const SEEDS = [1, 2, 3];
const REQUEST: ExperimentRequest = {
  name: 'Made up',
  rows: [
    { label: 'Base', method: 'base', families: ['reader', 'tracer'], change: {} },
    { label: 'GRPO', method: 'grpo', families: ['reader', 'tracer'], change: {} },
    { label: 'MARS²', method: 'heter-mars2', families: ['reader', 'tracer'], change: { updates: 50 } },
  ],
  seeds: SEEDS,
  training: { updates: 100, batch: 8 },
};
const SKILLS = [0.1, 0.3, 0.6];

const DONE: readonly DoneTraining[] = SEEDS.flatMap((seed) =>
  REQUEST.rows.map(({ label }, at) => {
    const rate = SKILLS[at] ?? 0;
    const skill = { alone: { reader: rate, tracer: rate / 2 }, searched: 0.1, team: rate + 0.3 };
    return { ...madeUpTraining(label, seed * 10 + at, skill, null), seed, seconds: 100 * at + seed };
  }),
);

/** The first ten of thirty problems are easy, the next fifteen hard; of five nothing is known. */
const PROBLEMS: readonly HeldOutProblem[] = Array.from({ length: 25 }, (_, at) => ({
  ...{ id: `problem-${at}`, title: `Title ${at}`, benchmarkId: 'made-up', platform: null },
  ...{ difficulty: at < 10 ? 'easy' : 'hard', date: null },
}));

function detailsOf(
  change: {
    request?: ExperimentRequest;
    done?: readonly DoneTraining[];
    problems?: readonly HeldOutProblem[];
  } = {},
) {
  const { request = REQUEST, done = DONE, problems = PROBLEMS } = change;
  const trainingOf = (row: ExperimentRequest['rows'][number]) => rowTrainingOf(request, row, 1);
  return experimentDetailsInSteps({ request, done, problems, trainingOf }, async () => undefined);
}

const details = await detailsOf();

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

type Value = (problem: TeamEvaluation['problems'][number], agent: string) => number;
const VALUES: Readonly<Record<string, Value>> = {
  'pass@1': ({ samples }, agent) => {
    const own = samples.find(({ agentId }) => agentId === agent);
    return (own?.passed ?? 0) / (own?.count ?? 1);
  },
  'pass@1(mcts)': ({ chosenPasses }) => Number(chosenPasses),
  'pass@n': ({ somePasses }) => Number(somePasses),
};

/** The raw values of a method by seed and problem, read anew from its evaluations. */
function rawOf(label: string, metric: string, part: string, problems: readonly number[]): number[][] {
  return SEEDS.map((seed) => {
    const evaluation = DONE.find((one) => one.label === label && one.seed === seed)?.evaluation;
    const teams = evaluation?.teams.filter(({ agentIds }) => agentIds.length > 1 === (part === 'team')) ?? [];
    return problems.map((at) =>
      meanOf(
        teams.flatMap(({ agentIds, problems: own }) => {
          const problem = own.find(({ problemId }) => problemId === `problem-${at}`);
          return problem === undefined ? [] : [VALUES[metric]?.(problem, agentIds[0] ?? '') ?? Number.NaN];
        }),
      ),
    );
  });
}

const PARTS = {
  easy: Array.from({ length: 10 }, (_, at) => at),
  hard: Array.from({ length: 15 }, (_, at) => at + 10),
} as const;

const ALL = Array.from({ length: 30 }, (_, at) => at);

describe('what the team of a method adds', () => {
  it('is its Pass@N over that of the best of its agents alone, tested as pairs are, by Holm over the methods', () => {
    expect(details.gains.map(({ label }) => label)).toEqual(REQUEST.rows.map(({ label }) => label));
    for (const { label, bestAgent, team01, best01, difference, problems, seeds } of details.gains) {
      const alone = DONE.filter((one) => one.label === label).flatMap(({ evaluation }) =>
        evaluation.teams.filter(({ agentIds }) => agentIds.length === 1),
      );
      const rates = new Map<string, number>();
      for (const { agentIds } of alone) {
        const own = alone.filter((team) => team.agentIds[0] === agentIds[0]).flatMap((team) => team.problems);
        rates.set(agentIds[0] ?? '', meanOf(own.map(({ somePasses }) => Number(somePasses))));
      }
      expect(best01).toBeCloseTo(Math.max(...rates.values()), 10);
      expect(rates.get(bestAgent)).toBeCloseTo(best01, 10);
      expect(team01).toBeCloseTo(meanOf(rawOf(label, 'pass@n', 'team', ALL).map(meanOf)), 10);
      expect(difference).toBeCloseTo(team01 - best01, 10);
      expect([problems, seeds]).toEqual([30, 3]);
    }
    const raw = details.gains.map(({ pProblems, pSeeds }) => Math.max(pProblems, pSeeds ?? 1));
    const least = Math.min(...raw);
    const first = details.gains[raw.indexOf(least)];
    expect(first?.pHolm).toBeCloseTo(Math.min(1, least * raw.length), 10);
  });
});

describe('the stability of an agent', () => {
  it('is the chance that so many of k of its first attempts pass: of all it has, whether so many passed', () => {
    const [one] = details.stability;
    if (one === undefined) throw new Error('no stability');
    const problems = DONE.filter(({ label }) => label === one.label).map(
      ({ evaluation }) =>
        evaluation.teams.find(({ agentIds }) => agentIds.join() === one.agentId)?.problems ?? [],
    );
    const samples = problems
      .flat()
      .map((problem) => problem.samples.find(({ agentId }) => agentId === one.agentId));
    const count = samples[0]?.count ?? 0;
    const whole = details.stability.find(
      ({ label, agentId, k, tau }) =>
        label === one.label && agentId === one.agentId && k === count && tau === 1,
    );
    expect(whole?.value).toBeCloseTo(meanOf(samples.map((own) => Number(own?.passed === own?.count))), 10);
    expect([whole?.problems, whole?.seeds]).toEqual([30, 3]);
    expect(new Set(details.stability.map(({ k }) => k))).toEqual(
      new Set([4, 8, 16, 32].filter((k) => k <= count)),
    );
  });
});

describe('the parts of the problems of an experiment', () => {
  it('have the means that the raw values give, over their own problems, with interval and spread over the seeds', () => {
    // Three methods, two parts; Pass@1 of a team is that of its agents.
    expect(details.breakdowns).toHaveLength(3 * 2 * 5);
    for (const {
      label,
      metric,
      part,
      within,
      value,
      low,
      high,
      problems,
      seeds,
      seedSpread,
    } of details.breakdowns) {
      expect(within.by).toBe('difficulty');
      const own = PARTS[within.part as keyof typeof PARTS];
      const raw = rawOf(label, metric, part, own);
      expect(value).toBeCloseTo(meanOf(raw.map(meanOf)), 10);
      expect([problems, seeds]).toEqual([own.length, 3]);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      expect(seedSpread?.max).toBeCloseTo(Math.max(...raw.map(meanOf)), 10);
    }
  });

  it('are compared pair by pair as the whole is: p over problems and over seeds, by Holm over all of a metric', () => {
    expect(details.partPairs).toHaveLength(5 * 3 * 2);
    for (const { metric, part, first, second, within, difference, pProblems, pSeeds } of details.partPairs) {
      const own = PARTS[within.part as keyof typeof PARTS];
      const [a, b] = [rawOf(first, metric, part, own), rawOf(second, metric, part, own)];
      const differences = a.map((row, seed) => row.map((value, at) => value - (b[seed]?.[at] ?? Number.NaN)));
      const byProblem = own.map((_, at) => meanOf(differences.map((row) => row[at] ?? Number.NaN)));
      expect(difference).toBeCloseTo(meanOf(byProblem), 10);
      expect(pProblems).toBeCloseTo(signFlipP(byProblem, 1), 10);
      expect(pSeeds ?? -1).toBeCloseTo(tTestP(differences.map(meanOf)) ?? -1, 8);
    }
    const family = details.partPairs.filter(({ metric, part }) => metric === 'pass@n' && part === 'team');
    expect(family).toHaveLength(6);
    const larger = family.map(({ pProblems, pSeeds }) => Math.max(pProblems, pSeeds ?? 1));
    const corrected = holm(larger);
    expect(family.map(({ pHolm }) => pHolm)).toEqual(corrected);
    expect(corrected.some((p, at) => p > (larger[at] ?? 1))).toBe(true);
  });

  it('are none where nothing is known of the problems, and not compared where all are in one part', async () => {
    expect(await detailsOf({ problems: [] })).toMatchObject({ breakdowns: [], partPairs: [] });
    const one = await detailsOf({
      problems: PROBLEMS.map((problem) => ({ ...problem, difficulty: 'easy' })),
    });
    expect(one.breakdowns).toHaveLength(3 * 5);
    expect(one.partPairs).toEqual([]);
  });

  it('compare seven methods with the first alone, as those of studies', async () => {
    const rows = Array.from({ length: 7 }, (_, at) => ({ ...REQUEST.rows[1], label: `Row ${at}` }));
    const request = { ...REQUEST, rows } as ExperimentRequest;
    const done = rows.flatMap(({ label }) =>
      DONE.filter((one) => one.label === 'GRPO').map((one) => ({ ...one, label })),
    );
    const { partPairs } = await detailsOf({ request, done });
    expect(new Set(partPairs.map(({ second }) => second))).toEqual(new Set(['Row 0']));
    expect(new Set(partPairs.map(({ first }) => first)).size).toBe(6);
  });
});

describe('who solves what in an experiment', () => {
  it('is the share of seeds whose team solves a problem, and the mean of its agents alone', () => {
    const { problems, configurations, single } = details.solves;
    expect(configurations).toEqual(['Base', 'GRPO', 'MARS²']);
    expect(single).toEqual([]);
    expect(problems).toHaveLength(30);
    expect(problems[3]).toMatchObject({
      problemId: 'problem-3',
      title: 'Title 3',
      difficulty: 'easy',
      benchmarkId: 'made-up',
    });
    expect(problems[29]).toMatchObject({ problemId: 'problem-29', title: 'problem-29', difficulty: null });
    for (const [at, { cells }] of problems.entries()) {
      for (const [nth, cell] of cells.entries()) {
        const label = configurations[nth] ?? '';
        const shareOf = (metric: string, part: string): number =>
          meanOf(rawOf(label, metric, part, [at]).flat());
        expect(cell?.solved01).toBeCloseTo(shareOf('pass@1(mcts)', 'team'), 10);
        expect(cell?.found01).toBeCloseTo(shareOf('pass@n', 'team'), 10);
        expect(cell?.alone01).toBeCloseTo(shareOf('pass@1(mcts)', 'alone'), 10);
      }
    }
  });

  it('counts what most seeds solve: by all, by none, by one method alone', () => {
    const solvers = details.solves.problems.map(({ cells }) =>
      cells.map((cell) => (cell?.solved01 ?? 0) > 0.5),
    );
    const by = (test: (own: readonly boolean[]) => boolean): number => solvers.filter(test).length;
    expect(details.solves.byAll).toBe(by((own) => own.every(Boolean)));
    expect(details.solves.byNone).toBe(by((own) => !own.some(Boolean)));
    expect(details.solves.byOneAlone).toEqual(
      [0, 1, 2].map((nth) => by((own) => own.filter(Boolean).length === 1 && own[nth] === true)),
    );
    expect(details.solves.byNone).toBeGreaterThan(0);
  });

  it('takes the one agent of a method that has no team, and says so', async () => {
    const done = DONE.map((one) =>
      one.label === 'GRPO'
        ? { ...one, evaluation: { ...one.evaluation, teams: one.evaluation.teams.slice(0, 1) } }
        : one,
    );
    const { solves } = await detailsOf({ done });
    expect(solves.single).toEqual(['GRPO']);
    const own = done
      .filter(({ label }) => label === 'GRPO')
      .map(({ evaluation }) => Number(evaluation.teams[0]?.problems[4]?.chosenPasses));
    expect(solves.problems[4]?.cells[1]?.solved01).toBeCloseTo(meanOf(own), 10);
    expect(solves.problems[4]?.cells[1]?.alone01).toBeCloseTo(meanOf(own), 10);
  });
});

describe('what the methods of an experiment cost', () => {
  it('is the sum over the seeds that are done, with the spread of the seeds', async () => {
    const { costs } = await detailsOf({
      done: DONE.filter(({ label, seed }) => label !== 'MARS²' || seed !== 2),
    });
    // Each of two agents: 16 first attempts and a tree of 60 nodes a problem; the team a tree; 30 problems.
    const programs = 30 * (2 * (16 + 60) + 60);
    expect(costs).toMatchObject([
      {
        label: 'Base',
        seeds: [1, 2, 3],
        seconds: 6,
        gpuSeconds: 0,
        samples: 0,
        evaluationPrograms: 3 * programs,
      },
      { label: 'GRPO', seeds: [1, 2, 3], seconds: 306, samples: 3 * 100 * 8 * 2 },
      {
        label: 'MARS²',
        seeds: [1, 3],
        seconds: 404,
        samples: 2 * 50 * 8 * 2,
        evaluationPrograms: 2 * programs,
      },
    ]);
    expect(costs[1]?.seedSpreads?.seconds).toEqual({ sd: 1, min: 101, max: 103 });
  });

  it('counts the GPUs that were reserved for each training of language models', async () => {
    const spec = modelTrainingSchema.parse({
      ...{ kind: 'model', method: 'grpo', problems: { benchmarkId: 'b' }, seed: 1 },
      agents: ['reader', 'tracer'].map((id) => ({ id, model: '/models/x' })),
    });
    const request = experimentRequestSchema.parse({
      ...{ ...REQUEST, training: {} },
      models: { machineId: 'gpu-1', spec, resources: { gpus: 2 } },
    });
    const { costs } = await detailsOf({ request });
    expect(costs[1]).toMatchObject({ seconds: 306, gpuSeconds: 612, samples: 3 * 20 * 32 * 2 });
    expect(costs[1]?.seedSpreads?.gpuSeconds).toEqual({ sd: 2, min: 202, max: 206 });
  });
});

it('names the settings in which methods differ, and neither seeds nor what all have alike', async () => {
  expect(details.settings).toEqual([
    { path: 'method', values: ['base', 'grpo', 'heter-mars2'] },
    { path: 'updates', values: ['100', '100', '50'] },
  ]);
  const [first, ...others] = REQUEST.rows;
  const rows = [{ ...first, families: ['reader'] }, ...others] as ExperimentRequest['rows'];
  expect((await detailsOf({ request: { ...REQUEST, rows } })).settings).toContainEqual({
    path: 'families[1]',
    values: [null, 'tracer', 'tracer'],
  });
});
