import { describe, expect, test } from 'vitest';
import { newStudy, withDeskModels } from '../../../main/studies';
import {
  chosenProblems,
  commands,
  PLAIN_SEARCH,
  type Scale,
  type ServerSpec,
  type Team,
} from '../../../preload/contract';
import {
  arePapersProblems,
  heterogeneousTeam,
  launchServer,
  type PaperBenchmark,
  pocketServer,
  recordedServer,
  singleTeam,
  urlServer,
} from '../../../preload/contract/plans';
import { builtInExhibit, knownBenchmark, liveCodeBench } from '../../support/plan-inputs';

const plainRequest = {
  name: 'Scales',
  benchmarkId: 'benchmark',
  includeExcluded: false,
  search: {
    ...PLAIN_SEARCH,
    strategy: { kind: 'repeated' },
    nodes: 4,
    batch: 1,
    score: 'fraction',
    tie: 'earliest',
    samplesPerAgent: 0,
  },
} as const;
const context = {
  studyId: 's',
  createdAt: '2026-01-01',
  problemIds: ['p'],
  launchScale: (id: string) => (id === 'trained-here' ? ('own' as const) : ('paper' as const)),
  arePapers: () => true,
};

/** The problems of both papers, as an exhibit of theirs names them. */
const PAPERS = [builtInExhibit('homogeneous').scales.paper?.benchmark as PaperBenchmark];

/** Of these problems of the benchmark; all of them where they are left out. */
function studyOf(
  teams: readonly Team[],
  known = liveCodeBench(),
  problemIds = known.problems.map(({ id }) => id),
) {
  const request = commands['study.create'].payload.parse({
    ...plainRequest,
    configurations: teams.map((team, at) => ({ configuration: `c${at}`, team })),
    seeds: [1],
  });
  const arePapers = (ids: readonly string[]) => arePapersProblems(PAPERS, known, ids);
  return newStudy(request, { ...context, ...known, problemIds, arePapers });
}

test('problems without public tests are left out where the request says so', () => {
  const problems = [
    { id: 'a', date: null, publicTests: 1 },
    { id: 'b', date: null, publicTests: 0 },
    { id: 'c', date: null, publicTests: 2 },
  ];
  const chosen = (needsPublicTests: boolean) =>
    chosenProblems({ includeExcluded: false, needsPublicTests }, { marks: [] }, problems);
  expect(chosen(false)).toEqual(['a', 'b', 'c']);
  expect(chosen(true)).toEqual(['a', 'c']);
});

test('weights of several trainings are runs of one configuration, each with its own seed', () => {
  const request = commands['study.create'].payload.parse({
    ...plainRequest,
    configurations: [
      { configuration: 'RS²', team: singleTeam(launchServer('seed-11')), seeds: [11] },
      { configuration: 'RS²', team: singleTeam(launchServer('seed-12')), seeds: [12] },
      { configuration: 'base', team: singleTeam(launchServer('base')) },
    ],
    seeds: [1],
  });
  const { runs } = newStudy(request, { ...context, benchmark: liveCodeBench().benchmark });
  expect(
    runs.map(({ configuration, seed, team }) => [
      configuration,
      seed,
      team.servers[0]?.kind === 'launch' && team.servers[0].launchId,
    ]),
  ).toEqual([
    ['RS²', 11, 'seed-11'],
    ['RS²', 12, 'seed-12'],
    ['base', 1, 'base'],
  ]);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(3);
});

test.each([
  ['without seeds of their own', [undefined, undefined]],
  ['where one has none', [[1], undefined]],
  ['with the same seed', [[1, 2], [2]]],
])('two configurations of one name %s are refused', (_, seeds) => {
  const configurations = seeds.map((own) => ({
    configuration: 'RS²',
    team: singleTeam(launchServer('any')),
    ...(own === undefined ? {} : { seeds: own }),
  }));
  const read = commands['study.create'].payload.safeParse({ ...plainRequest, configurations, seeds: [1] });
  expect(read.success).toBe(false);
});

const trained = launchServer('trained-here');
const large = launchServer('large');

describe('the scale of a run', () => {
  test.each<[string, readonly ServerSpec[], Scale]>([
    ['pocket policies', [pocketServer('reader')], 'pocket'],
    ['a recording beside a large model', [recordedServer('r'), large], 'recorded'],
    ['an address of an unknown model', [urlServer('http://127.0.0.1:1/v1', 'm')], 'own'],
    ['an address of a named small model', [urlServer('http://127.0.0.1:1/v1', 'Qwen/Qwen3-0.6B')], 'desk'],
    ['such a model beside a large one', [urlServer('http://127.0.0.1:1/v1', 'Qwen3-0.6B'), large], 'desk'],
    ["an address of a paper's model", [urlServer('http://127.0.0.1:1/v1', 'Qwen/Qwen3-32B')], 'paper'],
    ['a launch of a large model', [large], 'paper'],
    ['a model that was trained here', [trained], 'own'],
    ['a model that was trained here beside a large one', [large, trained], 'own'],
    ['a model that was trained here beside a pocket policy', [pocketServer('reader'), trained], 'own'],
  ])('of %s', (_name, servers, scale) => {
    const study = studyOf([heterogeneousTeam(servers)]);
    expect([study.scale, study.runs[0]?.scale]).toEqual([scale, scale]);
  });

  const rules = 'livecodebench' as const;
  const release = knownBenchmark(1_055, { id: 'release', rules, version: 'release_v6' }, (at) =>
    at < 860 ? '2024-06-01' : at < 880 ? '2025-01-11' : '2025-02-15',
  );
  const first = knownBenchmark(400, { id: 'first', rules, version: 'release_v1' }, () => '2023-09-02');
  const humanEval = knownBenchmark(175, { id: 'human-eval', rules: 'humaneval' }, () => '2025-02-01');
  const marked = liveCodeBench();
  const mark = { problemId: 'livecodebench-v6/3', reason: 'several right answers', exclude: true };
  const withMark = { ...marked, benchmark: { ...marked.benchmark, marks: [mark] } };
  test.each<[string, ReturnType<typeof liveCodeBench>, number, number, Scale]>([
    ["the papers' 175 problems", liveCodeBench(), 0, 175, 'paper'],
    ['the same in a release that has older ones', release, 880, 1_055, 'paper'],
    ['the same though one of them is marked', withMark, 0, 175, 'paper'],
    ["all but one of the papers' problems", liveCodeBench(), 1, 175, 'own'],
    ['as many, some of another window', release, 879, 1_054, 'own'],
    ['a whole release', release, 0, 1_055, 'own'],
    ['five problems of release 1', first, 0, 5, 'own'],
    ['as many problems of release 1', first, 0, 175, 'own'],
    ['as many problems with other rules', humanEval, 0, 175, 'own'],
  ])("of a paper's model on %s", (_name, known, from, to, scale) => {
    const ids = known.problems.slice(from, to).map(({ id }) => id);
    const study = studyOf([singleTeam(large)], known, ids);
    expect([study.scale, study.runs[0]?.scale]).toEqual([scale, scale]);
    // Which problems they are decides of nothing else.
    expect(studyOf([singleTeam(pocketServer('reader'))], known, ids).scale).toBe('pocket');
  });

  test('is its own; a study that compares a large model with one that was trained here is of scale own', () => {
    const study = studyOf([singleTeam(large), singleTeam(trained)]);
    expect(study.runs.map(({ scale }) => scale)).toEqual(['paper', 'own']);
    expect(study.scale).toBe('own');
  });

  test('goes with the name of a small model, whatever the request called it', () => {
    const claimed = { ...launchServer('other'), deskModel: 'Qwen3-4B' } as ServerSpec;
    const asked = studyOf([heterogeneousTeam([launchServer('small'), claimed])]);
    const study = withDeskModels(asked, (id) => (id === 'small' ? 'SmolLM2-135M Q4_1' : null));
    expect(study.runs[0]?.team.servers).toEqual([
      { ...launchServer('small'), deskModel: 'SmolLM2-135M Q4_1' },
      launchServer('other'),
    ]);
  });
});
