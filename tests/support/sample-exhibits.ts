import { fillingCautions } from '../../main/app/filling-cautions';
import { noBenchmark, trainingTooLarge, unsetPaths } from '../../main/plans/logic/reproductions/missing';
import {
  type Amount,
  type Answer,
  type CommandName,
  type EnteredValue,
  type Exhibit,
  type ExhibitEntry,
  type ExhibitResult,
  exhibitSchema,
  type FilledCell,
  type FilledExhibit,
  type Missing,
  type Payload,
  type PlanStep,
  paperSettingsSchema,
  type Refusal,
  type ReproductionDecision,
  type ReproductionPlan,
  type ReproductionRequest,
  type ReproductionStep,
  type ReproductionView,
  reproductionRequestSchema,
  sameEnteredPlace,
  type Value,
  type WorkbenchEvent,
  withEntered,
} from '../../preload/contract';
import { POCKET_CHIPS, POCKET_SENTENCES } from '../../preload/contract/plans';
import diversity from '../../resources/exhibits/diversity.json';
import heterogeneous from '../../resources/exhibits/heterogeneous-pass1.json';
import homogeneous from '../../resources/exhibits/homogeneous.json';
import learning from '../../resources/exhibits/learning-curves.json';
import models from '../../resources/exhibits/mars2-models.json';
import systems from '../../resources/exhibits/mars2-systems.json';
import scaling from '../../resources/exhibits/scaling-law.json';
import ablation from '../../resources/exhibits/t-plus-ablation.json';
import { filledFigure } from './sample-trained-figure';

export const SAMPLE_EXHIBITS: readonly ExhibitEntry[] = [
  homogeneous,
  learning,
  heterogeneous,
  scaling,
  ablation,
  models,
  systems,
  diversity,
].map((file) => ({ exhibit: exhibitSchema.parse(file), origin: 'built-in', digest: 'a1b2' }));

export function sampleExhibit(id: string): Exhibit {
  const entry = SAMPLE_EXHIBITS.find(({ exhibit }) => exhibit.id === id);
  if (entry === undefined) throw new Error(`No exhibit ${id}`);
  return entry.exhibit;
}

/** In [0, 1), the same for the same words. */
function chance(...words: readonly (string | number)[]): number {
  let value = 0.37;
  for (const char of words.join(' '))
    value = Math.abs(Math.sin(char.charCodeAt(0) * 12.9898 + value * 78.233) * 437.585) % 1;
  return value;
}

const NOTHING: Amount = { seconds: null, gpuSeconds: null, tokens: null };

/** The steps of an exhibit at a scale, made up: as the real ones flow, not as the planner places them. */
export function sampleSteps(
  exhibit: Exhibit,
  scale: 'pocket' | 'paper',
  missing: readonly Missing[] = [],
): PlanStep[] {
  const seeds = exhibit.scales[scale]?.seeds ?? [];
  const pocket = scale === 'pocket';
  const names = new Map(exhibit.models.map(({ id, name }) => [id, name]));
  const steps = new Map<string, PlanStep>();
  const add = (
    step: Partial<PlanStep> & Pick<PlanStep, 'id' | 'kind' | 'title'>,
    configuration: string,
  ): string => {
    const known = steps.get(step.id);
    steps.set(step.id, {
      detail: '',
      needs: [],
      seed: null,
      machineId: pocket ? 'local' : null,
      wave: 0,
      reuse: null,
      missing: [],
      estimate: NOTHING,
      ...step,
      configurations: [...(known?.configurations ?? []), configuration],
    });
    return step.id;
  };
  for (const { id, label, models: ids, method, partners, roles } of exhibit.configurations) {
    const together = method === 'heter-mars2' ? [...ids, ...partners] : null;
    for (const seed of seeds) {
      const serves = ids.map((modelId) => {
        const team = (together ?? [modelId]).map((one) => names.get(one) ?? one).join(' + ');
        const key = `${method}:${(together ?? [modelId]).join('+')}:${seed}`;
        const train = add(
          {
            id: `train:${key}`,
            kind: 'train',
            title: `${method === 'base' ? 'Pre-train' : `Train ${method}`}, ${team}, seed ${seed}`,
            detail: pocket ? '300 updates, group of 8' : '8 GPUs of 80 GiB, 150 steps',
            seed,
            estimate: pocket
              ? { seconds: 34, gpuSeconds: 0, tokens: null }
              : { seconds: 61_200, gpuSeconds: 489_600, tokens: null },
            missing: [...missing].slice(0, 1),
          },
          id,
        );
        return add(
          {
            id: `serve:${key}:${modelId}`,
            kind: 'serve',
            title: `Serve ${names.get(modelId)}, ${method}, seed ${seed}`,
            detail: pocket ? 'one process' : 'vLLM, 1 GPU',
            needs: [train],
            seed,
            estimate: { seconds: pocket ? 2 : 180, gpuSeconds: 0, tokens: null },
          },
          id,
        );
      });
      const search = add(
        {
          id: `search:${id}:${seed}`,
          kind: 'search',
          title: `Search ${label}, seed ${seed}`,
          detail: `${exhibit.scales[scale]?.benchmark.problems} problems, N = ${exhibit.scales[scale]?.search.nodes}${roles > 1 ? `, ${roles} roles` : ''}`,
          needs: serves,
          seed,
          estimate: pocket
            ? { seconds: 14, gpuSeconds: 0, tokens: 410_000 }
            : { seconds: 5_400, gpuSeconds: 10_800, tokens: 31_000_000 },
        },
        id,
      );
      add(
        {
          id: `grade:${id}:${seed}`,
          kind: 'grade',
          title: `Grade ${label}, seed ${seed}`,
          needs: [search],
          seed,
        },
        id,
      );
    }
    add(
      {
        id: `metrics:${id}`,
        kind: 'metrics',
        title: `Metrics of ${label}`,
        needs: seeds.map((seed) => `grade:${id}:${seed}`),
      },
      id,
    );
  }
  for (const { row, column, configuration } of exhibit.cells) {
    add(
      {
        id: `cell:${row}.${column}`,
        kind: 'cell',
        title: `Cell ${row}, ${column}`,
        needs: [`metrics:${configuration}`],
      },
      configuration,
    );
  }
  for (const { id, label, configuration } of exhibit.series) {
    add(
      { id: `cell:${id}`, kind: 'cell', title: `Line ${label}`, needs: [`metrics:${configuration}`] },
      configuration,
    );
  }
  const order = ['train', 'serve', 'search', 'grade', 'metrics', 'cell'];
  return [...steps.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

const NO_GPUS = { machines: [], clusters: new Map() };

/** As the program says it of a lab without GPUs, paths and benchmarks. */
const PAPER_MISSING: readonly Missing[] = [
  ...(['Qwen3-8B', 'AReaL-boba-2-8B', 'Qwen3-14B'] as const).map((name) =>
    trainingTooLarge(name, [{ hub: name, weightsGib: name.endsWith('14B') ? 27.5 : 15.3 }], 'own', NO_GPUS),
  ),
  ...unsetPaths(
    paperSettingsSchema.parse({ trainer: 'marti', trainingData: '/data', trainingOutput: '/out' }),
  ),
  noBenchmark({ name: 'LiveCodeBench v6 of 2025-01-01 to 2025-05-31', problems: 175 }),
];

function planOf(request: ReproductionRequest, reuse: boolean): ReproductionPlan {
  const exhibit = sampleExhibit(request.exhibitId);
  const pocket = request.scale === 'pocket';
  const missing = pocket ? [] : PAPER_MISSING;
  const steps = sampleSteps(exhibit, request.scale, missing).map((step, at) =>
    reuse && step.kind === 'train' && at % 3 === 0
      ? { ...step, reuse: 'The training of 09:12 is taken: same method, families, seed and sizes.' }
      : step,
  );
  const run = steps.filter((step) => step.reuse === null);
  const sum = (of: (amount: Amount) => number | null): number =>
    run.reduce((total, { estimate }) => total + (of(estimate) ?? 0), 0);
  return {
    order: request,
    exhibitDigest: 'a1b2',
    steps,
    estimate: {
      seconds: sum(({ seconds }) => seconds) / (pocket ? 2 : 1),
      gpuSeconds: sum(({ gpuSeconds }) => gpuSeconds),
      tokens: sum(({ tokens }) => tokens),
    },
    ...(request.seeds?.length === 1
      ? {}
      : {
          oneSeed: {
            seed: 11,
            note: `5 seeds. Seed 11 alone takes 15 trainings and 25 searches, about ${pocket ? '20 min' : '262.8 hours, 1870.2 GPU-hours'}, but shows nothing of the chance of training.`,
          },
        }),
    diskBytes: pocket ? 84_000_000 : 3_100_000_000_000,
    modelLoads: steps.filter(({ kind }) => kind === 'serve').length,
    missing: [...missing],
    notes: [
      pocket
        ? 'Times go by 12 trainings and 9 searches of this computer in the last week.'
        : 'Times go by the papers: nothing of this size was run from here yet.',
      'Two trainings go on side by side, one a core.',
    ],
  };
}

export type SampleReproduction = {
  readonly exhibitId: string;
  readonly scale?: 'pocket' | 'paper';
  /** Share of its steps that are done, in [0, 1]. */
  readonly done01: number;
  readonly state?: ReproductionView['state'];
  /** A search that failed, by its position among the searches. */
  readonly failedSearch?: number;
  readonly minutesAgo?: number;
  readonly readOnly?: boolean;
};

const FAILURE = {
  kind: 'failed' as const,
  message: 'The server of Qwen3-14B ended with exit code 1 while 3 requests were in flight.',
  hint: 'Its log says why. Try the step again once there is memory.',
};

/** A reproduction that is so far, made up. */
export function sampleReproduction(spec: SampleReproduction): ReproductionView {
  const { exhibitId, scale = 'pocket', done01, failedSearch, minutesAgo = 6 } = spec;
  const exhibit = sampleExhibit(exhibitId);
  const plan = sampleSteps(exhibit, scale);
  // Configuration after configuration, so that the first cells are filled while the last still train.
  const rank = new Map(exhibit.configurations.map(({ id }, at) => [id, at]));
  const byTurn = plan
    .map((step) => ({ step, turn: Math.min(...step.configurations.map((id) => rank.get(id) ?? 0)) }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ step }) => step);
  const doneSteps = new Set(byTurn.slice(0, Math.round(done01 * plan.length)).map(({ id }) => id));
  const running = byTurn.find(({ id }) => !doneSteps.has(id))?.id;
  const state = spec.state ?? (done01 >= 1 ? { kind: 'done' as const } : { kind: 'running' as const });
  const failedId =
    failedSearch === undefined
      ? null
      : (plan.filter(({ kind }) => kind === 'search')[failedSearch]?.id ?? null);
  const blocked = new Set<string>(failedId === null ? [] : [failedId]);
  for (const step of plan) if (step.needs.some((id) => blocked.has(id))) blocked.add(step.id);
  const steps = plan.map((step, at): ReproductionStep => {
    const isDone = doneSteps.has(step.id) && !blocked.has(step.id);
    const started = new Date(Date.now() - minutesAgo * 60_000 + at * 4_000).toISOString();
    return {
      ...step,
      state:
        step.id === failedId
          ? FAILURE
          : blocked.has(step.id)
            ? { kind: 'blocked', by: failedId ?? '' }
            : isDone
              ? { kind: 'done', reused: step.kind === 'train' && at % 4 === 0 }
              : step.id === running && state.kind === 'running'
                ? { kind: 'running', share01: 0.42 }
                : { kind: 'planned' },
      trainingId: isDone && step.kind === 'train' ? `training-${at}` : null,
      studyId: isDone && step.kind === 'search' ? 'study-1' : null,
      runId: isDone && step.kind === 'search' ? 'study-1.heterogeneous.1' : null,
      serverIds: [],
      startedAt: isDone ? started : null,
      endedAt: isDone ? started : null,
      took: isDone ? step.estimate : NOTHING,
    };
  });
  const done = steps.filter((step) => step.state.kind === 'done').length;
  return {
    id: `reproduction-${exhibitId}-${scale}-${minutesAgo}`,
    order: reproductionRequestSchema.parse({ exhibitId, scale }),
    title: `${exhibit.paper.title}, ${exhibit.place}`,
    exhibitDigest: 'a1b2',
    scale,
    state,
    createdAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    endedAt: state.kind === 'done' ? new Date().toISOString() : null,
    steps,
    done,
    total: steps.length,
    progress: { share01: done / steps.length, of: 'time' },
    secondsLeft: state.kind === 'running' ? (steps.length - done) * 2.6 : null,
    readOnly: spec.readOnly ?? false,
  };
}

const POCKET_REASON =
  'Pocket scale: small policies on generated problems. The paper’s values stand beside ours for orientation, not for comparison.';

/** The exhibit as far as this reproduction has come, with made-up values; null: nothing was begun. */
export function sampleResult(
  exhibit: Exhibit,
  scale: 'pocket' | 'paper',
  reproduction: ReproductionView | null,
): ExhibitResult {
  const stepOf = (key: string): ReproductionStep | undefined =>
    reproduction?.steps.find(({ id }) => id === `cell:${key}`);
  const share = (configuration: string): number => {
    const own = (reproduction?.steps ?? []).filter((step) => step.configurations.includes(configuration));
    return own.length === 0 ? 0 : own.filter((step) => step.state.kind === 'done').length / own.length;
  };
  const stateOf = (key: string, configuration: string): FilledCell['state'] => {
    const step = stepOf(key);
    if (step === undefined) return { kind: 'empty' };
    if (step.state.kind === 'done') return { kind: 'done', reused: chance(key, 'reused') < 0.12 };
    if (step.state.kind === 'blocked' || step.state.kind === 'failed') {
      return { kind: 'failed', message: `What it needs has failed: ${FAILURE.message}` };
    }
    const share01 = share(configuration);
    return share01 > 0 ? { kind: 'running', share01 } : { kind: 'planned' };
  };
  const seeds = exhibit.scales[scale]?.seeds ?? [1];
  const cells = exhibit.cells.map((cell): FilledCell => {
    const key = `${cell.row}.${cell.column}`;
    const state = stateOf(key, cell.configuration);
    const [reference] = cell.reference;
    const rate = cell.measure.kind === 'metric' || cell.measure.measure === 'distinct';
    const base =
      reference === undefined
        ? rate
          ? 0.3 + 0.4 * chance(cell.column, cell.row)
          : 1.2 + 4 * chance(cell.column, cell.row)
        : reference.value / 100 - 0.04;
    const value = rate ? Math.min(0.97, base + 0.09 * (chance(key) - 0.4)) : base;
    const half = rate ? 0.06 + 0.03 * chance(key, 'half') : 0.3;
    const isDone = state.kind === 'done';
    return {
      row: cell.row,
      column: cell.column,
      state,
      ours: isDone
        ? {
            value,
            low: Math.max(0, value - half),
            high: rate ? Math.min(1, value + half) : value + half,
            problems: 100,
            seeds: seeds.length,
            ...(seeds.length > 1 && {
              seedSpread: { sd: half / 3, min: Math.max(0, value - half / 2), max: value + half / 2 },
            }),
          }
        : null,
      difference: isDone && reference !== undefined ? value * (rate ? 100 : 1) - reference.value : null,
      notComparable: isDone
        ? [
            ...(scale === 'pocket' ? [POCKET_REASON] : []),
            ...(chance(key, 'few') < 0.08
              ? ['Three of 100 problems are missing: their trees were not finished.']
              : []),
          ]
        : [],
      runs: isDone ? [{ studyId: 'study-1', runId: 'study-1.heterogeneous.1' }] : [],
      trainingIds: isDone ? ['training-0'] : [],
      cost: isDone ? { seconds: 9.4, gpuSeconds: 0, tokens: 137_000 } : NOTHING,
    };
  });
  const series = exhibit.series.map((one, at) => {
    const state = stateOf(one.id, one.configuration);
    const end = one.curve.kind === 'nodes' ? 60 : 300;
    const far = state.kind === 'done' ? end : state.kind === 'running' ? Math.round(end * state.share01) : 0;
    const top = 0.5 + 0.35 * chance(one.id) + 0.02 * at;
    return {
      id: one.id,
      state,
      points: Array.from(
        { length: one.curve.kind === 'nodes' ? far : Math.floor(far / 25) },
        (_, position) => {
          const x = one.curve.kind === 'nodes' ? position + 1 : (position + 1) * 25;
          const y = top * (1 - 0.75 * Math.exp((-4 * x) / end));
          return { x, y, low: y - 0.05, high: y + 0.05 };
        },
      ),
      notComparable: scale === 'pocket' ? [POCKET_REASON] : [],
      runs: [],
      trainingIds: state.kind === 'done' ? ['training-0'] : [],
    };
  });
  const measured = cells.filter(({ ours }) => ours !== null).length;
  return {
    exhibitId: exhibit.id,
    scale,
    reproductionId: reproduction?.id ?? null,
    cells,
    series,
    ...(measured < 4
      ? {}
      : {
          chips: [
            ...(scale === 'pocket' ? POCKET_CHIPS.map((text) => ({ kind: 'limit' as const, text })) : []),
            { kind: 'limit', text: 'Differences of less than 13 points cannot be told from chance' },
            {
              kind: 'no-difference',
              text: 'Pass@1(MCTS): "Homo-MARS²" does not differ significantly from "Vanilla GRPO"',
            },
          ],
        }),
    sentences:
      measured < 4
        ? []
        : [
            ...(scale === 'pocket' ? POCKET_SENTENCES : []),
            'With 100 problems and one seed a difference of less than 13 points between two rows cannot be told from chance.',
            'Homo-MARS² is above vanilla GRPO in Pass@1(MCTS) for two of the models that are measured so far; none of these differences is separable.',
          ],
    method:
      measured === 0
        ? ''
        : 'Values are means over problems; intervals are 95 % bootstrap over problems, and over seeds where there are several. Pass@1(MCTS) is the private verdict of the node with the best public score.',
    complete: reproduction?.state.kind === 'done',
  };
}

/** A study that is in the trash. */
export const GONE_STUDY = 'study-gone';
/** Names a study with a damaged journal. */
export const DAMAGED_STUDY = 'study-damaged';

export type SampleExhibitOptions = {
  readonly reproductions?: readonly ReproductionView[];
  readonly entries?: readonly ExhibitEntry[];
  /** What the lab has entered of papers. */
  readonly entered?: readonly { readonly exhibitId: string; readonly values: readonly EnteredValue[] }[];
  readonly broken?: Value<'exhibit.list'>['problems'];
  /** Some of a plan was done before. */
  readonly reuse?: boolean;
};

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

/** Commands of exhibits and reproductions over these made-up ones. A deed changes the state alone. */
export function sampleExhibitHandlers(
  options: SampleExhibitOptions,
  emit: (event: WorkbenchEvent) => void,
): Handlers {
  const files = options.entries ?? SAMPLE_EXHIBITS;
  const enteredOf = new Map<string, EnteredValue[]>();
  let entries: readonly ExhibitEntry[] = files;
  const enter = (
    exhibitId: string,
    change: (values: EnteredValue[]) => EnteredValue[],
  ): Answer<ExhibitEntry> => {
    const file = files.find(({ exhibit }) => exhibit.id === exhibitId);
    if (file === undefined) return { ok: false, error: { code: 'not-found', message: 'There is none.' } };
    const values = change(enteredOf.get(exhibitId) ?? []);
    enteredOf.set(exhibitId, values);
    const next = { ...file, exhibit: withEntered(file.exhibit, values), entered: values };
    entries = entries.map((entry) => (entry.exhibit.id === exhibitId ? next : entry));
    return { ok: true, value: next };
  };
  for (const { exhibitId, values } of options.entered ?? []) enter(exhibitId, () => [...values]);
  const views = new Map((options.reproductions ?? []).map((view) => [view.id, view]));
  const good = <T>(value: T): Answer<T> => ({ ok: true, value });
  const refused = (message: string, code: Refusal['code'] = 'not-found'): Answer<never> => ({
    ok: false,
    error: { code, message },
  });
  const become = (id: string, state: ReproductionView['state']): Answer<ReproductionView> => {
    const view = views.get(id);
    if (view === undefined) return refused(`There is no reproduction ${id}.`);
    const next = { ...view, state };
    views.set(id, next);
    emit({ kind: 'reproduction-changed', reproduction: next });
    return good(next);
  };
  return {
    'exhibit.list': () => good({ exhibits: [...entries], problems: [...(options.broken ?? [])] }),
    'exhibit.text': ({ exhibitId }) => {
      const found = entries.find(({ exhibit }) => exhibit.id === exhibitId) ?? entries[0];
      return found === undefined
        ? refused(`There is no exhibit ${exhibitId}.`)
        : good({ text: JSON.stringify(found.exhibit, null, 2) });
    },
    'exhibit.check': ({ text }) => {
      try {
        const read = exhibitSchema.safeParse(JSON.parse(text));
        return good({
          problems: read.success
            ? []
            : read.error.issues.map(({ path, message }) => ({
                path: path
                  .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
                  .join('')
                  .replace(/^\./, ''),
                message,
              })),
        });
      } catch (error) {
        return good({ problems: [{ path: '', message: `It is no JSON: ${String(error)}` }] });
      }
    },
    'exhibit.save': () => refused('A sample saves nothing.', 'not-allowed'),
    'exhibit.remove': () => good(null),
    'exhibit.set-values': ({ exhibitId, values }) =>
      enter(exhibitId, (before) => [
        ...before.filter(({ at }) => !values.some((value) => sameEnteredPlace(at, value.at))),
        ...values.map((value) => ({ ...value, note: value.note ?? '' })),
      ]),
    'exhibit.remove-value': ({ exhibitId, at }) =>
      enter(exhibitId, (before) => before.filter((value) => !sameEnteredPlace(at, value.at))),
    'exhibit.result': ({ exhibitId, scale, reproductionId }) => {
      const own = [...views.values()].filter(
        (view) => view.order.exhibitId === exhibitId && view.scale === scale,
      );
      const view = own.find(({ id }) => id === reproductionId) ?? own[0] ?? null;
      const entry = entries.find(({ exhibit }) => exhibit.id === exhibitId);
      return entry === undefined
        ? refused(`There is no exhibit ${exhibitId}.`)
        : good(sampleResult(entry.exhibit, scale, view));
    },
    'exhibit.fill': ({ exhibitId, filled, lines = [] }) => {
      const exhibit = entries.find((entry) => entry.exhibit.id === exhibitId)?.exhibit;
      if (exhibit !== undefined && lines.length > 0) return good(filledFigure(exhibit, lines));
      return exhibit === undefined
        ? refused(`There is no exhibit ${exhibitId}.`)
        : good(
            filledExhibit(
              exhibit,
              filled.map(({ configurationId }) => configurationId),
            ),
          );
    },
    'reproduction.list': () => good([...views.values()]),
    'reproduction.plan': (request) =>
      good(planOf(reproductionRequestSchema.parse(request), options.reuse ?? false)),
    'reproduction.start': (payload) => {
      const request = reproductionRequestSchema.parse(payload);
      const { exhibitId, scale } = request;
      const view = { ...sampleReproduction({ exhibitId, scale, done01: 0 }), order: request };
      views.set(view.id, view);
      emit({ kind: 'reproduction-changed', reproduction: view });
      return good(view);
    },
    'reproduction.pause': ({ reproductionId }) => become(reproductionId, { kind: 'paused' }),
    'reproduction.resume': ({ reproductionId }) => become(reproductionId, { kind: 'running' }),
    'reproduction.retry': ({ reproductionId }) => become(reproductionId, { kind: 'running' }),
    'reproduction.move': ({ reproductionId }) => become(reproductionId, { kind: 'running' }),
    'reproduction.remove': ({ reproductionId }) => {
      views.delete(reproductionId);
      emit({ kind: 'reproduction-removed', reproductionId });
      return good(null);
    },
    'reproduction.decisions': ({ reproductionId }) =>
      good(sampleDecisions(views.get(reproductionId) ?? null)),
  };
}

/** The rows of these configurations with made-up values, all by one small model. */
function filledExhibit(exhibit: Exhibit, ids: readonly string[]): FilledExhibit {
  const cells = exhibit.cells.filter(({ configuration }) => ids.includes(configuration));
  const name = 'SmolLM2-135M-Instruct Q4_1';
  const part = {
    ...exhibit,
    models: exhibit.models.map((model) => ({ ...model, desk: { name } })),
    configurations: exhibit.configurations.filter(({ id }) => ids.includes(id)),
    rows: exhibit.rows.filter(({ id }) => cells.some(({ row }) => row === id)),
    columns: exhibit.columns.filter(({ id }) => cells.some(({ column }) => column === id)),
    cells,
    series: [],
    claims: [],
  };
  const { cells: values, ...result } = sampleResult(
    part,
    'pocket',
    sampleReproduction({
      exhibitId: SAMPLE_EXHIBITS.some((entry) => entry.exhibit.id === exhibit.id)
        ? exhibit.id
        : 'homogeneous',
      done01: 1,
    }),
  );
  if (exhibit.configurations.every(({ study }) => study !== undefined)) {
    const atHand = { scale: 'desk' as const, seeds: [1, 2], benchmarks: ['humaneval'], models: [name] };
    const gone = exhibit.configurations.filter(({ study }) => study?.id === GONE_STUDY).map(({ id }) => id);
    const state = { kind: 'missing' as const, message: '"Old" is in the trash. Restore it: Studies, Trash.' };
    const own = values.map((cell, at) =>
      gone.includes(cells[at]?.configuration ?? '')
        ? { ...cell, notComparable: [], ours: null, state }
        : { ...cell, notComparable: [], atHand },
    );
    const text =
      '"Teams": Part of the run single, seed 2 is missing. Its incomplete problems are left out of all numbers. The journal /data/studies/teams/single.2.jsonl is damaged at line 3.';
    const isDamaged = exhibit.configurations.some(({ study }) => study?.id === DAMAGED_STUDY);
    const cautions = [
      ...(isDamaged ? [{ kind: 'damaged' as const, text }] : []),
      ...fillingCautions(part, { cells: own, series: [] }, []),
    ];
    return {
      exhibit: { ...part, models: exhibit.models },
      result: {
        ...result,
        ...{ scale: 'own', reproductionId: null, sentences: cautions.map(({ text }) => text) },
        ...{ cells: own, cautions, complete: cautions.length === 0 },
      },
    };
  }
  const reason = `Desk scale: ${name} in the place of the paper’s models. It says nothing about theirs.`;
  return {
    exhibit: part,
    result: {
      ...result,
      ...{ scale: 'desk', reproductionId: null, sentences: [reason] },
      cells: values.map((cell) => ({ ...cell, notComparable: [reason] })),
    },
  };
}

function sampleDecisions(view: ReproductionView | null): ReproductionDecision[] {
  if (view === null) return [];
  const at = (minute: number): string => new Date(Date.parse(view.createdAt) + minute * 60_000).toISOString();
  return [
    {
      at: at(0),
      stepId: null,
      text: `Planned ${view.total} steps: two trainings side by side on 2 cores, searches in 5 batches.`,
    },
    {
      at: at(0.1),
      stepId: view.steps[0]?.id ?? null,
      text: 'Reused the training of 09:12: same method, families, seed and sizes.',
    },
    {
      at: at(1),
      stepId: null,
      text: 'Waited 40 s: the study "HumanEval, repeated sampling" was running, and studies run one at a time.',
    },
    {
      at: at(2),
      stepId: null,
      text: 'Began wave 1: servers of Qwen3-8B base and AReaL-8B base, because two searches share them.',
    },
  ];
}
