import { describe, expect, test } from 'vitest';
import { newStudy } from '../../../main/studies';
import { commands, type Team } from '../../../preload/contract';
import type { Touched } from '../../../renderer/new-study/draft';
import { composed, library, recording, row } from './samples';

const texts = (list: readonly { readonly at: string; readonly message: string }[]) =>
  list.map(({ at, message }) => `${at}: ${message}`);

describe('the order', () => {
  test('is what main accepts, and has a run for every configuration and seed', () => {
    const { order, benchmark } = composed({ seeds: '1, 2', problems: '10' });
    const checked = commands['study.create'].payload.parse(order);
    const problemIds = Array.from({ length: benchmark.problems }, (_, at) => `p${at}`);
    const study = newStudy(checked, { studyId: 's', createdAt: '2026-01-01', benchmark, problemIds });
    expect(study.runs).toHaveLength(3 * 2);
    expect(study.runs.every((run) => run.problemIds.length === 10)).toBe(true);
    expect(checked.search).toEqual({
      strategy: { kind: 'repeated' },
      nodes: 60,
      batch: 1,
      score: 'fraction',
      tie: 'latest',
      samplesPerAgent: 0,
    });
  });

  test('asks for all problems by naming no number', () => {
    expect(composed().order).not.toHaveProperty('problems');
  });

  test('holds the beliefs and selection of AB-MCTS-A', () => {
    const { order } = composed({ strategy: 'ab-mcts-a', beliefs: 'gaussian', selection: 'stack' });
    expect(order?.search.strategy).toEqual({ kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'stack' });
  });

  test('gives the roles the prompts that were typed', () => {
    const { order } = composed({ benchmarkId: 'pocket', configurations: [row(0, 'reader', 'reader')] });
    const team: Team | undefined = order?.configurations[0]?.team;
    expect(team?.agents.map(({ role }) => role?.systemPrompt)).toEqual(['Plan.', 'Repair.']);
  });
});

describe('faults', () => {
  test.each<[string, Touched, string]>([
    ['no nodes', { nodes: '' }, 'nodes: A whole number from 1 to 100,000.'],
    ['half a node', { nodes: '1.5' }, 'nodes: A whole number from 1 to 100,000.'],
    ['too many trials together', { batch: '65' }, 'batch: A whole number from 1 to 64.'],
    ['more problems than there are', { problems: '101' }, 'problems: All when empty, else 1 to 100.'],
    ['a seed twice', { seeds: '1 1' }, 'seeds: Seed 1 is there twice; the same run twice says nothing new.'],
    [
      'a seed that is no number',
      { seeds: '1, x' },
      'seeds: "x" is no seed: whole numbers with commas between, e.g. 1, 2, 3.',
    ],
    ['no configuration', { configurations: [] }, 'configurations: Add a configuration to search with.'],
    [
      'two configurations of one name',
      { configurations: [row(0, 'large'), row(1, 'large')] },
      '1 name: There is a "large" above; results are told apart by the name.',
    ],
    [
      'some agents twice',
      { configurations: [row(0, 'reader', 'reader', 'tracer')] },
      '0 team: Name each agent once, or one of them twice and nobody else.',
    ],
    [
      'a recording in two roles',
      { configurations: [row(0, 'large', 'large')] },
      '0 team: A recording knows no roles: both would replay the same samples, and each program would count twice.',
    ],
    [
      'roles that are told the same',
      { configurations: [{ ...row(0, 'reader', 'reader'), rolePrompts: ['Plan.', 'Plan. '] }] },
      '0 role 1: Both roles are told the same, so they are one agent; tell them different things.',
    ],
    [
      'a recording of another benchmark',
      { benchmarkId: 'pocket', configurations: [row(0, 'large')] },
      '0 agent 0: large answers other problems than those of pocket.',
    ],
    [
      'half an address',
      { configurations: [row(0, 'http://')] },
      '0 address 0: No address: write it whole, e.g. http://127.0.0.1:8000/v1',
    ],
  ])('%s', (_title, touched, said) => {
    const { faults, order } = composed(touched);
    expect(texts(faults)).toContain(said);
    expect(order).toBeNull();
  });
});

describe('warnings', () => {
  test.each<[string, Touched, string]>([
    [
      'a single recording that ends before the tree',
      { configurations: [row(0, 'small')], nodes: '60' },
      '0 agent 0: It has 5 samples a problem: a tree ends after 5 of 60 nodes.',
    ],
    [
      'a member of a team that ends before its share',
      { nodes: '60' },
      '2 agent 1: It has 5 samples a problem: this agent stops after them, the others go on alone.',
    ],
    [
      'a recording that is to refine',
      { strategy: 'ab-mcts-a' },
      '0 agent 0: A recording cannot refine: below a node it gives its next sample, whatever stands there.',
    ],
    [
      'a pocket policy on other problems',
      { configurations: [row(0, 'reader')] },
      '0 agent 0: The pocket policies know pocket problems alone; here they will solve next to none.',
    ],
    [
      'one configuration',
      { configurations: [row(0, 'large')] },
      'study: One configuration alone is measured, but compared with nothing.',
    ],
    [
      'few problems',
      { problems: '3' },
      'study: With 3 problems the intervals are too wide to tell teams apart.',
    ],
    [
      'several seeds of recordings',
      { seeds: '1 2' },
      'study: Another seed only draws the same recorded samples in another order.',
    ],
    [
      'several trials at once',
      { batch: '4' },
      'batch: Quicker; a resumed run may then differ from one never stopped.',
    ],
  ])('%s', (_title, touched, said) => {
    const { warnings, order } = composed(touched);
    expect(texts(warnings)).toContain(said);
    expect(order).not.toBeNull();
  });

  test('a recording that lacks problems stops the study, and says so', () => {
    const holes = recording('holes', 80, { problems: 97, fewestSamples: 0 });
    const { warnings } = composed({ configurations: [row(0, 'holes')] }, { ...library, recordings: [holes] });
    expect(texts(warnings)).toContain(
      '0 agent 0: No samples for 3 of the 100 problems; the study stops when it comes to one.',
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
});
