import { describe, expect, test } from 'vitest';
import { methodOfPreset, presetNamed } from '../../../renderer/new-study/method-draft';
import {
  configurationNames,
  draftOf,
  type StudyEdits,
  studyName,
  withBenchmark,
  withConfiguration,
  withConfigurationAdded,
  withConfigurationCopied,
  withConfigurationRemoved,
} from '../../../renderer/new-study/study-draft';
import { nextAgent } from '../../../renderer/shared/agents/next-agent';
import { composed, library, pocket, row } from './samples';

describe('what a new study begins with', () => {
  test('without a benchmark there is no draft', () => {
    expect(draftOf({}, { benchmarks: [], recordings: [], launches: [], trainings: [] })).toBeNull();
  });

  test('an imported benchmark comes before the pocket one, its recordings single and as a team', () => {
    const { draft, rows } = composed();
    expect(draft).toMatchObject({
      benchmarkId: 'real',
      preset: 'repeated',
      nodes: '60',
      samplesPerAgent: '0',
    });
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['large', 'single'],
      ['small', 'single'],
      ['large + small', 'heterogeneous'],
    ]);
  });

  test('N is no more than the largest recording holds', () => {
    const small = { ...library, recordings: library.recordings.filter(({ id }) => id === 'small') };
    expect(composed({}, small).draft.nodes).toBe('5');
  });

  test('the pocket benchmark alone is searched by one agent and by both kinds of team', () => {
    const { draft, rows, request } = composed({}, { ...library, benchmarks: [pocket], recordings: [] });
    expect(draft.preset).toBe('ab-mcts-a');
    expect(rows.map(({ kind }) => kind)).toEqual(['single', 'homogeneous', 'heterogeneous']);
    expect(request).not.toBeNull();
  });

  test('an imported benchmark without recordings waits for a model', () => {
    const { errors, request } = composed({}, { ...library, recordings: [] });
    expect(request).toBeNull();
    expect(errors.map(({ at, kind }) => [at, kind])).toEqual([
      ['0 address 0', 'missing'],
      ['0 model 0', 'missing'],
    ]);
  });
});

describe('changes', () => {
  test('independent samples follow the strategy until somebody sets them', () => {
    expect(composed({ preset: 'ab-mcts-a' }).draft.samplesPerAgent).toBe('8');
    expect(composed({ preset: 'ab-mcts-a', samplesPerAgent: '3' }).draft.samplesPerAgent).toBe('3');
  });

  test('another benchmark resets the problems and recordings of the old one', () => {
    const touched = { name: 'Mine', problems: '5', configurations: [row(0, 'large')] };
    expect(withBenchmark(touched, 'real', 'pocket')).toEqual({ name: 'Mine', benchmarkId: 'pocket' });
  });

  test('the benchmark that is chosen already forgets nothing', () => {
    expect(withBenchmark({ problems: '5' }, 'real', 'real')).toEqual({ problems: '5' });
  });

  test('another benchmark keeps teams that can search it too', () => {
    const configurations = [row(0, 'http://127.0.0.1:8000/v1')];
    expect(withBenchmark({ configurations }, 'real', 'pocket')).toEqual({
      benchmarkId: 'pocket',
      configurations,
    });
  });

  test('a copy is inserted below its original under a free name', () => {
    const { draft } = composed({ configurations: [{ ...row(0, 'large'), name: 'ours' }, row(1, 'small')] });
    const once = { ...draft, ...withConfigurationCopied(draft, 0, library) };
    const twice = { ...once, ...withConfigurationCopied(once, 0, library) };
    expect(twice.configurations.map(({ key }) => key)).toEqual([0, 3, 2, 1]);
    const names = configurationNames(twice.configurations, library);
    expect(names).toEqual(['ours', 'ours 3', 'ours 2', 'small']);
  });

  test('the copy of a row that is named after its agents is named after its own', () => {
    const { draft } = composed({ configurations: [row(0, 'large')] });
    const copied = { ...draft, ...withConfigurationCopied(draft, 0, library) };
    expect(configurationNames(copied.configurations, library)).toEqual(['large', 'large 2']);
    const team = withConfiguration(copied, 1, { agents: row(1, 'large', 'small').agents });
    expect(configurationNames(team.configurations ?? [], library)).toEqual(['large', 'large + small']);
    const typed = [row(0, 'large'), { ...row(1, 'small'), name: 'large' }];
    expect(configurationNames(typed, library)).toEqual(['large 2', 'large']);
  });

  test('rows are added and removed', () => {
    const { draft } = composed({ configurations: [row(4, 'large')] });
    const more = { ...draft, ...withConfigurationAdded(draft, library) };
    expect(more.configurations.map(({ key }) => key)).toEqual([4, 5]);
    expect(withConfigurationRemoved(more, 4).configurations?.map(({ key }) => key)).toEqual([5]);
  });

  test('a new agent is one that the team does not have yet', () => {
    const { agents } = row(0, 'large');
    expect(nextAgent(agents, 'real', library)).toEqual({ kind: 'recorded', recordingId: 'small' });
    expect(nextAgent(row(0, 'large', 'small').agents, 'real', library).kind).toBe('url');
  });
});

test('a study without a name is named after its search', () => {
  const { draft } = composed();
  expect(studyName(draft, library)).toBe('real, Repeated sampling, N = 60');
  expect(studyName({ ...draft, name: ' Mine ' }, library)).toBe('Mine');
  const generated = {
    ...library,
    benchmarks: [{ ...pocket, name: 'Pocket, test split, seed 1' }],
    recordings: [],
  };
  expect(studyName(composed({}, generated).draft, generated)).toMatch(/^Pocket, test split, AB-MCTS-A/);
  const long = {
    ...library,
    benchmarks: library.benchmarks.map((one) => ({ ...one, name: 'x'.repeat(200) })),
  };
  expect(studyName(draft, long)).toHaveLength(120);
  const mars2 = methodOfPreset(presetNamed('mars2-t'), false);
  const edits: StudyEdits = { preset: 'mars2-t', method: { ...mars2, score: 'fraction' } };
  expect(studyName(composed(edits).draft, library)).toBe('real, MARS²-T, partial credit, N = 60');
});
