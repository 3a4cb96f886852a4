import { fillExhibit } from '../../main/metrics';
import {
  type Exhibit,
  type ExhibitResult,
  type ReproductionView,
  type RunConfig,
  reproductionRequestSchema,
  type Study,
  type Team,
} from '../../preload/contract';
import { exhibitAtScale } from '../../preload/contract/plans';
import { type ReportProject, reportProject } from './report-project';
import { sampleExhibit } from './sample-exhibits';
import { sampleStudy } from './sample-study';

const SEEDS = [11, 12, 13];
const PROBLEMS = 12;
const NODES = 8;
const ROWS = /^8b-(base|grpo|heter-mars2|.*all-wrong|.*samples)$/;
const ID = 'golden';

/** Five rows of mars2-systems, two of them controls of ours, over fewer and smaller trees. */
export function goldenExhibit(): Exhibit {
  const whole = sampleExhibit('mars2-systems');
  const { pocket } = whole.scales;
  if (pocket === null) throw new Error('It has a pocket scale');
  const rows = whole.rows.filter(({ id }) => ROWS.test(id));
  const cells = whole.cells.filter(({ row }) => rows.some(({ id }) => id === row));
  const configurations = whole.configurations.filter(({ id }) =>
    cells.some(({ configuration }) => configuration === id),
  );
  const used = new Set(configurations.flatMap(({ models }) => models));
  return {
    ...whole,
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

/** Each seed of a method is a training of its own; the base is one policy. */
function teamOf(team: Team, configurationId: string, seed: number): Team {
  if (configurationId.endsWith('-base')) return team;
  const trained = { trainingId: `${configurationId}.${seed}`, checkpointId: 'last' };
  const servers = team.servers.map((server) =>
    server.kind === 'pocket' ? { ...server, model: `pocket-${server.family}-trained`, trained } : server,
  );
  return { ...team, servers };
}

function studyOf(exhibit: Exhibit): Study {
  const search = exhibit.scales.pocket?.search;
  const sample = sampleStudy({ problems: PROBLEMS, nodes: NODES, seeds: SEEDS });
  const team = sample.runs.find(({ configuration }) => configuration === 'heterogeneous')?.team;
  if (search === undefined || team === undefined) throw new Error('The samples have changed');
  const runs = exhibitAtScale(exhibit, 'pocket').configurations.flatMap(({ id, label, search: own }) =>
    SEEDS.map(
      (seed): RunConfig => ({
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
  };
}

/** A reproduction whose journals are made up and whose values are computed from them as everywhere. */
export async function goldenProject(exhibit = goldenExhibit()): Promise<ReportProject> {
  const study = studyOf(exhibit);
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
  const views = await project.comparison.viewsOf(study.runs.map(({ id }) => ({ runId: id })));
  if (!views.ok) throw new Error(views.error.message);
  const keys = exhibit.cells.map(({ row, column }) => `${row}.${column}`);
  results.push(
    fillExhibit({
      ...{ exhibit, scale: 'pocket', reproductionId: ID, diversity: [], learning: [] },
      runs: views.value.map(({ view }) => ({
        configurationId: view.config.id.split('.')[1] ?? '',
        studyId: study.id,
        view,
      })),
      states: new Map(keys.map((key) => [key, { kind: 'done', reused: false }])),
      ...{ notComparable: new Map(), trainingIds: new Map() },
      costs: new Map(
        keys.map((key, at) => [key, { seconds: 10 + at, gpuSeconds: 0, tokens: 1_000 * (at + 1) }]),
      ),
    }),
  );
  return project;
}

export const GOLDEN_SOURCE = { kind: 'reproduction', reproductionId: ID } as const;
