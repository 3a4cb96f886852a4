import type { WorkbenchBench } from './workbench-bench';

type Cells = readonly (readonly (string | number | null)[])[];

/** What a workbench shows of its data folder, in numbers and states; by id. */
export type ShownDataFolder = {
  readonly studies: Readonly<Record<string, unknown>>;
  readonly benchmarks: Readonly<Record<string, unknown>>;
  readonly launches: readonly string[];
  readonly trainings: Readonly<Record<string, unknown>>;
  /** Ids of checkpoints, and per team the passes of its first attempts at each held-out problem. */
  readonly checkpoints: Readonly<Record<string, readonly string[]>>;
  readonly evaluations: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, string>>;
  readonly experiments: Readonly<Record<string, unknown>>;
  readonly reproductions: Readonly<Record<string, { readonly state: string }>>;
  /** Of each study that is finished. */
  readonly analyses: Readonly<Record<string, Cells>>;
  /** Of each study, over all its numbers: candidates that are left out, as they could not be judged. */
  readonly faults: Readonly<Record<string, number>>;
  /** Of each experiment and reproduction that is done. */
  readonly experimentCells: Readonly<Record<string, Cells>>;
  readonly reproductionCells: Readonly<Record<string, Cells>>;
};

async function byId<T extends { readonly id: string }, V>(
  list: readonly T[],
  value: (one: T) => V | Promise<V>,
): Promise<Record<string, Awaited<V>>> {
  const entries: (readonly [string, Awaited<V>])[] = [];
  for (const one of list) entries.push([one.id, await value(one)]);
  return Object.fromEntries(entries);
}

export async function shownDataFolder({ ask }: Pick<WorkbenchBench, 'ask'>): Promise<ShownDataFolder> {
  const studies = (await ask('study.list', {})).map((view) => ({ ...view, id: view.study.id }));
  const finished = studies.filter(({ state }) => state.kind === 'finished');
  const trainings = await ask('training.list', {});
  const experiments = await ask('experiment.list', {});
  const reproductions = await ask('reproduction.list', {});
  const done = <T extends { readonly state: { readonly kind: string } }>(list: readonly T[]) =>
    list.filter(({ state }) => state.kind === 'done');
  const analyses = await byId(finished, ({ id }) => ask('study.analysis', { studyId: id }));
  const analysed = Object.entries(analyses);
  return {
    studies: await byId(studies, ({ study, state, progress, note = '', tags = [] }) => ({
      name: study.name,
      state: state.kind,
      nodes: progress.nodesDone,
      problems: progress.problemsDone,
      note,
      tags,
    })),
    benchmarks: await byId(await ask('benchmark.list', {}), ({ problems, digest, marks }) => ({
      problems,
      digest,
      marks: marks.length,
    })),
    launches: (await ask('launch.list', {})).map(({ id }) => id),
    trainings: await byId(trainings, ({ state, step }) => ({
      state: state.kind,
      code: state.kind === 'exited' ? state.code : null,
      step,
    })),
    checkpoints: await byId(trainings, async ({ id }) =>
      (await ask('training.checkpoints', { trainingId: id })).map((checkpoint) => checkpoint.id),
    ),
    evaluations: await byId(trainings, async ({ id }) => {
      const evaluation = await ask('training.evaluation', { trainingId: id });
      return evaluation?.teams.map(({ agentIds, problems }) => [
        agentIds,
        problems.map(({ samples }) => samples.map(({ passed, count }) => [passed, count])),
      ]);
    }),
    jobs: await byId(await ask('job.list', {}), ({ state }) => state.kind),
    experiments: await byId(experiments, ({ state, done: steps, total }) => ({
      state: state.kind,
      done: steps,
      total,
    })),
    reproductions: await byId(reproductions, ({ state, done: steps, total }) => ({
      state: state.kind,
      done: steps,
      total,
    })),
    analyses: Object.fromEntries(
      analysed.map(([id, { rows }]) => [
        id,
        rows.flatMap(({ configuration, cells }) =>
          cells.map(({ metric, value, low, high }) => [configuration, metric, value, low, high]),
        ),
      ]),
    ),
    faults: Object.fromEntries(
      analysed.map(([id, { rows }]) => [
        id,
        rows.flatMap(({ cells }) => cells).reduce((sum, { faults }) => sum + faults, 0),
      ]),
    ),
    experimentCells: await byId(done(experiments), async ({ id }) =>
      (await ask('experiment.result', { experimentId: id })).cells.map((cell) => [
        ...[cell.label, cell.metric, cell.part, cell.agentId],
        ...[cell.value, cell.low, cell.high],
      ]),
    ),
    reproductionCells: await byId(done(reproductions), async ({ id, order, scale }) =>
      (await ask('exhibit.result', { exhibitId: order.exhibitId, scale, reproductionId: id })).cells.map(
        ({ row, column, state, ours }) => [
          ...[row, column, state.kind],
          ...[ours?.value ?? null, ours?.low ?? null, ours?.high ?? null],
        ],
      ),
    ),
  };
}
