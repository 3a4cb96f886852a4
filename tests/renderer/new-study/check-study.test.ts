import { describe, expect, test } from 'vitest';
import { newStudy } from '../../../main/studies';
import {
  chosenProblems,
  commands,
  noPublicTestsNote,
  PLAIN_SEARCH,
  PRESETS,
  type Team,
} from '../../../preload/contract';
import type { StudyEdits } from '../../../renderer/new-study/study-draft';
import { workText } from '../../../renderer/new-study/work-text';
import { defaultPrompt } from '../../../renderer/shared/agents/agents';
import { composed, library, real, recording, row, withDetails } from './samples';

/** Of launches, which these studies have none of. */
const scaleContext = { launchScale: () => 'paper' as const, arePapers: () => true };

const texts = (list: readonly { readonly at: string; readonly message: string }[]) =>
  list.map(({ at, message }) => `${at}: ${message}`);

describe('the order', () => {
  test('is what main accepts, and has a run for every configuration and seed', () => {
    const { request, benchmark } = composed({ seeds: '1, 2', problems: '10' });
    const checked = commands['study.create'].payload.parse(request);
    const all = Array.from({ length: benchmark.problems }, (_, at) => ({
      id: `p${at}`,
      date: null,
      publicTests: 1,
    }));
    const problemIds = chosenProblems(checked, benchmark, all);
    const study = newStudy(checked, {
      studyId: 's',
      createdAt: '2026-01-01',
      benchmark,
      problemIds,
      ...scaleContext,
    });
    expect(study.runs).toHaveLength(3 * 2);
    expect(study.runs.every((run) => run.problemIds.length === 10)).toBe(true);
    expect(checked.search).toEqual({
      ...PLAIN_SEARCH,
      strategy: { kind: 'repeated' },
      nodes: 60,
      batch: 1,
      score: 'fraction',
      tie: 'earliest',
      samplesPerAgent: 0,
    });
  });

  test('with several values of the search has a configuration for each, counted in its cost', () => {
    const pocket = { benchmarkId: 'pocket', preset: 'mcts', nodes: '24', samplesPerAgent: '8' };
    const once = composed(pocket);
    const swept = composed({ ...pocket, sweep: [{ id: 'exploration', values: '0.5, 1.4' }] });
    const names = once.request?.configurations.map(({ configuration }) => configuration) ?? [];
    expect(swept.request?.configurations.map(({ configuration }) => configuration)).toEqual(
      names.flatMap((name) => [`${name}, exploration 0.5`, `${name}, exploration 1.4`]),
    );
    expect(swept.programs).toBe(2 * (once.programs ?? 0));
    expect(swept.rows.map(({ variants }) => variants)).toEqual(names.map(() => 2));
    const larger = composed({ ...pocket, sweep: [{ id: 'nodes', values: '24, 48' }] });
    expect(larger.programs).toBeGreaterThan(swept.programs ?? 0);
    const { programs } = composed({ ...pocket, nodes: '24' });
    // The field of N does not count where N varies.
    const varied = composed({ ...pocket, nodes: 'x', sweep: [{ id: 'nodes', values: '24' }] });
    expect(varied.errors).toEqual([]);
    expect(varied.programs).toBe(programs);
    expect(varied.request?.name).toMatch(/, N = 24$/);
  });

  test('says what is wrong with a value of the search, and leaves out what its strategy has not', () => {
    const pocket = { benchmarkId: 'pocket', preset: 'mcts' };
    const wrong = composed({ ...pocket, sweep: [{ id: 'exploration', values: '0.5, x' }] });
    expect(texts(wrong.errors)).toEqual([
      'sweep exploration: "Exploration weight" (exploration) takes a number from 0 to 100, not "x".',
    ]);
    expect(wrong.programs).toBeNull();
    const empty = composed({ ...pocket, sweep: [{ id: 'exploration', values: '' }] });
    expect(texts(empty.errors)).toEqual(['sweep exploration: Enter values with commas between.']);
    expect(composed({ ...pocket, sweep: [{ id: 'beliefs', values: 'x' }] }).errors).toEqual([]);
  });

  test.each<[StudyEdits, string]>([
    [{}, '30 problems × (24 nodes + 8 samples per agent)'],
    [{ nodes: '1', samplesPerAgent: '0', seeds: '1-3, 5' }, '30 problems × 1 node × 4 seeds'],
    [{ sweep: [{ id: 'nodes', values: '' }] }, '30 problems × (? nodes + 8 samples per agent)'],
    [
      { sweep: [{ id: 'nodes', values: '8, 16, 24' }] },
      '30 problems × (8 + 16 + 24 nodes + 3 × 8 samples per agent)',
    ],
    [
      {
        samplesPerAgent: '1',
        sweep: [
          { id: 'score', values: 'all, fraction' },
          { id: 'beliefs', values: 'beta' },
        ],
      },
      '30 problems × (24 nodes + 1 sample per agent) × 2 variants',
    ],
  ])('tells of what its cost is the product (%#)', (edits, text) => {
    const { draft } = composed({
      ...{ benchmarkId: 'pocket', problems: '30', nodes: '24', samplesPerAgent: '8', preset: 'mcts' },
      ...edits,
    });
    expect(workText(draft, 30)).toBe(text);
  });

  test('names the configuration whose own strategy lacks a setting that varies', () => {
    const { errors } = composed({
      ...{ benchmarkId: 'pocket', preset: 'ab-mcts-a', sweep: [{ id: 'beliefs', values: 'beta, gaussian' }] },
      configurations: [{ ...row(0, 'reader'), preset: 'repeated' }, row(1, 'tracer')],
    });
    expect(texts(errors).join()).toContain(
      'sweep beliefs: "reader, Repeated sampling" searches with Repeated sampling, which has no "Beliefs" (beliefs).',
    );
  });

  test('asks for all problems by naming no number', () => {
    expect(composed().request).not.toHaveProperty('problems');
  });

  test.each(PRESETS.map((preset) => [preset.name, preset] as const))(
    'holds the method of %s',
    (_name, preset) => {
      const { request } = composed({ benchmarkId: 'pocket', preset: preset.id });
      const { guided, ...method } = preset.method;
      expect(request?.search).toMatchObject(method);
      expect(request?.search.rewardModel?.source.kind).toBe(guided ? 'pocket' : undefined);
    },
  );

  test('sends the prompt format of an agent, and says where the search or the model cannot have it', () => {
    const formatted = (preset: string, details: Parameters<typeof withDetails>[1]) => {
      const [agent] = row(0, 'http://127.0.0.1:8000/v1').agents;
      if (agent === undefined) throw new Error('the row has an agent');
      const configurations = [{ ...row(0), preset, agents: [withDetails(agent, details)] }];
      const { request, errors } = composed({ benchmarkId: 'pocket', configurations });
      return {
        formats: request?.configurations[0]?.team.agents.map(({ promptFormat }) => promptFormat),
        errors: errors.map(({ at, message }) => `${at}: ${message}`),
      };
    };
    expect(formatted('mcts', { format: 'bare' })).toEqual({ formats: [{ kind: 'bare' }], errors: [] });
    expect(formatted('repeated', { format: 'completion-trimmed' })).toEqual({
      formats: [{ kind: 'completion', isTrimmed: true }],
      errors: [],
    });
    expect(formatted('mcts', { format: 'completion' }).errors).toEqual([
      expect.stringMatching(/^0 details 0: MCTS .* has no place for an earlier program/),
    ]);
    expect(formatted('mcts', { format: 'file', templateUser: '{statement}' }).formats).toEqual([
      { kind: 'file', system: '', user: '{statement}', digest: '' },
    ]);
    const [reader] = row(0, 'reader').agents;
    if (reader === undefined) throw new Error('the row has an agent');
    const bare = withDetails(reader, { format: 'bare' });
    expect([defaultPrompt([bare, bare], 0), defaultPrompt([reader, reader], 0) === '']).toEqual(['', false]);
    expect(formatted('mcts', { format: 'file' }).errors).toEqual([expect.stringMatching(/must contain/)]);
  });

  test('gives a model that plays twice the usual roles, or those that were typed', () => {
    const usual = composed({ benchmarkId: 'pocket', configurations: [row(0, 'reader', 'reader')] });
    const team: Team | undefined = usual.request?.configurations[0]?.team;
    expect(team?.agents.map(({ role }) => role?.name)).toEqual(['solver', 'refiner']);
    const [first, second] = row(0, 'reader', 'reader').agents;
    if (first === undefined || second === undefined) throw new Error('the row has two agents');
    const typed = composed({
      benchmarkId: 'pocket',
      configurations: [
        {
          ...row(0),
          agents: [
            withDetails(first, { role: 'planner', prompt: 'Plan.' }),
            withDetails(second, { temperature: '0.5', nodes: '7' }),
          ],
        },
      ],
    });
    expect(typed.request?.configurations[0]?.team.agents).toMatchObject([
      { role: { name: 'planner', systemPrompt: 'Plan.' } },
      { role: { name: 'refiner' }, sampling: { temperature: 0.5 }, budget: { nodes: 7, tokens: null } },
    ]);
  });

  test('lets one row search in another way than the study', () => {
    const { request, rows } = composed({
      configurations: [row(0, 'large'), { ...row(1, 'large'), preset: 'mars2-t' }],
    });
    expect(rows.map(({ name }) => name)).toEqual(['large', 'large, MARS²-T']);
    expect(request?.configurations.map(({ search }) => search?.score)).toEqual([undefined, 'all']);
    const checked = commands['study.create'].payload.parse(request);
    const benchmark = composed().benchmark;
    const study = newStudy(checked, {
      studyId: 's',
      createdAt: '',
      benchmark,
      problemIds: ['p'],
      ...scaleContext,
    });
    expect(study.runs.map((run) => [run.search.strategy.kind, run.search.nodes, run.search.tie])).toEqual([
      ['repeated', 60, 'earliest'],
      ['ab-mcts-a', 60, 'latest'],
    ]);
  });

  test('holds the limits of a tree', () => {
    const { request } = composed({ treeTokens: '5000', treeSeconds: '2.5', stopWhenSolved: true });
    expect(request?.search).toMatchObject({
      treeBudget: { tokens: 5_000, seconds: 2.5 },
      stopWhenSolved: true,
    });
  });
});

describe('faults', () => {
  test.each<[string, StudyEdits, string]>([
    ['no nodes', { nodes: '' }, 'nodes: A whole number from 1 to 100,000.'],
    ['half a node', { nodes: '1.5' }, 'nodes: A whole number from 1 to 100,000.'],
    ['too many trials together', { batch: '65' }, 'batch: A whole number from 1 to 64.'],
    [
      'more problems than there are',
      { problems: '101' },
      'problems: Enter 1 to 100, or leave empty for all.',
    ],
    [
      'a seed twice',
      { seeds: '1 1' },
      'seeds: Seed 1 is listed twice. Enter each seed once: repeating it measures nothing new.',
    ],
    [
      'a seed that is no number',
      { seeds: '1, x' },
      'seeds: "x" is not a seed. Enter whole numbers or a range, e.g. 1, 2, 3 or 1-3.',
    ],
    ['no configuration', { configurations: [] }, 'configurations: Add a configuration.'],
    [
      'two configurations of one name',
      {
        configurations: [
          { ...row(0, 'large'), name: 'ours' },
          { ...row(1, 'small'), name: 'ours' },
        ],
      },
      '1 name: There is already a configuration "ours". Choose another name.',
    ],
    [
      'a recording in two roles',
      { configurations: [row(0, 'large', 'large')] },
      '0 agent 1: A recording has no roles: both agents would replay the same samples, and each program would count twice.',
    ],
    [
      'a third agent that is told what the first is told',
      { configurations: [row(0, 'reader', 'reader', 'reader')] },
      '0 agent 2: This agent is identical to another one. Change its prompt or temperature.',
    ],
    [
      'a temperature that is none',
      {
        configurations: [
          { ...row(0), agents: [withDetails({ kind: 'pocket', family: 'reader' }, { temperature: 'hot' })] },
        ],
      },
      '0 details 0: Temperature: a number from 0 to 10, not "hot".',
    ],
    ['a day that is none', { from: '2025-13-40' }, 'days: Enter days as 2025-01-31.'],
    ['no tokens for a tree', { treeTokens: '0' }, 'treeTokens: A whole number from 1 to 1,000,000,000.'],
    [
      'a recording of another benchmark',
      { benchmarkId: 'pocket', configurations: [row(0, 'large')] },
      '0 agent 0: large was recorded on another benchmark than pocket.',
    ],
    [
      'half an address',
      { configurations: [row(0, 'http://')] },
      '0 address 0: Enter a full URL, e.g. http://127.0.0.1:8000/v1',
    ],
  ])('%s', (_title, touched, message) => {
    const { errors, request } = composed(touched);
    expect(texts(errors)).toContain(message);
    expect(request).toBeNull();
  });
});

describe('warnings', () => {
  test('name every team that several configurations have', () => {
    const rows = (...teams: readonly string[][]) => teams.map((agents, key) => row(key, ...agents));
    const said = (...teams: readonly string[][]) =>
      texts(composed({ benchmarkId: 'pocket', configurations: rows(...teams) }).warnings).join('\n');
    expect(said(['reader'], ['reader'])).toContain('Two configurations have the same team (reader).');
    const team = ['reader', 'tracer'];
    expect(said(['reader'], ['reader'], team, team, team)).toContain(
      'Several configurations have the same team (reader; reader + tracer).',
    );
  });

  test.each<[string, StudyEdits, string]>([
    [
      'a single recording that ends before the tree',
      { configurations: [row(0, 'small')], nodes: '60' },
      '0 agent 0: It has 5 samples per problem: a tree ends after 5 of 60 nodes.',
    ],
    [
      'a member of a team that ends before its share',
      { nodes: '60' },
      '2 agent 1: It has 5 samples per problem: this agent then stops, the others continue.',
    ],
    [
      'a recording that is to refine',
      { preset: 'ab-mcts-a' },
      '0 agent 0: It has no refinements: to refine a node it returns its next sample, whatever the node contains.',
    ],
    [
      'a pocket policy on other problems',
      { configurations: [row(0, 'reader')] },
      '0 agent 0: Pocket policies are trained on pocket problems only; they will solve almost none of these.',
    ],
    [
      'one configuration',
      { configurations: [row(0, 'large')] },
      'study: With one configuration there is nothing to compare.',
    ],
    [
      'few problems',
      { problems: '3' },
      'study: With 3 problems the intervals are too wide to show differences between teams.',
    ],
    [
      'several seeds of recordings',
      { seeds: '1 2' },
      'study: With recordings, further seeds only reorder the same samples.',
    ],
    [
      'several trials at once',
      { batch: '4' },
      'batch: Faster, but all trials of a batch use the estimates from its start, so trees grow wider.',
    ],
    [
      'outcomes that are applied on arrival',
      { batch: '4', order: 'arrival' },
      'batch: On arrival: the same seed may give a different tree.',
    ],
    [
      'MARS²-T+ without a reward model',
      { preset: 'mars2-t-plus' },
      'study: MARS²-T+ uses a reward model; without one the tie-breaking rule decides.',
    ],
  ])('%s', (_title, touched, message) => {
    const { warnings, request } = composed(touched);
    expect(texts(warnings)).toContain(message);
    expect(request).not.toBeNull();
  });

  test('a recording that lacks problems stops the study, and says so', () => {
    const holes = recording('holes', 80, { problems: 97, fewestSamples: 0 });
    const { warnings } = composed({ configurations: [row(0, 'holes')] }, { ...library, recordings: [holes] });
    expect(texts(warnings)).toContain(
      '0 agent 0: No samples for 3 of the 100 problems; the study stops at the first of them.',
    );
  });
});

describe('the cost', () => {
  test('is a program for every node, sample, problem, configuration and seed', () => {
    const configurations = [row(0, 'reader'), row(1, 'reader', 'tracer')];
    const touched = {
      benchmarkId: 'pocket',
      configurations,
      nodes: '10',
      samplesPerAgent: '2',
      seeds: '1 2',
    };
    expect(composed(touched).programs).toBe(2 * 60 * (10 + 2 + 10 + 4));
  });

  test('counts no more than recordings hold', () => {
    const { rows } = composed({ nodes: '60' });
    expect(rows.map(({ programs }) => programs)).toEqual([6_000, 500, 6_000]);
  });

  test('is not known while a number is missing', () => {
    expect(composed({ nodes: '' }).programs).toBeNull();
  });

  test('a lone seed is said to be one run, since it often means how many', () => {
    expect(texts(composed({ seeds: '3' }).warnings)).toContain(
      'seeds: One run per configuration, with seed 3. For 3 seeds enter 1-3.',
    );
    expect(texts(composed({ seeds: '1-3' }).warnings).join()).not.toContain('seeds:');
    expect(composed({ seeds: '1-3' }).request?.seeds).toEqual([1, 2, 3]);
  });

  test('problems without public tests are counted, and can be left out', () => {
    const partly = { ...real, notes: [noPublicTestsNote(31)] };
    const within = { ...library, benchmarks: [partly] };
    const warning = `study: 31 of the 100 problems of ${real.name} have no public tests`;
    const shown = composed({}, within);
    expect(texts(shown.warnings).join('\n')).toContain(warning);
    expect([shown.problems, shown.request?.needsPublicTests]).toEqual([100, false]);
    const without = composed({ needsPublicTests: true }, within);
    expect(texts(without.warnings).join('\n')).not.toContain(warning);
    expect([without.problems, without.request?.needsPublicTests]).toEqual([69, true]);
  });

  test('of the first problems only those without public tests that are among them are counted', () => {
    const partly = { ...real, notes: [noPublicTestsNote(31)] };
    const within = { ...library, benchmarks: [partly] };
    const outlines = Array.from({ length: 100 }, (_, at) => ({
      ...{ id: `p${at}`, title: '', difficulty: null, date: null, platform: null, bytes: 1 },
      publicTests: at === 3 || at >= 70 ? 0 : 1,
    }));
    const some = composed({ problems: '40' }, within, outlines);
    expect(some.untested).toEqual({ problems: 1, of: 40 });
    expect(texts(some.warnings).join()).toContain(
      `1 of the 40 problems chosen of ${real.name} has no public`,
    );
    expect(composed({ problems: '3' }, within, outlines).untested.problems).toBe(0);
    expect(composed({}, within, outlines).untested).toEqual({ problems: 31, of: 100 });
  });
});
