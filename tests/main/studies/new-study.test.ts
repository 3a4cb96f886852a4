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
  heterogeneousTeam,
  launchServer,
  pocketServer,
  recordedServer,
  singleTeam,
  urlServer,
} from '../../../preload/contract/plans';
import { liveCodeBench } from '../../support/plan-inputs';

function studyOf(teams: readonly Team[], benchmark = liveCodeBench().benchmark) {
  const request = commands['study.create'].payload.parse({
    name: 'Scales',
    benchmarkId: 'benchmark',
    includeExcluded: false,
    configurations: teams.map((team, at) => ({ configuration: `c${at}`, team })),
    search: {
      ...PLAIN_SEARCH,
      strategy: { kind: 'repeated' },
      nodes: 4,
      batch: 1,
      score: 'fraction',
      tie: 'earliest',
      samplesPerAgent: 0,
    },
    seeds: [1],
  });
  return newStudy(request, {
    studyId: 's',
    createdAt: '2026-01-01',
    benchmark,
    problemIds: ['p'],
    launchScale: (id) => (id === 'trained-here' ? 'own' : 'paper'),
  });
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

  test.each(['plain', 'humaneval'] as const)(
    "of a paper's model on other problems than the papers' (%s) is own",
    (rules) => {
      const { benchmark } = liveCodeBench();
      const study = studyOf([singleTeam(large)], { ...benchmark, rules });
      expect([study.scale, study.runs[0]?.scale]).toEqual(['own', 'own']);
    },
  );

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
