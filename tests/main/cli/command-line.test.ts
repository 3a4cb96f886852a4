import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configurationOf, wholeNumber } from '../../../main/cli/agent-arguments';
import {
  diversityText,
  omittedText,
  progressLine,
  tableText,
  urgentWarnings,
  waitWarnings,
  warningText,
} from '../../../main/cli/report';
import { type Analysis, teamSchema } from '../../../preload/contract/index';
import { ONE_SEED_SENTENCE, POCKET_SENTENCES } from '../../../preload/contract/plans/index';
import { sampleAnalysis } from '../../support/sample-records';
import { makeTemporaryFolder } from '../../support/temporary-folder';

test('one agent is a single team, one named twice is homogeneous, different ones are heterogeneous', () => {
  const kinds = ['a=pocket:reader', 'b=pocket:reader,pocket:reader', 'c=pocket:reader,recorded:gpt'].map(
    (text) => {
      const read = configurationOf(text);
      if (!read.ok) throw new Error(read.error.message);
      expect(teamSchema.parse(read.value.team)).toEqual(read.value.team);
      return [read.value.configuration, read.value.team.kind];
    },
  );
  expect(kinds).toEqual([
    ['a', 'single'],
    ['b', 'homogeneous'],
    ['c', 'heterogeneous'],
  ]);
});

test('recorded samples are taken as whole programs, chat answers are searched for a fence', () => {
  const read = configurationOf('both=pocket:reader,recorded:gpt');
  expect(read.ok && read.value.team.agents.map((agent) => agent.extraction)).toEqual(['last-fence', 'whole']);
});

test.each([
  'no-equals',
  '=pocket:reader',
  'x=pocket:nobody',
  'x=',
  'x=url:http://localhost',
  'x=recorded:',
  'x=recorded:gpt,recorded:gpt',
])('the configuration %s is refused with what to write', (text) => {
  const read = configurationOf(text);
  expect(read.ok).toBe(false);
  expect(!read.ok && read.error.message).toMatch(/Write /);
});

test('an agent names its prompt format; a template is read from its file', async () => {
  const folder = await makeTemporaryFolder();
  onTestFinished(folder.dispose);
  const write = async (name: string, text: string) => {
    const path = join(folder.path, name);
    await writeFile(path, text);
    return path;
  };
  const good = await write('good.json', '{"system": "S", "user": "{statement}, {format}"}');
  const formatOf = (format: string) => {
    const read = configurationOf(`a=launch:x{role=solver,format=${format}}`);
    if (!read.ok) return read.error.message;
    const { role, promptFormat } = read.value.team.agents[0] ?? {};
    return { role: role?.systemPrompt === '' ? 'none' : 'some', promptFormat };
  };
  expect(formatOf('workbench')).toEqual({ role: 'some', promptFormat: undefined });
  expect(formatOf('completion')).toEqual({ role: 'none', promptFormat: { kind: 'completion' } });
  expect(formatOf(`file:${good}`)).toEqual({
    role: 'some',
    promptFormat: { kind: 'file', system: 'S', user: '{statement}, {format}', digest: '' },
  });
  expect(formatOf('completion-trimmed')).toMatchObject({
    promptFormat: { kind: 'completion', isTrimmed: true },
  });
  expect(formatOf('chat')).toMatch(/workbench, bare, completion, completion-trimmed, file:PATH/);
  expect(formatOf(`file:${join(folder.path, 'none.json')}`)).toMatch(/cannot be read/);
  expect(formatOf(`file:${await write('text.json', 'Hello')}`)).toMatch(/not JSON/);
  expect(formatOf(`file:${await write('empty.json', '{"user": "Hello"}')}`)).toMatch(/"user" must contain/);
  expect(formatOf(`file:${await write('more.json', '{"user": "{starter}", "x": 1}')}`)).toMatch(/"x"/);
});

test('whole numbers are checked against their range', () => {
  expect(wholeNumber('7', 'nodes', 1, 9)).toEqual({ ok: true, value: 7 });
  expect(wholeNumber(undefined, 'nodes', 1, 9)).toEqual({ ok: true, value: undefined });
  for (const text of ['0', '10', '-1', '1.5', '1e1', '', 'x'])
    expect(wholeNumber(text, 'nodes', 1, 9).ok).toBe(false);
});

test('the progress line fits the terminal', () => {
  const progress = {
    nodesDone: 10,
    nodesTotal: 100,
    gradedDone: 5,
    problemsDone: 1,
    problemsTotal: 9,
    elapsedMs: 61_000,
    remainingMs: 125_000,
  };
  expect(progressLine(progress, 120)).toMatch(
    /^\[#+\.+\] 10 of 100 candidates, 1 of 9 searches, 1:01, about 2:05 to go$/,
  );
  expect(progressLine(progress, 40).length).toBeLessThan(40);
  expect(progressLine({ ...progress, remainingMs: 400 }, 120)).toMatch(/1:01$/);
});

test('while a study runs only what wastes its requests is said, once and without counts', () => {
  const said = new Set<string>();
  const warning = (id: string, text: string, configuration: string | null = 'a') => ({
    id: configuration === null ? id : `${configuration}: ${id}`,
    configuration,
    text,
  });
  const cut = (count: number) =>
    `${count} of 100 answers of gpt 4 were cut off at the token limit. Raise its maximum (now 512).`;
  const untested = warning('no-public-tests', '62 problems have no public tests: every score there is 0.');
  const packages = warning('missing-packages', '2 programs need numpy. Install it.', null);
  const lost = 'Many answers of gpt 4 are cut off at the token limit. Raise its maximum (now 512).';
  expect(urgentWarnings([untested, packages, warning('cut-answers gpt 4', cut(11))], said)).toEqual([
    `${lost} Ctrl+C pauses the study.`,
  ]);
  // Neither with other counts, nor of another configuration, nor of all of them.
  const again = [
    warning('cut-answers gpt 4', cut(12)),
    warning('cut-answers gpt 4', cut(13), 'b'),
    warning('cut-answers gpt 4', cut(14), null),
  ];
  expect(urgentWarnings(again, said)).toEqual([]);
  const waits = warning('waits for gpt', 'Waiting for the server of "gpt": loading', null);
  expect(urgentWarnings([waits], said)).toEqual(['Waiting for the server of "gpt": loading']);
  const inLog = new Set<string>();
  expect(waitWarnings([untested, warning('cut-answers gpt 4', cut(11)), waits], inLog)).toEqual([waits.text]);
});

test('a warning is a line with its configuration', () => {
  const text = '1 request to m1 failed.';
  expect(warningText({ id: 'x', configuration: 'a', text })).toBe('Warning (a): 1 request to m1 failed.');
  expect(warningText({ id: 'x', configuration: null, text })).toBe('Warning: 1 request to m1 failed.');
});

describe('the table', () => {
  const limit = (text: string) => ({ kind: 'limit' as const, text });
  const analysis = sampleAnalysis({
    rows: [
      {
        configuration: 'single',
        team: 'single',
        scale: 'pocket',
        seeds: [1],
        nodesPerTree: 24,
        distinctShare: 1,
        cells: [
          { metric: 'pass@1', value: 0.5, low: 0.4, high: 0.6, problems: 60, candidates: 480, faults: 0 },
        ],
      },
    ],
    sentences: ['The main finding.', 'Another finding.', 'The main limit.', 'Another limit.'],
    chips: [
      { kind: 'difference', text: 'Short finding' },
      { kind: 'difference', text: 'Short other finding' },
      limit('Short limit'),
      limit('Short other limit'),
    ],
    secondMain: 2,
    method: 'A method.',
  });

  test('shows percent with the interval behind the value', () => {
    const text = tableText(analysis, false);
    expect(text).toContain('50.0 [40.0, 60.0]');
    expect(text).toContain('pocket');
  });

  /** The lines below the table. */
  const ending = (of: Analysis) => tableText(of, false).trimEnd().split('\n\n').at(-1)?.split('\n');

  test('diversity has its problems, the spread over the seeds, no interval without a width, and damage first', () => {
    const cell = { measure: 'da@k', k: 10, value: 1, low: 1, high: 1, problems: 4 } as const;
    const seedSpread = { sd: 0.25, min: 1, max: 1.5 };
    const cells = [
      { ...cell, configuration: 'single' },
      { ...cell, configuration: 'team', value: 1.25, high: 1.5, seedSpread },
      { ...cell, configuration: 'team', measure: 'aec', k: null, problems: 6 } as const,
    ];
    const damage = ['Part of the run team, seed 1 is missing.'];
    expect(diversityText({ studyId: 's', cells, method: 'A method.', damage }).split('\n')).toEqual([
      ...damage,
      '',
      expect.stringMatching(/^configuration +problems +da@10 +aec$/),
      expect.stringMatching(/^-/),
      expect.stringMatching(/^single +4 +1\.00 +-$/),
      'team                  6  1.25 [1.00, 1.50] SD 0.25 (n = 4)  1.00',
      ...['', 'SD: standard deviation over the seeds.', 'A method.', ''],
    ]);
  });

  test('heads its columns as the window does', () => {
    expect(tableText(analysis, false)).toMatch(/^configuration +Pass@1 +problems/m);
  });

  test('has Pass@10 behind Pass@1, also where the first configuration has none', () => {
    const [first] = analysis.rows;
    const [cell] = first?.cells ?? [];
    if (first === undefined || cell === undefined) throw new Error('The sample has no cell');
    const cells = (['pass@1', 'pass@10', 'pass@n'] as const).map((metric) => ({ ...cell, metric }));
    const rows = [
      { ...first, cells: cells.filter(({ metric }) => metric !== 'pass@10') },
      { ...first, configuration: 'sampled', cells },
    ];
    expect(tableText({ ...analysis, rows }, false)).toMatch(/^configuration +Pass@1 +Pass@10 +Pass@N +/m);
  });

  test('ends in the main finding and what limits it, in a line each; the rest is behind --verbose', () => {
    expect(ending(analysis)).toEqual(['Short finding.', 'Short limit.']);
    expect(omittedText(analysis)).toBe('2 more sentences and how this was computed: add --verbose.');
    expect(tableText(analysis, true)).toContain(
      'Another finding.\nThe main limit.\nAnother limit.\nA method.',
    );
  });

  test('has three lines below it, however much can be said: what is built in, the finding, what limits it', () => {
    const limited = {
      ...analysis,
      sentences: [...POCKET_SENTENCES, ...analysis.sentences, ONE_SEED_SENTENCE],
      chips: [limit('Built in'), limit('Another study'), ...(analysis.chips ?? []), limit('One seed')],
      secondMain: 2,
    };
    expect(ending(limited)).toEqual(['Built in.', 'Short finding.', 'One seed.']);
    expect(omittedText(limited)).toMatch(/^4 more sentences/);
    const damaged = {
      ...limited,
      sentences: ['A journal is damaged.', ...limited.sentences],
      chips: [limit('Damaged'), ...limited.chips],
      secondMain: 3,
    };
    expect(ending(damaged)).toEqual(['Damaged.', 'Built in.', 'Short finding.']);
  });

  test('says in one of them that there is one seed', () => {
    const oneSeed = {
      ...analysis,
      sentences: [...analysis.sentences, ONE_SEED_SENTENCE],
      chips: [...(analysis.chips ?? []), limit('One seed')],
    };
    expect(ending(oneSeed)).toEqual(['Short finding.', 'One seed.', 'Short limit.']);
  });

  test('of an older version has sentences below it, which are not cut', () => {
    const { chips: _chips, secondMain: _secondMain, ...older } = analysis;
    expect(ending(older)).toEqual(['The main finding.', 'Another finding.']);
    const pocket = { ...older, sentences: [...POCKET_SENTENCES, ...analysis.sentences] };
    expect(ending(pocket)).toContain(POCKET_SENTENCES[0]);
  });
});

test('an agent can run on a machine, at an address with a key, or come from a launch', () => {
  const read = configurationOf(
    'mix=pocket:reader{machine=gpu1},url:http://127.0.0.1:8000/v1#m{key=lab},launch:qwen3-8b',
  );
  if (!read.ok) throw new Error(read.error.message);
  expect(read.value.team.servers).toMatchObject([
    { kind: 'pocket', family: 'reader', machineId: 'gpu1' },
    { kind: 'url', model: 'm', secret: 'lab' },
    { kind: 'launch', launchId: 'qwen3-8b' },
  ]);
  expect(configurationOf('a=launch:x{machine=gpu1}')).toMatchObject({ ok: false });
  expect(configurationOf('a=pocket:reader{key=lab}')).toMatchObject({ ok: false });
});
