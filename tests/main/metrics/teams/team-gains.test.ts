import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bootstrap, measureComparedSteps } from '../../../../main/metrics';
import { pairedDifference } from '../../../../main/metrics/paired-difference';
import { teamGainSteps } from '../../../../main/metrics/teams/team-gains';
import { TwoLevelBootstrap } from '../../../../main/metrics/two-level-bootstrap';
import { type RunConfig, type RunView, teamGainSchema } from '../../../../preload/contract';
import { finished } from '../../../support/finished';
import { launchNamed, type ShortNode, teamWith, treesOf } from '../../../support/team-views';

/** Eight first attempts of one agent, of which the n-th passes (0: none does). */
function passingAt(agentId: string, n: number): ShortNode[] {
  return Array.from({ length: 8 }, (_, i) => [agentId, -1, i + 1 === n ? 'p' : 'w']);
}

function run(
  configuration: string,
  team: RunConfig['team'],
  firstPassing: Readonly<Record<string, number>>,
  seed = 1,
): RunView {
  const agent = team.agents[0]?.id ?? '';
  const problems = Object.entries(firstPassing).map(([id, n]) => [id, passingAt(agent, n)] as const);
  return treesOf(Object.fromEntries(problems), { id: `${configuration}.${seed}`, configuration, team, seed });
}

const INTERVALS = { bootstrap: new Bootstrap(1, 2_000), overSeeds: new TwoLevelBootstrap(1, 2_000) };

const teamGains = (configurations: Parameters<typeof teamGainSteps>[0]) =>
  finished(teamGainSteps(configurations, INTERVALS));

const ready = (...runs: readonly [RunView, ...RunView[]]) => {
  const [first, ...others] = runs.map((view) => ({ studyId: 's', view }));
  return finished(measureComparedSteps([first as { studyId: string; view: RunView }, ...others], null));
};

const [a, b] = [launchNamed('a'), launchNamed('b')];

test('a team is held against its best member and against its members side by side', () => {
  const gains = teamGains([
    ready(run('a', teamWith(a), { q1: 1, q2: 5, q3: 0, q4: 0 })),
    ready(run('b', teamWith(b), { q1: 0, q2: 0, q3: 4, q4: 8 })),
    ready(run('team', teamWith(a, b), { q1: 1, q2: 2, q3: 3, q4: 0 })),
  ]);
  expect(gains.map((gain) => teamGainSchema.parse(gain))).toMatchObject([
    {
      team: 'team',
      members: ['a', 'b'],
      team01: 3 / 4,
      bestMember01: 2 / 4,
      // Four nodes each: a solves q1, b solves q3; q2 and q4 come too late.
      sideBySide01: 2 / 4,
      problems: 4,
    },
  ]);
});

test('only problems count that the team and all members have finished', () => {
  const [gain] = teamGains([
    ready(run('a', teamWith(a), { q1: 1 })),
    ready(run('b', teamWith(b), { q1: 0, q2: 1 })),
    ready(run('team', teamWith(a, b), { q1: 1, q2: 1 })),
  ]);
  expect(gain).toMatchObject({ problems: 1, team01: 1, bestMember01: 1, sideBySide01: 1 });
});

test('seeds are put together in every way: the mean over all pairs of trees', () => {
  const gains = teamGains([
    ready(run('a', teamWith(a), { q: 1 }, 1), run('a', teamWith(a), { q: 0 }, 2)),
    ready(
      run('b', teamWith(b), { q: 2 }, 1),
      run('b', teamWith(b), { q: 0 }, 2),
      run('b', teamWith(b), { q: 0 }, 3),
    ),
    ready(run('team', teamWith(a, b), { q: 0 })),
  ]);
  // By hand: of the 2 x 3 pairs, those with a's first seed and one more hold a passing program.
  expect(gains[0]?.sideBySide01).toBeCloseTo(4 / 6, 12);
});

test('several roles of one model are held against as many seeds of it alone', () => {
  const alone = [1, 0, 3].map((n, at) => run('a', teamWith(a), { q: n }, at + 1)) as [
    RunView,
    RunView,
    RunView,
  ];
  const roles = ready(run('roles', teamWith(a, a), { q: 1 }));
  // Pairs of different seeds: (1, 2), (1, 3) and (2, 3); every one holds seed 1 or seed 3.
  expect(teamGains([ready(...alone), roles])[0]).toMatchObject({
    members: ['a'],
    sideBySide01: 1,
    team01: 1,
  });
  expect(teamGains([ready(...alone), roles])[0]?.bestMember01).toBeCloseTo(2 / 3, 12);
  // One seed is no two agents.
  expect(teamGains([ready(alone[0]), roles])[0]).toMatchObject({ sideBySide01: null, bestMember01: 1 });
});

test('side by side is the mean over all ways to choose one tree for each agent, for any trees', () => {
  // When the first passing program comes, of eight nodes; 0: never.
  const seeds = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(seeds, seeds, (ofA, ofB) => {
      const runs = (name: string, server: typeof a, all: readonly number[]) => {
        const [first, ...others] = all.map((n, at) => run(name, teamWith(server), { q: n }, at + 1));
        return ready(first as RunView, ...others);
      };
      const team = ready(run('team', teamWith(a, a, b), { q: 0 }));
      const [gain] = teamGains([runs('a', a, ofA), runs('b', b, ofB), team]);
      // Two nodes an agent. Two different trees of a's and one of b's, all counted.
      const isIn = (n: number) => n >= 1 && n <= 2;
      const ways = ofA.flatMap((x, i) =>
        ofA.slice(i + 1).flatMap((y) => ofB.map((z) => [x, y, z].some(isIn))),
      );
      expect(gain?.sideBySide01).toBeCloseTo(ways.filter(Boolean).length / ways.length, 10);
    }),
    { numRuns: 40 },
  );
});

test('a team whose members are not all run alone, or with other N, has no gain', () => {
  const team = ready(run('team', teamWith(a, b), { q: 1 }));
  expect(teamGains([ready(run('a', teamWith(a), { q: 1 })), team])).toEqual([]);
  const view = run('b', teamWith(b), { q: 1 });
  const longer = { ...view, config: { ...view.config, search: { ...view.config.search, nodes: 9 } } };
  expect(teamGains([ready(run('a', teamWith(a), { q: 1 })), ready(longer), team])).toEqual([]);
});

test('another checkpoint of a family is another member', () => {
  const trained = (checkpointId: string) => ({
    kind: 'pocket' as const,
    id: 'a',
    model: 'm',
    family: 'reader',
    checkpointSeed: 1,
    trained: { trainingId: 't', checkpointId },
    latencyMs: 0,
    maxInFlight: 4,
  });
  const alone = (checkpointId: string) => ready(run('alone', teamWith(trained(checkpointId)), { q: 1 }));
  const roles = ready(run('roles', teamWith(trained('one'), trained('one')), { q: 1 }));
  expect(teamGains([alone('one'), roles])).toHaveLength(1);
  expect(teamGains([alone('two'), roles])).toHaveLength(0);
});

test('both gains have an interval and a test, paired over problems and corrected over all gains', () => {
  const every = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`q${at}`, at]));
  const solves = (by: (at: number) => number) =>
    Object.fromEntries(Object.entries(every).map(([id, at]) => [id, by(at)]));
  const [gain] = teamGains([
    ready(
      run(
        'a',
        teamWith(a),
        solves((at) => (at < 6 ? 1 : 0)),
      ),
    ),
    ready(
      run(
        'b',
        teamWith(b),
        solves((at) => (at >= 12 && at < 16 ? 1 : 0)),
      ),
    ),
    ready(
      run(
        'team',
        teamWith(a, b),
        solves((at) => (at < 16 ? 8 : 0)),
      ),
    ),
  ]);
  // Over a alone 10 of 20 more; over both side by side (6 + 4) 6 of 20 more.
  expect(gain?.overBest.value).toBeCloseTo(10 / 20, 12);
  expect(gain?.overSideBySide?.value).toBeCloseTo(6 / 20, 12);
  // Nothing falls to the other side: Clopper and Pearson's bound of 10 and of 6 among as many, as odds.
  const odds = (only: number) => ({
    value: null,
    low: 0.025 ** (1 / only) / (1 - 0.025 ** (1 / only)),
    high: null,
  });
  expect(gain?.overBest.oddsRatio).toEqual({ ...odds(10), low: expect.closeTo(odds(10).low, 9) });
  expect(gain?.overSideBySide?.oddsRatio).toEqual({ ...odds(6), low: expect.closeTo(odds(6).low, 9) });
  // The bootstrap of verdicts is binomial: P(|X / 20 - 1/2| >= 1/2), X of 20 with 1/2, but at least the sign test's.
  expect(gain?.overBest.p).toBeCloseTo(2 * 0.5 ** 10, 12);
  expect(gain?.overSideBySide?.p).toBeCloseTo(2 * 0.5 ** 6, 12);
  expect(gain?.overBest.pHolm).toBeCloseTo(2 * 2 * 0.5 ** 10, 12);
  expect(gain?.overSideBySide?.pHolm).toBeCloseTo(2 * 0.5 ** 6, 12);
  // Binomial quantiles: of 20 with 6 / 20, 2.5 % below 2 and 97.5 % up to 10.
  expect(gain?.overSideBySide).toMatchObject({ low: 2 / 20, high: 10 / 20 });
});

test('of several seeds both gains have the spread of the seeds, and over the best member that of the table of differences', () => {
  const runs = (name: string, team: ReturnType<typeof teamWith>, solvedBySeed: readonly number[]) =>
    ready(
      ...(solvedBySeed.map((solved, at) =>
        run(
          name,
          team,
          Object.fromEntries(Array.from({ length: 10 }, (_, q) => [`q${q}`, q < solved ? 1 : 0])),
          at + 1,
        ),
      ) as [RunView, ...RunView[]]),
    );
  const [first, second, team] = [
    runs('a', teamWith(a), [3, 4, 2]),
    runs('b', teamWith(b), [1, 1, 1]),
    runs('team', teamWith(a, b), [6, 8, 4]),
  ];
  const [gain] = teamGains([first, second, team]);
  // Seed by seed 3, 4 and 2 of ten problems more.
  expect(gain?.overBest.seedSpread).toEqual({
    sd: expect.closeTo(0.1, 12),
    min: expect.closeTo(0.2, 12),
    max: expect.closeTo(0.4, 12),
  });
  // The members side by side solve 3 of ten on average: the team's own seeds vary against that.
  expect(gain?.overSideBySide?.seedSpread).toEqual({
    sd: expect.closeTo(0.2, 12),
    min: expect.closeTo(0.1, 12),
    max: expect.closeTo(0.5, 12),
  });
  const sides = { first: team.metrics, second: first.metrics };
  const ids = Array.from({ length: 10 }, (_, q) => `q${q}`);
  const pair = finished(pairedDifference('pass@n', sides, ids, INTERVALS));
  const { low, high, oddsRatio } = pair ?? {};
  expect(gain?.overBest).toMatchObject({ low, high, p: pair?.test.p, oddsRatio });
});
