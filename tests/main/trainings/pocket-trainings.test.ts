import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TrainingRequest, type TrainingView, trainingRequestSchema } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { openTrainingBench, type TrainingBench } from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

let bench: TrainingBench;
beforeEach(async () => {
  bench = await openTrainingBench();
});
afterEach(() => bench.dispose());

function requestWith(
  change: Record<string, unknown> = {},
  env: Record<string, string> = {},
): TrainingRequest {
  return trainingRequestSchema.parse({
    name: 'Reader and tracer',
    machineId: 'local',
    spec: { kind: 'pocket', method: 'heter-mars2', families: ['reader', 'tracer'], updates: 4, ...change },
    env,
  });
}

async function started(request = requestWith()): Promise<TrainingView> {
  const view = await bench.trainings.start(request);
  if (!view.ok) throw new Error(view.error.message);
  return view.value;
}

test('a training reports its title, its agents and its end', async () => {
  const { id } = await started();
  const done = await bench.ended(id);
  expect(done).toMatchObject({
    title: 'Heter-MARS², reader + tracer',
    agents: [{ id: 'reader' }, { id: 'tracer' }],
    scale: 'pocket',
    state: { kind: 'exited', code: 0 },
    steps: 4,
  });
});

test('the trainer is given what is trained, and what two of one family are called', async () => {
  const { id } = await started(requestWith({ families: ['reader', 'reader'] }));
  const savedSpec = JSON.parse(await readFile(join(bench.trainings.folderOf(id), 'spec.json'), 'utf8'));
  expect(savedSpec.agents).toEqual([
    { id: 'reader', name: 'reader' },
    { id: 'reader-2', name: 'reader-2' },
  ]);
  expect(savedSpec.spec).toMatchObject({ kind: 'pocket', updates: 4, method: 'heter-mars2' });
});

test('curves, checkpoints and the evaluation are there after the end', async () => {
  const { id } = await started();
  await bench.ended(id);
  const curves = await bench.trainings.curves(id, 100);
  const reward = curves.ok
    ? curves.value.find(({ agentId, key }) => agentId === 'tracer' && key === 'reward')
    : null;
  expect(reward?.values).toEqual([0.25, 0.5, 0.75, 1]);
  const checkpoints = await bench.trainings.checkpoints(id);
  expect(checkpoints.ok && checkpoints.value.map((one) => one.id)).toEqual([
    'reader-000004',
    'tracer-000004',
  ]);
  const evaluation = await bench.trainings.evaluation(id);
  expect(evaluation.ok && evaluation.value?.teams).toHaveLength(2);
});

test('before its end a training has no evaluation', async () => {
  const { id } = await started(requestWith({}, { STAND_IN_UPDATE_MS: '60000' }));
  expect(await bench.trainings.evaluation(id)).toEqual({ ok: true, value: null });
});

test('a running one reports its progress by itself', async () => {
  const { id } = await started(requestWith({ updates: 1_000 }, { STAND_IN_UPDATE_MS: '50' }));
  const steps: number[] = [];
  bench.trainings.onChange((view) => steps.push(view.step));
  await eventually('news of the tenth step', () => steps.some((step) => step >= 10));
  // Between two updates it has no stage.
  const view = await bench.until(id, ({ secondsLeft, stage }) => secondsLeft !== null && stage !== null);
  expect(view.secondsLeft).toBeLessThan(1_000);
  expect(view).toMatchObject({ stage: 'rollout', latest: expect.arrayContaining([]) });
});

test('a stopped one keeps its progress and continues from there', async () => {
  const { id } = await started(requestWith({ updates: 250 }, { STAND_IN_UPDATE_MS: '30' }));
  await bench.until(id, ({ step }) => step >= 3);
  const stopped = await bench.trainings.stop(id);
  expect(stopped.ok && stopped.value.state).toMatchObject({ kind: 'exited', code: 75 });
  const resumed = await bench.trainings.resume(id);
  expect(resumed.ok).toBe(true);
  const done = await bench.ended(id);
  expect(done.state).toMatchObject({ kind: 'exited', code: 0 });
  const curves = await bench.trainings.curves(id, 1_000);
  const steps = curves.ok ? curves.value.find(({ agentId }) => agentId === 'reader')?.steps : [];
  expect(steps).toEqual(Array.from({ length: 250 }, (_, at) => at + 1));
});

test('one that is killed starts again by itself; one that is stopped meanwhile does not, until a resume', async () => {
  const { id } = await started(
    requestWith({ updates: 100 }, { STAND_IN_UPDATE_MS: '50', STAND_IN_SAVE_AT: '1' }),
  );
  const { jobId, state } = await bench.until(id, (view) => view.state.kind === 'running' && view.step >= 2);
  expect(jobId).not.toBeNull();
  if (state.kind !== 'running' || state.pid === null) throw new Error('It has no process');
  process.kill(-state.pid, 'SIGKILL');
  await bench.jobs.inspect(jobId ?? '');
  const { state: waiting } = await bench.until(id, (view) => view.state.kind === 'queued');
  expect(waiting).toEqual({ kind: 'queued', why: expect.stringContaining('(retry 1 of 10)') });
  expect((await bench.trainings.stop(id)).ok).toBe(true);
  expect(await bench.ended(id)).toMatchObject({ wasStopped: true });
  expect((await bench.trainings.resume(id)).ok).toBe(true);
  expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 0 });
});

test('one that is done is not resumed', async () => {
  const { id } = await started();
  await bench.ended(id);
  const resumed = await bench.trainings.resume(id);
  expect(resumed.ok ? null : resumed.error.message).toMatch(/is done/);
});

test('a full disk ends it with the code and the words of the trainer', async () => {
  const { id, jobId } = await started(requestWith({}, { STAND_IN_FAIL_AT: '2' }));
  expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 1 });
  const log = await bench.jobs.readLog(jobId ?? '', 'output', 0, 10_000);
  expect(log.ok && log.value.text).toContain('The disk is full (ENOSPC).');
});

test('a restart of the app finds a training that went on, and its last numbers without reading its files', async () => {
  const { id } = await started(requestWith({ updates: 60 }, { STAND_IN_UPDATE_MS: '30' }));
  bench = await bench.restarted();
  const done = await bench.ended(id);
  expect(done).toMatchObject({ state: { kind: 'exited', code: 0 }, name: 'Reader and tracer' });
  const path = join(bench.trainings.folderOf(id), 'training.json');
  await eventually('the note of what was seen last', async () => {
    const record = JSON.parse(await readFile(path, 'utf8'));
    return record.seen?.step === 60;
  });
  await rm(join(bench.trainings.folderOf(id), 'metrics.jsonl'));
  bench = await bench.restarted();
  const [view] = bench.trainings.list();
  expect(view).toMatchObject({ id, step: 60 });
});

test('a launch whose answer was lost is found again by the notes of its job', async () => {
  const { id, jobId } = await started();
  await bench.ended(id);
  const path = join(bench.trainings.folderOf(id), 'training.json');
  const record = JSON.parse(await readFile(path, 'utf8'));
  bench = await bench.restarted(() => writeFile(path, JSON.stringify({ ...record, jobId: null })));
  const view = bench.trainings.view(id);
  expect(view.ok && view.value.state).toMatchObject({ kind: 'exited', code: 0 });
  expect(jobId).not.toBeNull();
});

test('a damaged record is put aside and hides no other', async () => {
  const first = await started();
  const second = await started();
  await bench.ended(first.id);
  await bench.ended(second.id);
  const path = join(bench.trainings.folderOf(first.id), 'training.json');
  const problems: string[] = [];
  bench = await bench.restarted(() => writeFile(path, '{"version": 9'), {
    onError: ({ error }) => problems.push(String(error)),
  });
  expect(problems).toEqual([expect.stringContaining(`"${first.id}" cannot be read`)]);
  expect(bench.trainings.list().map(({ id }) => id)).toEqual([second.id]);
  expect((await stat(`${path}.unread`)).isFile()).toBe(true);
});

test('a removed training is in the trash with its files and its job, and comes back as it was', async () => {
  const { id } = await started();
  const ended = await bench.ended(id);
  expect(await bench.trainings.restore(id)).toMatchObject({
    error: { message: expect.stringContaining('is not in the trash') },
  });
  const removed: string[] = [];
  bench.trainings.onRemoved((gone) => removed.push(gone));
  expect(await bench.trainings.remove(id)).toEqual({ ok: true, value: null });
  expect(removed).toEqual([id]);
  bench = await bench.restarted();
  expect(bench.trainings.list()).toEqual([]);
  for (const refused of [bench.trainings.view(id), await bench.trainings.resume(id)]) {
    expect(refused).toMatchObject({
      error: {
        message: `The training "${ended.name}" was removed: it is in the trash.`,
        hint: `Bring it back under Training > Trash, or with: mars2 trainings restore ${id}`,
      },
    });
  }
  const checkpoint = join(bench.trainings.folderOf(id), 'checkpoints', 'reader-000004.json');
  expect((await stat(checkpoint)).isFile()).toBe(true);
  const [inTrash] = await bench.trainings.inTrash();
  expect(inTrash).toMatchObject({ trainingId: id, name: ended.name });
  expect(inTrash?.bytes).toBeGreaterThan((await stat(checkpoint)).size);
  const restored: string[] = [];
  bench.trainings.onChange((view) => restored.push(view.id));
  expect(await bench.trainings.restore(id)).toEqual({ ok: true, value: null });
  expect(restored).toEqual([id]);
  expect(await bench.trainings.inTrash()).toEqual([]);
  expect(bench.trainings.view(id)).toMatchObject({ value: { state: { kind: 'exited', code: 0 } } });
});

test('what is deleted for good from the trash leaves its checkpoints, unless they are to go', async () => {
  const training = await started();
  const gone = await started();
  for (const { id } of [training, gone]) await bench.ended(id);
  expect(await bench.trainings.deleteForGood(gone.id, { checkpoints: true })).toMatchObject({
    error: { message: expect.stringContaining('is not in the trash') },
  });
  for (const { id } of [training, gone]) await unwrap(bench.trainings.remove(id));
  await unwrap(bench.trainings.deleteForGood(training.id, { checkpoints: false }));
  await unwrap(bench.trainings.deleteForGood(gone.id, { checkpoints: true }));
  expect(bench.trainings.list()).toEqual([]);
  expect(await bench.trainings.inTrash()).toEqual([]);
  const folder = bench.trainings.folderOf(training.id);
  expect((await stat(join(folder, 'checkpoints', 'reader-000004.json'))).isFile()).toBe(true);
  await expect(stat(join(folder, 'metrics.jsonl'))).rejects.toThrow();
  await expect(stat(bench.trainings.folderOf(gone.id))).rejects.toThrow();
  expect(bench.jobs.list()).toEqual([]);
});

test('one that runs stays in the list', async () => {
  const { id } = await started(requestWith({ updates: 1_000 }));
  const removed = await bench.trainings.remove(id);
  expect(removed.ok ? null : removed.error).toMatchObject({ code: 'conflict', hint: 'Stop it first.' });
  expect(bench.trainings.list()).toHaveLength(1);
});

test('an experiment finds its own', async () => {
  const view = await bench.trainings.start(requestWith(), { experimentId: 'five' });
  expect(view.ok && view.value.experimentId).toBe('five');
});

test('a plan shows the command, and from the second training on how long it takes', async () => {
  const first = await bench.trainings.plan(requestWith(), true);
  if (!first.ok) throw new Error(first.error.message);
  expect(first.value).toMatchObject({ gpus: 0, problems: [], checks: [], estimateSeconds: null });
  expect(first.value.commandLine).toMatch(/pocket-trainer-stand-in\.mjs --spec /);
  const { id } = await started();
  await bench.ended(id);
  const second = await bench.trainings.plan(requestWith(), false);
  expect(second.ok && second.value.estimateSeconds).not.toBeNull();
  expect(bench.trainings.list()).toHaveLength(1);
});

test.each([
  [{ families: ['nobody'] }, /no pocket family "nobody"/],
  [{ families: ['reader'] }, /two or more/],
])('%j is refused, and nothing is kept', async (change, message) => {
  const refused = await bench.trainings.start(requestWith(change));
  expect(refused.ok ? '' : refused.error.message).toMatch(message);
  expect(bench.trainings.list()).toEqual([]);
});

test('the GPUs of its job are on the axis of its curves, and in an export of them', async () => {
  const tools = await toolBench();
  await nvidiaStandIn(tools, [healthyCard(0), healthyCard(1, { 'utilization.gpu': '97' })]);
  const path = `${tools.tools}:${process.env.PATH}`;
  const { id } = await started(
    requestWith(
      { updates: 1_000 },
      { PATH: path, CUDA_VISIBLE_DEVICES: '1', MARS2_GPU_PAUSE: '0.05', STAND_IN_UPDATE_MS: '50' },
    ),
  );
  // Its first update an hour ago, its last in an hour: whatever is sampled now lies between.
  const hour = 3_600_000;
  const now = Date.now();
  const times = [now - hour, now + hour].map((at, of) => ({ agent: 'reader', step: 1 + of * 999, at }));
  await writeFile(
    join(bench.trainings.folderOf(id), 'times.jsonl'),
    times.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const { fromMs, gpus } = await eventually('a sample with a step', async () => {
    const read = await bench.trainings.gpus(id, 100);
    return read.ok && read.value.gpus[0]?.steps !== undefined ? read.value : null;
  });
  expect(fromMs).toBe(now - hour);
  expect(gpus.map(({ gpu, use }) => [gpu, use[0]])).toEqual([[1, 97]]);
  expect(Math.round((gpus[0]?.steps?.[0] ?? 0) / 10)).toBe(50);
  const exported = await bench.trainings.exportCurves(id, 'wandb', await temporaryFolder());
  const bytes = exported.ok ? await readFile(exported.value.files[0] ?? '', 'latin1') : '';
  expect(bytes).toContain('gpu/1/use_percent');
  await bench.trainings.stop(id);
});
