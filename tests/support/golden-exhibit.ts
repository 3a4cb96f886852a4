import { fillExhibit } from '../../main/metrics';
import { type CostedStep, costsOfEnds } from '../../main/plans/logic/costs';
import { tokensOf } from '../../main/plans/reproductions/amounts';
import {
  type Amount,
  type Exhibit,
  type ExhibitResult,
  type ReproductionView,
  type RunConfig,
  type RunView,
  reproductionRequestSchema,
  type Study,
  type Team,
} from '../../preload/contract';
import { exhibitAtScale } from '../../preload/contract/plans';
import { type ReportProject, reportProject } from './report-project';
import { sampleExhibit } from './sample-exhibits';
import { sampleStudy } from './sample-study';
import { unwrap } from './unwrap';

const SEEDS = [11, 12, 13];
const PROBLEMS = 12;
const NODES = 8;
const ROWS = /^8b-(base|grpo|rs2|heter-mars2|.*all-wrong|.*samples)$/;
/** Of samples: twice as many as a tree has nodes, as at full size. */
const SAMPLES = 2 * NODES;
/** Of a training, made up. */
const TRAINING_SECONDS = 30;
const ID = 'golden';

/** One team of mars2-systems with two controls of ours, over fewer and smaller trees. */
export function goldenExhibit(): Exhibit {
  const whole = sampleExhibit('mars2-systems');
  const { pocket } = whole.scales;
  if (pocket === null) throw new Error('It has a pocket scale');
  const rows = whole.rows.filter(({ id }) => ROWS.test(id));
  const cells = whole.cells.filter(({ row }) => rows.some(({ id }) => id === row));
  const configurations = whole.configurations
    .filter(({ id }) => cells.some(({ configuration }) => configuration === id))
    .map((one) => (one.tokensOf === undefined ? one : { ...one, search: { ...one.search, nodes: SAMPLES } }));
  const used = new Set(configurations.flatMap(({ models }) => models));
  return {
    ...whole,
    title: 'Two models in one search tree',
    models: whole.models.filter(({ id }) => used.has(id)),
    rows,
    cells,
    configurations,
    scales: {
      ...whole.scales,
      pocket: {
        ...pocket,
        benchmark: { ...pocket.benchmark, problems: PROBLEMS },
        search: { ...pocket.search, nodes: NODES },
        seeds: SEEDS,
      },
    },
  };
}

/** The training behind a configuration, which samples share with the tree whose tokens they have; null: the base has none. */
function trainingOf(configurationId: string, seed: number): string | null {
  const method = configurationId.replace('qwen3-8b-areal-8b-', '').replace('samples', 'heter-mars2');
  return method === 'base' ? null : `train-${method.replace('heter-', '')}-${seed}`;
}

/** Each seed has policies of its own, trained or not, as a reproduction plans them. */
function teamOf(team: Team, configurationId: string, seed: number): Team {
  const trainingId = trainingOf(configurationId, seed);
  const trained = trainingId === null ? {} : { trained: { trainingId, checkpointId: 'last' } };
  const servers = team.servers.map((server) =>
    server.kind === 'pocket'
      ? {
          ...server,
          ...trained,
          model: `pocket-${server.family}-${trainingId === null ? 'base' : 'trained'}`,
          checkpointSeed: seed,
        }
      : server,
  );
  return { ...team, servers };
}

function studyOf(exhibit: Exhibit, alter: (run: RunConfig) => RunConfig): Study {
  const search = exhibit.scales.pocket?.search;
  const sample = sampleStudy({ problems: PROBLEMS, nodes: NODES, seeds: SEEDS });
  const team = sample.runs.find(({ configuration }) => configuration === 'heterogeneous')?.team;
  if (search === undefined || team === undefined) throw new Error('The samples have changed');
  const runs = exhibitAtScale(exhibit, 'pocket').configurations.flatMap(({ id, label, search: own }) =>
    SEEDS.map(
      (seed): RunConfig =>
        alter({
          ...(sample.runs[0] as RunConfig),
          id: `study-1.${id}.${seed}`,
          ...{ configuration: label, team: teamOf(team, id, seed), seed },
          search: { ...search, ...own } as RunConfig['search'],
        }),
    ),
  );
  return { ...sample, name: 'Systems', runs };
}

function viewOf(exhibit: Exhibit, study: Study): ReproductionView {
  const request = reproductionRequestSchema.parse({ exhibitId: exhibit.id, scale: 'pocket' });
  const nothing = { seconds: 0, gpuSeconds: 0, tokens: 0 };
  return {
    id: ID,
    order: request,
    title: `${exhibit.paper.title}, ${exhibit.place}`,
    exhibitDigest: 'd'.repeat(64),
    scale: 'pocket',
    state: { kind: 'done' },
    createdAt: '2026-01-05T09:30:00.000Z',
    endedAt: '2026-01-05T10:00:00.000Z',
    steps: study.runs.map(({ id, seed }) => ({
      ...{ id: `search:${id}`, kind: 'search', title: id, detail: '', needs: [], seed },
      configurations: [id.split('.')[1] ?? ''],
      ...{ machineId: 'local', wave: 0, reuse: null, missing: [], estimate: nothing, took: nothing },
      ...{ trainingId: null, studyId: study.id, runId: id, serverIds: [], startedAt: null, endedAt: null },
      state: { kind: 'done', reused: false },
    })),
    ...{ done: study.runs.length, total: study.runs.length, secondsLeft: null, readOnly: false },
    progress: { share01: 1, of: 'time' },
  };
}

/** What each cell cost, by its key: its share of the runs as they are in the journals, and of their trainings. */
function costsOf(exhibit: Exhibit, views: readonly RunView[]): Map<string, Amount> {
  const trainings = new Set<string>();
  const searches = views.map((view): CostedStep => {
    const { id, seed } = view.config;
    const training = trainingOf(id.split('.')[1] ?? '', seed);
    if (training !== null) trainings.add(training);
    const nodes = [...view.trees.values()].flatMap((tree) => tree.nodes);
    const sum = (of: (node: (typeof nodes)[number]) => number): number =>
      nodes.reduce((total, node) => total + of(node), 0);
    return {
      id,
      needs: training === null ? [] : [training],
      took: {
        seconds: sum((node) => node.generateMs + (node.gradeMs ?? 0)) / 1000,
        gpuSeconds: 0,
        tokens: tokensOf(view),
      },
    };
  });
  const ends = exhibit.cells.map(({ row, column, configuration }): CostedStep => {
    const { tokensOf: other } = exhibit.configurations.find(({ id }) => id === configuration) ?? {};
    const used = [configuration, ...(other === undefined ? [] : [other])];
    const needs = searches.flatMap(({ id }) => (used.includes(id.split('.')[1] ?? '') ? id : []));
    return { id: `${row}.${column}`, needs, took: { seconds: 0, gpuSeconds: 0, tokens: 0 } };
  });
  const trained = [...trainings].map(
    (id): CostedStep => ({ id, needs: [], took: { seconds: TRAINING_SECONDS, gpuSeconds: 0, tokens: 0 } }),
  );
  return costsOfEnds(
    [...trained, ...searches, ...ends],
    ends.map(({ id }) => id),
  );
}

/** A reproduction whose journals are made up and whose values are computed from them as everywhere. */
export async function goldenProject(
  exhibit = goldenExhibit(),
  alter = (run: RunConfig): RunConfig => run,
): Promise<ReportProject> {
  const study = studyOf(exhibit, alter);
  const results: ExhibitResult[] = [];
  const project = await reportProject([study], {
    list: () => [viewOf(exhibit, study)],
    exhibitOf: () => exhibit,
    result: async () => {
      const [result] = results;
      if (result === undefined) throw new Error('It is filled before it is asked for');
      return { ok: true, value: result };
    },
  });
  const { views } = await unwrap(project.comparison.viewsOf(study.runs.map(({ id }) => ({ runId: id }))));
  const used = study.runs.flatMap(({ id, seed }) => trainingOf(id.split('.')[1] ?? '', seed) ?? []);
  const trainings = [...new Set(used)].map((name) => ({
    ...{ at: '2026-01-05T09:30:00.000Z', workbench: project.deps.appVersion, name },
    ...{ address: null, machineId: 'local', jobId: null, provenance: null },
  }));
  Object.assign(project.deps.origins, { ofReproduction: async () => trainings });
  const keys = exhibit.cells.map(({ row, column }) => `${row}.${column}`);
  results.push(
    fillExhibit({
      ...{ exhibit, scale: 'pocket', reproductionId: ID, diversity: [], learning: [] },
      runs: views.map(({ view }) => ({
        configurationId: view.config.id.split('.')[1] ?? '',
        studyId: study.id,
        view,
      })),
      states: new Map(keys.map((key) => [key, { kind: 'done', reused: false }])),
      ...{ notComparable: new Map(), trainingIds: new Map() },
      costs: costsOf(
        exhibit,
        views.map(({ view }) => view),
      ),
    }),
  );
  return project;
}

export const GOLDEN_SOURCE = { kind: 'reproduction', reproductionId: ID } as const;
