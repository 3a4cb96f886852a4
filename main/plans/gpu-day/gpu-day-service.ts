import { rm } from 'node:fs/promises';
import { z } from 'zod';
import {
  type GpuDay,
  type GpuDayRequest,
  type GpuDayStep,
  gpuDayRequestSchema,
  gpuDaySchema,
  type Provenance,
  type Refusal,
} from '../../../preload/contract/index';
import { canonicalJson, counted, failed, ok, parsedJson, type Result } from '../../base/index';
import { type MachineFleet, type MachineMonitor, preparedLearner } from '../../machines/index';
import { readJson, writeJson } from '../../storage/index';
import { gpuDayPath, modelShapeOn, readGpuDay } from '../../trainings/index';
import { deviceOf, GPU_DAY_MINUTES, modelName, withoutFolders } from '../logic/gpu-day/results';
import { type GpuDayContext, trainingSteps } from '../logic/gpu-day/training-steps';
import { runTeams, type TeamDeps } from './run-teams';
import { runTraining, type StepOutcome, type TrainingDeps } from './run-training';

/** `done` of `total` steps. */
export type ReportStep = (progress: { activity: string; done: number; total: number; unit: 'steps' }) => void;

export type GpuDayDeps = TrainingDeps &
  TeamDeps & {
    readonly machines: Pick<MachineFleet, 'get'>;
    readonly monitor: Pick<MachineMonitor, 'probe'>;
    readonly provenanceOf: (jobId: string) => Promise<Result<Provenance | null, Refusal>>;
    readonly dataDir: string;
    readonly resourcesDir: string;
    readonly appVersion: string;
  };

export type GpuDays = {
  /**
   * Trains by each way of publishing, then searches by three teams. A step that fails ends nothing else. Cut off (a
   * signal, a crash), the next call with the same order continues behind the steps that are done.
   */
  readonly run: (
    request: GpuDayRequest,
    signal: AbortSignal,
    report: ReportStep,
  ) => Promise<Result<GpuDay, Refusal>>;
  /** Of the last one that was run or taken; null: none. */
  readonly results: (machineId: string) => Promise<Result<GpuDay | null, Refusal>>;
  /** Keeps the results of another lab's machine of this kind. */
  readonly take: (machineId: string, text: string) => Promise<Result<GpuDay, Refusal>>;
};

/** A day that was cut off: its next call needs the order, and the name of its trainings. */
const openDaySchema = z.object({ order: gpuDayRequestSchema, name: z.string(), day: gpuDaySchema });
type OpenDay = z.infer<typeof openDaySchema>;

export function createGpuDays(deps: GpuDayDeps): GpuDays {
  const { machines, dataDir, clock } = deps;
  const pathOf = (machineId: string): string => gpuDayPath(dataDir, machineId);
  const openPathOf = (machineId: string): string => gpuDayPath(dataDir, `${machineId}.open`);

  const results: GpuDays['results'] = async (machineId) => {
    const machine = machines.get(machineId);
    if (!machine.ok) return machine;
    const read = await readGpuDay(dataDir, machineId);
    if (read.kind === 'read') return ok(read.value);
    if (read.kind === 'missing') return ok(null);
    return failed(damaged(`The results of the GPU day of ${machineId} cannot be read: ${read.why}.`));
  };

  /** The one that was cut off, where its order is the same. */
  const openDay = async (request: GpuDayRequest): Promise<OpenDay | null> => {
    const read = await readJson(openPathOf(request.machineId), openDaySchema);
    return read.kind === 'read' && canonicalJson(read.value.order) === canonicalJson(request)
      ? read.value
      : null;
  };

  return {
    results,
    take: async (machineId, text) => {
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const parsed = gpuDaySchema.safeParse(parsedJson(text));
      if (!parsed.success) return failed(damaged('This file holds no results of a GPU day.'));
      if (!parsed.data.steps.some(({ id, state }) => id !== 'teams' && state === 'done')) {
        return failed(damaged('No training of this GPU day succeeded, so there is nothing to take.'));
      }
      await writeJson(pathOf(machineId), parsed.data, 2);
      return ok(parsed.data);
    },
    run: async (request, signal, report) => {
      const prepared = await prepare(request, deps);
      if (!prepared.ok) return prepared;
      const { context, memoryMib, model } = prepared.value;
      const began = await openDay(request);
      const startedAt = began?.day.startedAt ?? new Date(clock.now()).toISOString();
      const name = began?.name ?? `GPU day ${startedAt.slice(0, 16)}`;
      const day = (steps: readonly GpuDayStep[], origins: readonly Provenance[]): GpuDay => ({
        format: 'mars2-gpu-day',
        version: 1,
        workbench: deps.appVersion,
        startedAt,
        endedAt: new Date(clock.now()).toISOString(),
        ...(origins.length === 0 && began !== null
          ? { device: began.day.device, packages: began.day.packages }
          : deviceOf(origins, context.gpus === 0 ? [] : memoryMib)),
        model,
        settings: {
          dtype: context.gpus === 0 ? 'float32' : 'bfloat16',
          ...{ batch: request.batch, maxTokens: request.maxTokens, benchmark: request.benchmarkId },
          problems: request.problems,
        },
        steps: [...steps],
      });
      const done = (began?.day.steps ?? []).filter(({ state }) => state === 'done');
      const ran = await runSteps({ ...context, name }, done, { deps, signal, report }, (steps, origins) =>
        writeJson(
          openPathOf(request.machineId),
          { order: request, name, day: day(steps, origins) } satisfies OpenDay,
          2,
        ),
      );
      if (signal.aborted) {
        return failed({
          code: 'cancelled',
          message: `The GPU day was stopped after ${counted(ran.steps.length, 'step')} of ${ran.total}.`,
          hint: 'The same command goes on: steps that are done stay, and the training that was stopped is resumed.',
        });
      }
      const finished = day(ran.steps, ran.origins);
      await writeJson(pathOf(request.machineId), finished, 2);
      await rm(openPathOf(request.machineId), { force: true });
      return ok(finished);
    },
  };
}

type Ran = {
  readonly steps: readonly GpuDayStep[];
  readonly origins: readonly Provenance[];
  /** Steps of the whole day. */
  readonly total: number;
};

async function runSteps(
  context: GpuDayContext,
  done: readonly GpuDayStep[],
  run: { readonly deps: GpuDayDeps; readonly signal: AbortSignal; readonly report: ReportStep },
  save: (steps: readonly GpuDayStep[], origins: readonly Provenance[]) => Promise<void>,
): Promise<Ran> {
  const { deps, signal, report } = run;
  const planned = trainingSteps(context);
  const total = planned.length + 1;
  const steps: GpuDayStep[] = [];
  const origins: Provenance[] = [];
  const until = deps.clock.now() + GPU_DAY_MINUTES * 60_000;
  let adapter: string | null = null;

  const take = async (
    { id, title }: Pick<GpuDayStep, 'id' | 'title'>,
    work: (activity: (text: string) => void) => Promise<StepOutcome>,
  ): Promise<void> => {
    if (signal.aborted) return;
    const began = deps.clock.now();
    const isLate = began > until;
    const failures = steps.filter(({ state }) => state === 'failed').length;
    const sofar = failures === 0 ? '' : ` (${failures} failed so far)`;
    const reportText = (text: string) =>
      report({ activity: `${text}${sofar}`, done: steps.length, total, unit: 'steps' });
    reportText(title);
    const outcome: StepOutcome = isLate
      ? { state: 'left-out', why: `The ${GPU_DAY_MINUTES} minutes were over.`, values: {}, jobIds: [] }
      : await work((text) => reportText(`${title}: ${text}`));
    if (signal.aborted) return;
    for (const jobId of outcome.jobIds) {
      const origin = await deps.provenanceOf(jobId);
      if (origin.ok && origin.value !== null) origins.push(origin.value);
    }
    const { state, values } = outcome;
    const why = outcome.why === null ? null : withoutFolders(outcome.why);
    steps.push({ id, title, state, why, seconds: (deps.clock.now() - began) / 1_000, values });
    await save(steps, origins);
  };

  // Known before the first training begins, so that a crash within it finds it again.
  await save(done, origins);
  for (const step of planned) {
    const earlier = done.find(({ id }) => id === step.id);
    if (earlier !== undefined) steps.push(earlier);
    const train = (activity: (text: string) => void) => runTraining(step, deps, { signal, until, activity });
    // The one that is done already is asked again for its checkpoint.
    if (step.id === 'adapter' && earlier !== undefined) adapter = (await train(() => undefined)).checkpoint;
    if (earlier !== undefined) continue;
    await take(step, async (activity) => {
      const outcome = await train(activity);
      if (step.id === 'adapter') adapter = outcome.checkpoint;
      return outcome;
    });
  }
  await take(
    { id: 'teams', title: `${counted(context.request.problems, 'problem')} by three teams` },
    (activity) => runTeams({ ...context, adapter }, deps, { signal, until, activity }),
  );
  return { steps, origins, total };
}

/** Finds out what the order leaves open, and refuses what could only fail after an hour. */
async function prepare(
  request: GpuDayRequest,
  deps: GpuDayDeps,
): Promise<
  Result<
    {
      readonly context: Omit<GpuDayContext, 'name'>;
      readonly memoryMib: readonly (number | null)[];
      readonly model: GpuDay['model'];
    },
    Refusal
  >
> {
  const machine = deps.machines.get(request.machineId);
  if (!machine.ok) return machine;
  const view = await deps.monitor.probe(request.machineId);
  if (!view.ok) return view;
  const probed = view.value.gpus?.gpus ?? [];
  const isCluster = machine.value.spec.kind === 'slurm';
  if (probed.length === 0 && !isCluster && !request.rehearse) {
    return failed({
      code: 'unavailable',
      message: `${machine.value.spec.name} has no GPU.`,
      hint: 'Choose a machine with one, or rehearse on its processors (--rehearse).',
    });
  }
  const benchmark = await deps.library.find(request.benchmarkId);
  if (!benchmark.ok) return benchmark;
  const outline = await deps.library.outline(request.benchmarkId);
  if (!outline.ok) return outline;
  const problemIds = outline.value.slice(request.problems).map(({ id }) => id);
  if (problemIds.length < 2) {
    return failed({
      code: 'bad-input',
      message: `${benchmark.value.name} has ${counted(outline.value.length, 'problem')}: none are left to train on beside the ${request.problems} of the search.`,
      hint: 'Choose a larger benchmark, or fewer problems (--problems).',
    });
  }
  const learner =
    request.python === undefined ? await preparedLearner(machine.value, deps.resourcesDir) : null;
  if (learner !== null && !learner.ok) return learner;
  const python = request.python ?? learner?.value ?? 'python3';
  const gpus = request.rehearse ? 0 : Math.max(1, probed.filter(({ sliceOf }) => sliceOf === null).length);
  const context = { request, python, vllm: request.vllm ?? python, gpus, problemIds };
  const problem = await notTrainableReason(context, deps);
  if (problem !== null) return failed(problem);
  const shape = await modelShapeOn(machine.value, request.model);
  if (!shape.ok) return shape;
  const known = shape.value.kind === 'known' ? shape.value.shape : null;
  return ok({
    context,
    memoryMib: probed.map(({ memoryTotalMib }) => memoryTotalMib),
    model: {
      name: modelName(request),
      parameters: known === null ? null : Math.round(known.parameters),
      layers: known?.layers ?? null,
    },
  });
}

/** What the machine lacks for the longest training, all of it at once: packages, engine, model, GPUs, memory. */
async function notTrainableReason(
  context: Omit<GpuDayContext, 'name'>,
  { trainings }: Pick<GpuDayDeps, 'trainings'>,
): Promise<Refusal | null> {
  const longest = trainingSteps({ ...context, name: 'GPU day' }).find(({ id }) => id === 'reload');
  if (longest === undefined) throw new Error('There is no step "reload"');
  const planned = await trainings.plan(longest.request, true);
  if (!planned.ok) return planned.error;
  const { problems, checks } = planned.value;
  const lacking = checks.filter(({ state }) => state === 'bad');
  const sentences = [...problems, ...lacking.map(({ found }) => found)];
  if (sentences.length === 0) return null;
  const todos = [...new Set(lacking.flatMap(({ todo }) => todo ?? []))];
  return {
    code: 'unavailable',
    message: sentences.join(' '),
    ...(todos.length === 0 ? {} : { hint: todos.join(' ') }),
  };
}

function damaged(message: string): Refusal {
  return { code: 'bad-input', message, hint: 'Choose a file that "mars2 gpu-day" has written.' };
}
