import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExperimentService, type ExperimentService } from '../../../../main/plans';
import type { ReconcileProblem } from '../../../../main/reconcile';
import {
  type ExperimentRequest,
  type ExperimentView,
  experimentResultSchema,
  experimentViewSchema,
  modelTrainingSchema,
  trainingRequestSchema,
} from '../../../../preload/contract';
import { COMPLEMENT_SENTENCE } from '../../../../preload/contract/plans';
import { eventually } from '../../../support/eventually';
import { temporaryFolder } from '../../../support/temporary-folder';
import { TrainingsStandIn } from '../../../support/trainings-stand-in';
import { unwrap } from '../../../support/unwrap';

const ORDER: ExperimentRequest = {
  name: 'Two methods',
  rows: [
    { label: 'Base', method: 'base', families: ['reader', 'tracer'], change: {} },
    { label: 'Half', method: 'heter-mars2', families: ['reader', 'tracer'], change: { updates: 5 } },
  ],
  seeds: [1, 2],
  training: { updates: 10, batch: 8 },
};

type Bench = {
  readonly trainings: TrainingsStandIn;
  readonly folder: string;
  readonly problems: ReconcileProblem[];
  /** Experiments whose held-out problems were asked for. */
  readonly asked: string[];
  /** `killed`: it is never let go of in good order. */
  readonly open: (killed?: boolean) => Promise<ExperimentService>;
};

async function bench(slots = 2): Promise<Bench> {
  const trainings = new TrainingsStandIn();
  const folder = join(await temporaryFolder(), 'experiments');
  const problems: ReconcileProblem[] = [];
  const asked: string[] = [];
  let made = 0;
  return {
    trainings,
    folder,
    problems,
    asked,
    open: async (killed = false) => {
      const service = await createExperimentService({
        trainings,
        heldOutProblems: async ({ name }) => {
          asked.push(name);
          const known = { difficulty: 'easy', date: null, platform: null, benchmarkId: 'made-up' } as const;
          return [{ id: 'problem-0', title: 'The first', ...known }];
        },
        folder,
        clock: { now: () => trainings.nowMs },
        newId: () => `experiment-${++made}`,
        slots,
        onError: (problem) => problems.push(problem),
      });
      if (!killed) onTestFinished(() => service.dispose());
      return service;
    },
  };
}

async function started(service: ExperimentService, request = ORDER): Promise<string> {
  const view = await service.start(request);
  if (!view.ok) throw new Error(view.error.message);
  return view.value.id;
}

function viewIn(service: ExperimentService, id: string): ExperimentView {
  const view = service.list().find((one) => one.id === id);
  if (view === undefined) throw new Error('It is not listed');
  return view;
}

const namesGoing = ({ trainings }: Bench): string[] => trainings.going().map(({ name }) => name);
const going = (at: Bench, names: readonly string[]) =>
  eventually(
    `${names.join(' and ')}, not ${namesGoing(at).join(' and ')}`,
    () => JSON.stringify(namesGoing(at)) === JSON.stringify(names.map((name) => `Two methods: ${name}`)),
  );

/** All of it, one training after the other. */
async function runThrough(at: Bench, service: ExperimentService, id: string): Promise<void> {
  await eventually('the end of the experiment', () => {
    for (const training of at.trainings.going()) at.trainings.end(training.id, 0);
    return viewIn(service, id).state.kind === 'done';
  });
}

describe('an experiment', () => {
  it('keeps as many trainings going as there are slots, seed by seed, and is done when all are', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    at.trainings.nowMs += 4_000;
    at.trainings.endNamed('Half, seed 1', 0);
    await going(at, ['Base, seed 1', 'Base, seed 2']);
    expect(viewIn(service, id)).toMatchObject({ done: 1, total: 4, state: { kind: 'running' } });
    await runThrough(at, service, id);
    expect(await service.resume(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const view = viewIn(service, id);
    expect(experimentViewSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject({ done: 4, secondsLeft: null, endedAt: '2026-01-01T00:00:04.000Z' });
    expect(at.trainings.started).toHaveLength(4);
  });

  it('orders what row and seed say, and what all have in common', async () => {
    const at = await bench();
    await started(await at.open());
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    const specs = at.trainings.list().map(({ spec }) => spec);
    expect(specs[0]).toMatchObject({ method: 'base', updates: 10, batch: 8, seed: 1, rate: 0.03 });
    expect(specs[1]).toMatchObject({ method: 'heter-mars2', updates: 5, batch: 8, seed: 1 });
  });

  it('continues after a restart with what runs, and starts nothing twice', async () => {
    const at = await bench();
    const first = await at.open();
    const id = await started(first);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    await first.dispose();
    at.trainings.endNamed('Base, seed 1', 0);
    const second = await at.open();
    await going(at, ['Half, seed 1', 'Base, seed 2']);
    await runThrough(at, second, id);
    expect(at.trainings.started).toHaveLength(4);
    expect(at.trainings.resumed).toEqual([]);
  });

  it('finds a training again whose start was cut off before it was noted', async () => {
    const at = await bench(1);
    const first = await at.open(true);
    at.trainings.beforeAnswer = () => new Promise(() => undefined);
    const id = await started(first);
    await eventually('the start', () => at.trainings.started.length === 1);
    at.trainings.beforeAnswer = async () => undefined;
    const second = await at.open();
    await eventually('the training to be known', () => viewIn(second, id).trainings[0]?.trainingId ?? null);
    await runThrough(at, second, id);
    expect(new Set(at.trainings.started).size).toBe(at.trainings.started.length);
  });

  it('a training that fails leaves the others alone; a resume tries it again', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    at.trainings.endNamed('Base, seed 1', 1);
    await eventually('the end', () => {
      for (const training of at.trainings.going()) at.trainings.end(training.id, 0);
      return viewIn(service, id).state.kind === 'failed';
    });
    expect(viewIn(service, id)).toMatchObject({
      done: 3,
      state: { message: 'Base, seed 1: Its job ended with code 1. See its log for the reason.' },
    });
    expect((await service.resume(id)).ok).toBe(true);
    await going(at, ['Base, seed 1']);
    at.trainings.endNamed('Base, seed 1', 0);
    await eventually('the end', () => viewIn(service, id).state.kind === 'done');
    expect(at.trainings.started).toHaveLength(4);
    expect(at.trainings.resumed).toEqual(['Two methods: Base, seed 1']);
  });

  it('a pause stops what runs and starts nothing; a resume continues from there, also after a restart', async () => {
    const at = await bench();
    const first = await at.open();
    const id = await started(first);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    expect(await first.pause(id)).toMatchObject({ ok: true, value: { state: { kind: 'paused' } } });
    expect(at.trainings.going()).toEqual([]);
    await first.dispose();
    at.trainings.nowMs += 1_000;
    const second = await at.open();
    expect(viewIn(second, id).state).toEqual({ kind: 'paused' });
    expect(at.trainings.started).toHaveLength(2);
    await second.resume(id);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    expect(at.trainings.resumed).toHaveLength(2);
  });

  it('resumes what stopped while the app was closed, and not what its job gave up', async () => {
    const at = await bench(1);
    const first = await at.open();
    const id = await started(first, { ...ORDER, seeds: [1] });
    await going(at, ['Base, seed 1']);
    await first.dispose();
    at.trainings.endNamed('Base, seed 1', 75);
    at.trainings.nowMs += 1_000;
    const second = await at.open();
    await going(at, ['Base, seed 1']);
    expect(at.trainings.resumed).toHaveLength(1);
    // Its job has started it again as often as it may.
    at.trainings.endNamed('Base, seed 1', 137);
    await going(at, ['Half, seed 1']);
    at.trainings.endNamed('Half, seed 1', 0);
    await eventually('the end', () => viewIn(second, id).state.kind === 'failed');
    expect(viewIn(second, id).state).toMatchObject({
      message: expect.stringContaining('Its job ended with code 137.'),
    });
  });

  it('does not resume a training that a person stopped', async () => {
    const at = await bench(1);
    const service = await at.open();
    const id = await started(service, { ...ORDER, seeds: [1] });
    await going(at, ['Base, seed 1']);
    at.trainings.endNamed('Base, seed 1', 75);
    await going(at, ['Half, seed 1']);
    at.trainings.endNamed('Half, seed 1', 0);
    await eventually('the end', () => viewIn(service, id).state.kind === 'failed');
    expect(viewIn(service, id).state).toMatchObject({ message: expect.stringContaining('stopped by hand') });
  });

  it('restarts a training that was removed before it was done, and keeps what was done', async () => {
    const at = await bench(1);
    const service = await at.open();
    const id = await started(service, { ...ORDER, seeds: [1] });
    await going(at, ['Base, seed 1']);
    at.trainings.endNamed('Base, seed 1', 0);
    await going(at, ['Half, seed 1']);
    for (const training of at.trainings.list()) {
      if (training.state.kind === 'running') at.trainings.end(training.id, 1);
      await at.trainings.erase(training.id, { checkpoints: true });
    }
    await eventually('the second start', () => at.trainings.started.length === 3);
    await runThrough(at, service, id);
    expect((await service.result(id)).ok && viewIn(service, id).done).toBe(2);
    const result = await service.result(id);
    expect(result.ok && result.value.complete).toBe(true);
  });

  it('is removed with its trainings, and stays so', async () => {
    const at = await bench();
    const first = await at.open();
    const removed: string[] = [];
    first.onRemoved((id) => removed.push(id));
    const id = await started(first);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    expect(await first.remove(id)).toEqual({ ok: true, value: null });
    expect(at.trainings.list()).toEqual([]);
    expect(first.list()).toEqual([]);
    expect(removed).toEqual([id]);
    expect(await readdir(at.folder)).toEqual([]);
    await first.dispose();
    expect((await at.open()).list()).toEqual([]);
  });

  it('serves experiments in turn, and no more trainings at once than there are slots', async () => {
    const at = await bench(1);
    const service = await at.open();
    await started(service, { ...ORDER, seeds: [1] });
    const second = await started(service, { ...ORDER, name: 'Later', seeds: [1] });
    await eventually('a training', () => at.trainings.going().length === 1);
    let most = 0;
    await eventually('the end of both', () => {
      most = Math.max(most, at.trainings.going().length);
      for (const training of at.trainings.going()) at.trainings.end(training.id, 0);
      return viewIn(service, second).state.kind === 'done';
    });
    expect(most).toBe(1);
    expect(at.trainings.started).toEqual([
      'Two methods: Base, seed 1',
      'Two methods: Half, seed 1',
      'Later: Base, seed 1',
      'Later: Half, seed 1',
    ]);
  });

  it('estimates from what is done and from what trainings say of themselves', async () => {
    const at = await bench(1);
    const service = await at.open();
    const id = await started(service);
    await going(at, ['Base, seed 1']);
    await eventually('it to be noted', () => viewIn(service, id).trainings[0]?.trainingId ?? null);
    expect(viewIn(service, id).secondsLeft).toBeNull();
    at.trainings.nowMs += 10_000;
    at.trainings.progress(at.trainings.going()[0]?.id ?? '', 30);
    // 30 s of this one, and three more of 40 s.
    expect(viewIn(service, id).secondsLeft).toBe(30 + 3 * 40);
    at.trainings.endNamed('Base, seed 1', 0);
    await going(at, ['Half, seed 1']);
    await eventually('it to be noted', () => viewIn(service, id).trainings[1]?.trainingId ?? null);
    at.trainings.nowMs += 2_000;
    // It took 10 s, which is all that is known of the others.
    expect(viewIn(service, id).secondsLeft).toBe(8 + 2 * 10);
  });

  it('emits a change once', async () => {
    const at = await bench();
    const service = await at.open();
    const emitted: ExperimentView[] = [];
    service.onChange((view) => emitted.push(view));
    const id = await started(service);
    await runThrough(at, service, id);
    await eventually('the last word', () => emitted.at(-1)?.state.kind === 'done');
    expect(new Set(emitted.map((view) => JSON.stringify(view))).size).toBe(emitted.length);
  });

  it('a damaged record is put aside and hides no other', async () => {
    const at = await bench();
    const first = await at.open();
    const id = await started(first);
    const other = await started(first, { ...ORDER, name: 'Other' });
    await first.dispose();
    await writeFile(join(at.folder, id, 'experiment.json'), '{"version": 1, "id"');
    const second = await at.open();
    expect(second.list().map((view) => view.id)).toEqual([other]);
    expect(await readFile(join(at.folder, id, 'experiment.json.unread'), 'utf8')).toContain('"version"');
    expect(at.problems).toMatchObject([{ name: 'experiments', key: id, error: expect.any(Error) }]);
  });

  it('what cannot be saved is reported, and is saved by itself once it can be', async () => {
    const at = await bench(1);
    const service = await at.open();
    const id = await started(service, { ...ORDER, seeds: [1] });
    await going(at, ['Base, seed 1']);
    await eventually('it to be noted', () => viewIn(service, id).trainings[0]?.trainingId ?? null);
    // Where the outcomes are to be written is a file.
    await writeFile(join(at.folder, id, 'outcomes'), '');
    at.trainings.endNamed('Base, seed 1', 0);
    await going(at, ['Half, seed 1']);
    const record = join(at.folder, id, 'experiment.json');
    const text = await readFile(record, 'utf8');
    await rm(join(at.folder, id), { recursive: true });
    await writeFile(join(at.folder, id), 'in the way');
    at.trainings.endNamed('Half, seed 1', 0);
    await eventually('the problem', () => at.problems.length > 0);
    expect(at.problems[0]).toMatchObject({ name: 'experiments', key: id });
    await rm(join(at.folder, id));
    await mkdir(join(at.folder, id));
    await writeFile(record, text);
    await eventually('the end', () => viewIn(service, id).state.kind === 'failed');
    expect(viewIn(service, id)).toMatchObject({ done: 1 });
  });
});

describe('an order of an experiment', () => {
  it.each([
    [{ rows: [ORDER.rows[0], ORDER.rows[0]] }, 'Two rows are called "Base"'],
    [{ seeds: [3, 3] }, 'The seed 3 is there twice'],
    [{ rows: [{ ...ORDER.rows[1], families: ['reader'] }] }, 'too few families: Heter-MARS² needs 2'],
  ])('%j is refused', async (change, message) => {
    const at = await bench();
    const refused = await (await at.open()).start({ ...ORDER, ...change } as ExperimentRequest);
    expect(refused).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect(JSON.stringify(refused)).toContain(JSON.stringify(message).slice(1, -1));
  });

  it('is refused where a training of it would be', async () => {
    const at = await bench();
    at.trainings.planProblems = ['There is no pocket family "poet".'];
    const refused = await (await at.open()).start(ORDER);
    expect(refused).toMatchObject({
      ok: false,
      error: { message: 'The row "Base": There is no pocket family "poet".' },
    });
    expect(at.trainings.started).toEqual([]);
  });
});

describe('what comes out of an experiment', () => {
  it('is its result, and CSV files that say pocket in every row', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service, { ...ORDER, name: '=Two' });
    expect(await service.result(id)).toMatchObject({ ok: true, value: { complete: false, cells: [] } });
    await runThrough(at, service, id);
    const result = await service.result(id);
    if (!result.ok) throw new Error(result.error.message);
    expect(experimentResultSchema.parse(result.value)).toEqual(result.value);
    expect(result.value.complete).toBe(true);
    expect(result.value.cells.find(({ metric }) => metric === 'zero-advantage')?.value).toBe(0.5);
    const cells = await service.exportCsv(id, 'cells');
    const pairs = await service.exportCsv(id, 'pairs');
    if (!cells.ok || !pairs.ok) throw new Error('No CSV');
    const [header, ...rows] = cells.value.text.trimEnd().split('\n');
    expect(header).toBe(
      'experiment,label,method,families,metric,part,agent,value,low,high,seeds,problems,updates_per_agent,samples_per_agent,samples_total,scale,complete,seed_sd,seed_min,seed_max,benchmark,nodes_per_tree,seed_numbers,about_table',
    );
    expect(rows).toHaveLength(result.value.cells.length);
    for (const [at, line] of rows.entries()) {
      expect(line).toMatch(
        /^'=Two,.*,pocket,yes,[\d.]*,[\d.]*,[\d.]*,the pocket test split \(problem seed 5\),60,1 2,/,
      );
      expect(line.includes(COMPLEMENT_SENTENCE)).toBe(at === 0);
    }
    // In full: reads back as the same number.
    expect(rows.map((line) => Number(line.split(',')[7]))).toEqual(
      result.value.cells.map(({ value }) => value),
    );
    const [pairsHeader, firstPair] = pairs.value.text.split('\n');
    expect(pairsHeader).toBe(
      'experiment,metric,part,first,second,difference,low,high,p_problems,p_seeds,p_holm,scale,complete,seeds,problems,odds_ratio,odds_ratio_low,odds_ratio_high,seed_sd,significant,seed_numbers,about_table',
    );
    expect(firstPair).toContain(',Half,Base,');
    expect(firstPair).toContain(`,1 2,"${COMPLEMENT_SENTENCE}`);
    expect(pairs.value.rows).toBe(result.value.pairs.length);
  });

  it.each([
    [
      'one changed digit',
      (text: string) => text.replace(/"count":(\d)/, (_, digit) => `"count":${(Number(digit) + 1) % 10}`),
      'its content does not match its checksum',
    ],
    ['half of its file', (text: string) => text.slice(0, text.length / 2), 'it is not JSON'],
    ['no file', () => null, 'it is missing'],
  ])('of a training with %s nothing is exported, and its result says which one', async (_, damaged, why) => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await runThrough(at, service, id);
    const whole = await service.result(id);
    const path = join(service.folderOf(id), 'outcomes', '1.json');
    const text = await readFile(path, 'utf8');
    const changed = damaged(text);
    expect(changed).not.toBe(text);
    if (changed === null) await rm(path);
    else await writeFile(path, changed);
    const result = await service.result(id);
    if (!result.ok) throw new Error(result.error.message);
    const named = `Half, seed 1 (${path}: ${why})`;
    expect(result.value.sentences[0]).toContain(named);
    expect(result.value.complete).toBe(false);
    expect(await service.exportCsv(id, 'cells')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(path) },
    });
    const files = await service.outcomeFiles(id);
    expect(files.map(({ damage }) => damage)).toEqual([null, why, null, null]);
    // Restored, it counts again.
    await writeFile(path, text);
    expect(await service.result(id)).toEqual(whole);
  });

  it('has for exports what its trainings took, and the parts of problems of which something is known', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await going(at, ['Base, seed 1', 'Half, seed 1']);
    // Nothing is done: nobody is asked for problems.
    expect(await unwrap(service.details(id))).toMatchObject({ costs: [], breakdowns: [] });
    expect(at.asked).toEqual([]);
    at.trainings.nowMs += 4_000;
    at.trainings.endNamed('Half, seed 1', 0);
    await going(at, ['Base, seed 1', 'Base, seed 2']);
    const details = await unwrap(service.details(id));
    expect(details.costs).toMatchObject([{ label: 'Half', seeds: [1], seconds: 4, samples: 5 * 8 * 2 }]);
    expect(details.costs[0]?.seedSpreads).toBeUndefined();
    expect(new Set(details.breakdowns.map(({ within }) => within.part))).toEqual(new Set(['easy']));
    expect(details.solves.problems[0]).toMatchObject({ problemId: 'problem-0', title: 'The first' });
    expect(details.settings.map(({ path }) => path)).toEqual(['method', 'updates']);
    expect(at.asked).toEqual(['Two methods']);
  });

  it('is read from files without a checksum, as earlier versions wrote them', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await runThrough(at, service, id);
    const whole = await service.result(id);
    const path = join(service.folderOf(id), 'outcomes', '0.json');
    const { sha256, ...content } = JSON.parse(await readFile(path, 'utf8'));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    await writeFile(path, JSON.stringify(content));
    expect(await (await at.open(true)).result(id)).toEqual(whole);
    expect((await service.exportCsv(id, 'cells')).ok).toBe(true);
  });

  it('a training without an evaluation counts as failed', async () => {
    const at = await bench();
    at.trainings.withEvaluation = false;
    const service = await at.open();
    const id = await started(service, { ...ORDER, seeds: [1] });
    await eventually('the end', () => {
      for (const training of at.trainings.going()) at.trainings.end(training.id, 0);
      return viewIn(service, id).state.kind === 'failed';
    });
    expect(viewIn(service, id).state).toMatchObject({
      message: expect.stringContaining('without an evaluation'),
    });
  });

  it('names a training whose evaluation is damaged, and its file, among the first sentences of its result', async () => {
    const at = await bench();
    const message = 'The evaluation of "Base" is damaged (/t/evaluation.json: its checksum).';
    const { evaluation } = at.trainings;
    at.trainings.evaluation = async (id) =>
      at.trainings.views.get(id)?.name.endsWith('Base, seed 1')
        ? { ok: false, error: { code: 'bad-input', message } }
        : evaluation(id);
    const service = await at.open();
    const id = await started(service, { ...ORDER, seeds: [1] });
    await eventually('the end', () => {
      for (const training of at.trainings.going()) at.trainings.end(training.id, 0);
      return viewIn(service, id).state.kind === 'failed';
    });
    expect(viewIn(service, id).state).toMatchObject({ message: `Base, seed 1: ${message}` });
    const { cells, chips, sentences } = await unwrap(service.result(id));
    expect(sentences[0]).toBe(`Trainings that failed do not count: Base, seed 1: ${message}`);
    expect(chips).toHaveLength(sentences.length);
    expect(new Set(cells.map(({ label }) => label))).toEqual(new Set(['Half']));
  });

  it('of another lab is listed read-only with its results, and keeps its curves without its trainings', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service);
    await runThrough(at, service, id);
    const outcome = JSON.parse(await readFile(join(service.folderOf(id), 'outcomes', '0.json'), 'utf8'));
    expect(outcome.curves).toBeInstanceOf(Array);
    const from = join(await temporaryFolder(), 'unpacked');
    await cp(service.folderOf(id), from, { recursive: true });
    const other = await (await bench()).open();
    expect(await other.adopt('another', from, 'x')).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(await other.adopt(id, from, 'their bundle')).toEqual({ ok: true, value: null });
    expect(viewIn(other, id)).toMatchObject({ fromBundle: 'their bundle', done: 4, state: { kind: 'done' } });
    expect(await other.result(id)).toEqual(await service.result(id));
    expect(await other.lines(id)).toEqual(await service.lines(id));
    expect(await other.resume(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await other.remove(id)).toMatchObject({ ok: true });
  });
});

describe('an experiment with language models', () => {
  const withModels = (gpus: number): ExperimentRequest => ({
    name: 'Two methods',
    rows: [
      { label: 'Plain', method: 'rs2', families: ['b'], change: {} },
      { label: 'Slow', method: 'heter-mars2', families: ['a', 'b'], change: { rate: 1e-6, lora: null } },
    ],
    seeds: [1, 2],
    training: {},
    models: trainingRequestSchema
      .omit({ name: true })
      .extend({ spec: modelTrainingSchema })
      .parse({
        machineId: 'cluster',
        resources: { gpus },
        spec: {
          kind: 'model',
          method: 'grpo',
          agents: [
            { id: 'a', model: '/models/a' },
            { id: 'b', model: '/models/b' },
          ],
          problems: { benchmarkId: 'mbpp' },
        },
      }),
  });

  it('starts all that have GPUs together, each as its row says, and compares them', async () => {
    const at = await bench();
    const service = await at.open();
    const id = await started(service, withModels(2));
    await going(at, ['Plain, seed 1', 'Slow, seed 1', 'Plain, seed 2', 'Slow, seed 2']);
    const [plain, slow] = at.trainings.list();
    expect(plain).toMatchObject({
      machineId: 'cluster',
      spec: { method: 'rs2', agents: [{ id: 'b' }], seed: 1 },
    });
    expect(slow?.spec).toMatchObject({ agents: [{ id: 'a' }, { id: 'b' }], rate: 1e-6, lora: null });
    await runThrough(at, service, id);
    const result = await service.result(id);
    if (!result.ok) throw new Error(result.error.message);
    expect(result.value.cells.find(({ label, part }) => label === 'Slow' && part === 'team')).toMatchObject({
      seeds: 2,
    });
    expect(result.value.sentences.join(' ')).not.toMatch(/[Pp]ocket/);
    const csv = await service.exportCsv(id, 'cells');
    expect(csv.ok && csv.value.text).toContain(',own,');
  });

  it('trains those without GPUs a few at a time', async () => {
    const at = await bench();
    const service = await at.open();
    await started(service, withModels(0));
    await going(at, ['Plain, seed 1', 'Slow, seed 1']);
    at.trainings.endNamed('Plain, seed 1', 0);
    await going(at, ['Slow, seed 1', 'Plain, seed 2']);
  });

  it('refuses rows that its training has no agents for, and more trainings than anyone means', async () => {
    const at = await bench();
    const service = await at.open();
    const request = withModels(2);
    const [row] = request.rows as [ExperimentRequest['rows'][number]];
    const refusal = async (part: Partial<ExperimentRequest>): Promise<string> => {
      const answer = await service.start({ ...request, ...part });
      return answer.ok ? '' : answer.error.message;
    };
    expect(await refusal({ rows: [{ ...row, families: ['c'] }] })).toContain('The training has: a, b.');
    expect(await refusal({ rows: [{ ...row, change: { problems: 5 } }] })).toContain('from a benchmark');
    expect(await refusal({ training: { updates: 3 } })).toContain('are in their training');
    expect(await refusal({ seeds: Array.from({ length: 101 }, (_, seed) => seed) })).toContain(
      '202 trainings',
    );
    expect(
      await refusal({ models: undefined, rows: [{ ...row, families: ['reader'], change: { lora: null } }] }),
    ).toContain('adapters');
  });
});
