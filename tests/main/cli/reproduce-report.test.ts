import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Emitter } from '../../../main/base';
import type { Host } from '../../../main/cli/host';
import {
  measuredText,
  planText,
  reproductionLine,
  reproductionsText,
} from '../../../main/cli/reproduce-report';
import { paperSettingsSchema, type StudyView } from '../../../preload/contract';
import { cellKey } from '../../../preload/contract/plans';
import { builtInExhibit, planOf } from '../../support/plan-inputs';
import { sampleReproduction as sampleExhibitReproduction } from '../../support/sample-exhibits';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test('a reproduction whose journals are damaged says so in its list and in that of the exhibits', () => {
  const view = sampleExhibitReproduction({ exhibitId: 'homogeneous', done01: 1 });
  const study = sampleStudy({ id: 'study-1' });
  const [run] = study.runs;
  const damage = [
    { runId: run?.id ?? '', message: 'It lost its end.', repairable: true },
  ] as unknown as StudyView['damage'];
  const textOf = (one: StudyView['damage']) =>
    reproductionsText([view], [{ study, damage: one }], () => 'done');
  expect(textOf(damage)).toMatch(/ done, damaged$/m);
  expect(textOf(undefined)).toMatch(/ done$/m);
  expect(measuredText('homogeneous', [view], [{ study, damage }])).toBe('pocket (damaged)');
  expect(measuredText('homogeneous', [view], [{ study, damage: undefined }])).toBe('pocket');
});

test('the bar of a reproduction is the share that its line names', () => {
  const view = { ...sampleExhibitReproduction({ exhibitId: 'homogeneous', done01: 0 }), secondsLeft: 240 };
  const line = (progress: typeof view.progress) => reproductionLine({ ...view, steps: [], progress }, 80);
  expect(line({ share01: 0.4, of: 'time' })).toBe(
    '[########............] 40 % of the time, about 4 min to go',
  );
  expect(line({ share01: 0.1, of: 'steps' })).toContain('[##..................] 10 % of the steps');
});

test('a line of progress is cut between words in a narrow terminal, nowhere in a log, and never says that 0 is left', () => {
  const view = {
    ...sampleExhibitReproduction({ exhibitId: 'homogeneous', done01: 0.5 }),
    progress: { share01: 0.4, of: 'time' as const },
    secondsLeft: 0.2,
  };
  const steps = view.steps.map((step) => ({
    ...step,
    title: 'reader-large + tracer-large, independently',
    state: { kind: 'running' as const, share01: 0.5 },
  }));
  expect(reproductionLine({ ...view, steps: steps.slice(0, 1) }, Number.POSITIVE_INFINITY)).toBe(
    '[########............] 40 % of the time: reader-large + tracer-large, independently',
  );
  expect(reproductionLine({ ...view, steps: steps.slice(0, 1) }, 80)).toBe(
    '[########............] 40 % of the time: reader-large + tracer-large,…',
  );
});

test('a reproduction is removed only with --yes; without it the command says what would go and what stays', async () => {
  const view = { ...sampleExhibitReproduction({ exhibitId: 'homogeneous', done01: 1 }), id: 'r1' };
  const called: string[] = [];
  const call = (async (name: string) => {
    called.push(name);
    return { ok: true, value: name === 'reproduction.list' ? [view] : null };
  }) as Host['call'];
  const host = { call, events: new Emitter<never>() };
  const asked = await typeCommand(host, 'reproductions', 'remove', 'r1');
  expect(asked.err).toContain('mars2 reproductions remove r1 --yes');
  expect(called).toEqual(['reproduction.list']);
  const { code, err } = await typeCommand(host, 'reproductions', 'remove', 'r1', '--yes');
  expect([code, called.at(-1)]).toEqual([0, 'reproduction.remove']);
  expect(err).toContain(`"${view.title}" is removed. Its studies and trainings stay`);
});

test('who follows a reproduction is told how long, and that Ctrl+C pauses it', async () => {
  const running = sampleExhibitReproduction({ exhibitId: 'homogeneous', done01: 0.5 });
  let asked = 0;
  // Once to find it, once to see that it runs, and then it is paused.
  const stateNow = () => ({ kind: asked++ < 2 ? 'running' : 'paused' });
  const call: Host['call'] = async (command) => ({
    ok: true,
    value: command === 'reproduction.list' ? [{ ...running, state: stateNow() }] : null,
  });
  const host = { call, events: new Emitter<never>() };
  const { err } = await typeCommand(host, 'reproductions', 'follow', running.id);
  expect(err).toContain('This shows its progress until it ends; Ctrl+C pauses it.\n');
});

test('before a reproduction starts, what it takes and what one seed leaves open is said', async () => {
  const inputs = { programCost: () => ({ seconds: 0.01, tokens: 40 }), trainingSeconds: () => 25 };
  const { plan } = planOf(builtInExhibit('t-plus-ablation'), 'pocket', { inputs });
  expect(plan.estimate.seconds).toBeGreaterThan(0);
  const asked: string[] = [];
  const call: Host['call'] = async (command) => {
    asked.push(command);
    if (command === 'reproduction.plan') return { ok: true, value: plan };
    return { ok: false, error: { code: 'unavailable', message: 'Nothing is started in a test.' } };
  };
  const { err } = await typeCommand({ call, events: new Emitter() }, 'reproduce', 't-plus-ablation');
  expect(asked).toEqual(['reproduction.plan', 'reproduction.start']);
  const [before = '', after] = err.split('Nothing is started in a test.');
  expect(after).toBeDefined();
  expect(before).toMatch(/^It takes .*(min|s), .* tokens\. It loads \d+ models.*\.$/m);
  expect(before).toMatch(/^5 seeds: all of seed 11 comes first.* To run it alone: --seeds 11\.$/m);
  expect(before).toMatch(/are for rows and lines of ours/);
});

describe('a plan', () => {
  const paper = paperSettingsSchema.parse({ weights: { 'qwen3-8B': '/models/a' } });
  const { plan } = planOf(builtInExhibit('homogeneous'), 'paper', { order: { paper } });
  const text = planText(plan, true);
  const lines = text.split('\n');

  test('says first what it takes, what is missing and what it ignores, then its steps', () => {
    expect(lines[0]).toBe(
      '"homogeneous" at paper scale: 315 steps. How long it takes is not known. It loads 55 models.',
    );
    expect(lines[2]).toBe('Missing, so it cannot start:');
    const steps = lines.findIndex((line) => line.startsWith('step '));
    expect(lines.findIndex((line) => line.startsWith('Not used: '))).toBeGreaterThan(2);
    expect(lines.findLastIndex((line) => line.startsWith('  '))).toBeLessThan(steps);
    expect(lines.findIndex((line) => line.startsWith('Not used: '))).toBeLessThan(steps);
  });

  test('is a page of text unless every step is asked for', () => {
    const short = planText(plan, false).split('\n');
    expect(short.length).toBeLessThan(40);
    expect(lines.length).toBeGreaterThan(60);
    expect(short).toContainEqual(expect.stringMatching(/^kind of step +machine +steps/));
    expect(short).toContainEqual(expect.stringMatching(/^train +- +50 /));
    expect(short).toContainEqual(
      expect.stringMatching(/^5 seeds\. Seed 11 alone takes 10 trainings and 15 searches, .*: --seeds 11\.$/),
    );
    expect(short).toContain('Each training, server and search in a line of its own: add --verbose.');
  });

  test('says once of several models what is missing, and the key in a file of places that settles it', () => {
    const at = paperSettingsSchema.parse({ trainer: 'marti' });
    const marti = planText(
      planOf(builtInExhibit('homogeneous'), 'paper', { order: { paper: at } }).plan,
      false,
    );
    expect(
      marti.match(/No machine can train \S+, .+ and \d+ more: a training takes .+ in one machine\.$/m),
    ).not.toBeNull();
    expect(marti).toContain('("martiCheckout" in a file for --places; docs/reproductions.md).');
    expect(marti.match(/Or name existing checkpoints \("checkpoints"/g)).toHaveLength(1);
  });

  test('names as many steps as the lines of its kinds add up to', () => {
    const kinds = planText(plan, false).matchAll(/^[a-z]+ +- +(\d+)/gm);
    expect([...kinds].reduce((sum, [, steps]) => sum + Number(steps), 0)).toBe(315);
  });

  test('counts the steps that measure and fill, and says once how trainings are made', () => {
    expect(text).not.toMatch(/^(Fill|Measure) /m);
    expect(text).toContain('Then it measures 15 configurations and fills 45 cells and lines');
    expect(lines.filter((line) => /^\d+ trainings?: Our trainer, 300 updates/.test(line))).toEqual([
      expect.stringMatching(/^20 trainings: .* at least 4 GPUs of 80 GiB\.$/),
      expect.stringMatching(/^30 trainings: .* at least 8 GPUs of 80 GiB\.$/),
    ]);
  });
});

test('what a file of places has wrong is said by its key, all of it, with the keys that there are', async () => {
  const path = join(await temporaryFolder(), 'places.json');
  const places = {
    trainingBenchmarks: 'mbpp',
    updates: 'many',
    checkpoints: [{ modelId: 'a', method: 'x' }],
  };
  await writeFile(path, JSON.stringify(places));
  const call: Host['call'] = async () => {
    throw new Error('It was planned all the same');
  };
  const typed = await typeCommand(
    { call, events: new Emitter() },
    ...['reproduce', 'homogeneous', '--scale', 'paper', '--plan', '--places', path],
  );
  expect(typed.code).toBe(2);
  expect(typed.err).toContain(`The file ${path} cannot be used:\n`);
  for (const wrong of ['"updates": ', '"checkpoints[0].method": ', '"checkpoints[0].path": ']) {
    expect(typed.err).toContain(`\n  ${wrong}`);
  }
  expect(typed.err).toContain('has what is not known: "trainingBenchmarks".');
  expect(typed.err).toContain('Its keys are: weights, checkpoints, trainer, trainingBenchmark,');
});

test('--without-controls asks for all cells but those of ours', async () => {
  const exhibit = builtInExhibit('homogeneous');
  const asked: unknown[] = [];
  const call: Host['call'] = async (command, payload) => {
    asked.push(payload);
    if (command === 'exhibit.list') return { ok: true, value: { exhibits: [{ exhibit }], problems: [] } };
    return { ok: false, error: { code: 'unavailable', message: 'Nothing is planned in a test.' } };
  };
  const host = { call, events: new Emitter<never>() };
  const typed = ['reproduce', 'homogeneous', '--plan', '--without-controls'];
  await typeCommand(host, ...typed);
  const papers = exhibit.rows.filter(({ ours }) => ours !== true).map(({ id }) => id);
  const only = exhibit.cells.filter(({ row }) => papers.includes(row)).map(cellKey);
  expect(only).toHaveLength(45);
  expect(asked.at(-1)).toMatchObject({ only });
  expect((await typeCommand(host, ...typed, '--only', only[0] ?? '')).err).toContain('not both');
});

test('the help names every key of a file of places', async () => {
  const call: Host['call'] = async () => {
    throw new Error('Help opens nothing');
  };
  const { out } = await typeCommand({ call, events: new Emitter() }, 'reproduce', '--help');
  for (const key of Object.keys(paperSettingsSchema.shape)) expect(out).toMatch(new RegExp(`\\b${key}\\b`));
});
