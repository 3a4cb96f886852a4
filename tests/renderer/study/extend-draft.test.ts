import { expect, test } from 'vitest';
import type { AgentChoice } from '../../../renderer/shared/agents/agents';
import {
  checkExtension,
  NOTHING_ADDED,
  nextConfiguration,
  problemsOf,
  teamChoices,
} from '../../../renderer/study/extend-draft';
import { sampleStudy } from '../../support/sample-study';
import { library, pocket } from '../new-study/samples';

const study = sampleStudy();
const draft = (part: Partial<typeof NOTHING_ADDED>) => checkExtension({ ...NOTHING_ADDED, ...part }, study);

test('an extension is nothing until something is typed, and then only that', () => {
  expect(draft({})).toMatchObject({ errors: {}, request: null });
  expect(draft({ seeds: ' 2, 4-5 ', nodes: '60' }).request).toEqual({
    studyId: 'study-1',
    seeds: [2, 4, 5],
    nodes: 60,
  });
  expect(draft({ tokens: '2000', seconds: 'max' }).request).toMatchObject({ tokens: 2_000, seconds: null });
  expect(draft({ tokens: 'few' }).errors.tokens).toContain('whole number');
  expect(draft({ seeds: 'x', problems: '0' })).toMatchObject({
    errors: { seeds: expect.stringContaining('"x"'), problems: expect.stringContaining('whole number') },
    request: null,
  });
});

test('problems are more than the study has, and at most those of its benchmark', () => {
  const has = problemsOf(study);
  expect(draft({ problems: String(has) }).errors.problems).toContain(`from ${has + 1} to`);
  expect(draft({ problems: String(has + 1) }).request).toMatchObject({ problems: has + 1 });
  const beyond = checkExtension({ ...NOTHING_ADDED, problems: '1000' }, study, {
    benchmark: { ...pocket, problems: 999 },
    library: null,
  });
  expect(beyond.errors.problems).toBe(`A whole number from ${has + 1} to 999.`);
});

test('the teams to add are those of the study, and the ones of its models that it lacks', () => {
  expect(teamChoices(study).map(({ label, isNew, team }) => [label, isNew, team.kind])).toEqual([
    ['single', false, 'single'],
    ['homogeneous', false, 'homogeneous'],
    ['heterogeneous', false, 'heterogeneous'],
    ['pocket-tracer-base alone', true, 'single'],
  ]);
});

test('a configuration is named after its team and strategy', () => {
  const row = { key: 0, name: '', team: 'pocket-tracer-base alone', agents: [], preset: 'repeated' };
  expect(draft({ configurations: [row] }).request?.configurations).toMatchObject([
    {
      configuration: expect.stringMatching(/^pocket-tracer-base alone, Repeated/),
      team: { kind: 'single', servers: [{ family: 'tracer' }] },
      search: { strategy: { kind: 'repeated' } },
    },
  ]);
});

test('each next configuration differs from those before, and a name that is there is marked', () => {
  const first = nextConfiguration(study, []);
  const second = nextConfiguration(study, [first]);
  expect([first.preset, second.preset === null]).toEqual([null, false]);
  expect(draft({ configurations: [first, second] }).rowErrors.size).toBe(0);
  const { rowErrors, request } = draft({ configurations: [first, { ...first, key: 1 }] });
  expect([...rowErrors]).toEqual([[1, expect.stringContaining('Choose another name')]]);
  expect(request).toBeNull();
});

test('agents of other models are those of the form of a new study, with what is wrong with them', () => {
  const url = { kind: 'url', baseUrl: 'http://127.0.0.1:8000/v1', model: 'newcomer' } as const;
  const checked = (agents: readonly AgentChoice[]) =>
    checkExtension(
      { ...NOTHING_ADDED, configurations: [{ key: 3, name: '', team: null, agents, preset: null }] },
      study,
      { benchmark: pocket, library },
    );
  expect(checked([{ kind: 'pocket', family: 'weak' }, url]).request?.configurations).toMatchObject([
    {
      configuration: 'weak + newcomer',
      team: { kind: 'heterogeneous', servers: [{ family: 'weak' }, { model: 'newcomer' }] },
    },
  ]);
  const wrong = checked([{ ...url, baseUrl: 'here' }]);
  expect(wrong.request).toBeNull();
  expect(wrong.agentErrors).toMatchObject([{ at: '3 address 0', kind: 'wrong' }]);
});
