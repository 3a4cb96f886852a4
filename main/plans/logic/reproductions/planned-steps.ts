import type { PlanStep } from '../../../../preload/contract';
import { counted } from '../../../base/index';
import { NO_AMOUNT } from '../costs';
import type { ModelLoad } from './batches';
import type { DemandedPart } from './demand';
import { serverAmount } from './estimates';
import { groupedBy } from './grouped';
import { type PlanIndex, planIndex } from './plan-index';
import type { PlannedSearches } from './planned-searches';
import type { PlannedSearch } from './searches';
import type { PlannedTraining } from './trainings';
import type { StepWork } from './work';

/** A step with the data that the runner needs for it. */
export type PlannedStep = { readonly step: PlanStep; readonly work: StepWork };

type Planned = {
  readonly scale: 'pocket' | 'paper';
  readonly parts: readonly DemandedPart[];
  readonly trainings: readonly PlannedTraining[];
  readonly searched: PlannedSearches;
  /** For a learning curve: its trainings. */
  readonly curveTrainings: (key: string) => readonly PlannedTraining[];
  readonly index: PlanIndex;
};

/** The graph in an order in which each step comes after all that it needs. */
export function planSteps(from: Omit<Planned, 'index'>): readonly PlannedStep[] {
  const { trainings, searched, parts } = from;
  const planned = { ...from, index: planIndex(searched) };
  const loads = groupedBy(searched.modelLoads, ({ from }) => from);
  const batched = searched.batches.flatMap((searches, batch) => [
    ...(loads.get(batch) ?? []).map((load) => serveStep(load, planned)),
    ...searches.flatMap((search) => searchSteps(search, planned)),
  ]);
  const outside = searched.all.filter((search) => planned.index.batchOf(search) === null);
  return [
    ...trainings.map((training) => trainStep(training, planned)),
    ...batched,
    ...outside.flatMap((search) => searchSteps(search, planned)),
    ...metricsSteps(planned),
    ...parts.map((part) => cellStep(part, planned)),
  ];
}

/** The common fields of most steps. */
const PLAIN = { seed: null, machineId: null, wave: 0, reuse: null, missing: [], estimate: NO_AMOUNT };

function trainStep(training: PlannedTraining, { index, parts, curveTrainings }: Planned): PlannedStep {
  const { stepId: id, title, detail, group, seed, request, machineId, existing, missing } = training;
  const users = index.trainedFor(training);
  const batches = users.flatMap((search) => index.batchOf(search) ?? []);
  const isCurve = ({ key, from }: DemandedPart): boolean =>
    from === 'learning' && curveTrainings(key).includes(training);
  const configurations = [
    ...users.map(({ configuration }) => configuration.id),
    ...parts.filter(isCurve).map(({ configuration }) => configuration.id),
  ];
  return {
    step: {
      ...PLAIN,
      id,
      kind: 'train',
      title,
      detail,
      needs: [],
      configurations: [...new Set(configurations)],
      seed,
      machineId,
      wave: batches.length === 0 ? 0 : Math.min(...batches),
      reuse:
        existing === null
          ? null
          : `The training "${existing.name}" of ${dayOf(existing.createdAt)} is the same: method, models, seed and sizes.`,
      missing: [...missing],
      estimate: training.estimate,
    },
    work: {
      kind: 'train',
      order: request,
      models: group.models.map((model) => model.id),
      trainingId: existing?.id ?? null,
    },
  };
}

function serveStep(load: ModelLoad, { index, scale }: Planned): PlannedStep {
  const { server, title, detail, training, machineId, missing } = index.server(load.serverId);
  const users = index.servedBy(load);
  return {
    step: {
      ...PLAIN,
      id: index.serveStepOf(load.serverId, load.from),
      kind: 'serve',
      title,
      detail,
      needs: training === null ? [] : [training.stepId],
      configurations: [...new Set(users.map(({ configuration }) => configuration.id))],
      seed: server.weights.kind === 'path' ? null : server.seed,
      machineId,
      wave: load.from,
      missing: [...missing],
      estimate: serverAmount(scale),
    },
    work: { kind: 'serve', server, untilWave: load.to },
  };
}

function searchSteps(search: PlannedSearch, { searched, index }: Planned): PlannedStep[] {
  const { stepId, configuration, seed, work, servers, existing, programs } = search;
  const batch = index.batchOf(search) ?? 0;
  const up = servers.map(({ server }) => index.serveStepOf(server.id, batch));
  const trained = servers.flatMap(({ training }) => (training === null ? [] : [training.stepId]));
  const common = { ...PLAIN, configurations: [configuration.id], seed, wave: batch };
  const { strategy, nodes } = work.search;
  const searchStep: PlanStep = {
    ...common,
    id: stepId,
    kind: 'search',
    title: `Search ${configuration.label}, seed ${seed}`,
    detail: `${counted(programs, 'program')}: ${strategy.kind}, ${counted(nodes, 'node')} a tree`,
    needs: [...new Set(index.batchOf(search) === null ? trained : up)],
    reuse:
      existing === null
        ? null
        : `A run of the study ${existing.studyId} has searched the same: team, weights, problems, search and seed.`,
    missing: [...(searched.missing.get(stepId) ?? [])],
    estimate: search.estimate,
  };
  const gradeStep: PlanStep = {
    ...common,
    id: `grade:${configuration.id}:${seed}`,
    kind: 'grade',
    title: `Grade ${configuration.label}, seed ${seed}`,
    detail: 'Every program of its trees on the private tests, as soon as it is written',
    needs: [stepId],
    reuse: existing === null ? null : 'Its programs are graded already.',
  };
  return [
    { step: searchStep, work },
    {
      step: gradeStep,
      work: { kind: 'grade', configurationId: configuration.id, seed, searchStepId: stepId },
    },
  ];
}

function metricsSteps({ searched, parts, index }: Planned): PlannedStep[] {
  const diverse = new Set(
    parts.filter(({ from }) => from === 'diversity').map(({ configuration }) => configuration),
  );
  return [...new Set(searched.all.map(({ configuration }) => configuration))].map((configuration) => {
    const searches = index.searchesOf(configuration);
    const diversity = diverse.has(configuration);
    const seeds = counted(searches.length, 'seed');
    return {
      step: {
        ...PLAIN,
        id: `metrics:${configuration.id}`,
        kind: 'metrics',
        title: `Measure ${configuration.label}`,
        detail: `Over ${seeds}${diversity ? ', diversity as well' : ''}`,
        needs: searches.map(({ seed }) => `grade:${configuration.id}:${seed}`),
        configurations: [configuration.id],
      },
      work: {
        kind: 'metrics',
        configurationId: configuration.id,
        searchStepIds: searches.map(({ stepId }) => stepId),
        diversity,
      },
    };
  });
}

function cellStep(
  { key, title, configuration, from }: DemandedPart,
  { index, curveTrainings }: Planned,
): PlannedStep {
  const trained =
    from === 'learning'
      ? curveTrainings(key)
      : index
          .searchesOf(configuration)
          .flatMap(({ servers }) => servers.flatMap(({ training }) => training ?? []));
  const trainStepIds = [...new Set(trained.map(({ stepId }) => stepId))];
  return {
    step: {
      ...PLAIN,
      id: `cell:${key}`,
      kind: 'cell',
      title: `Fill ${title}`,
      detail:
        from === 'learning' ? 'From the evaluations during its trainings' : `From ${configuration.label}`,
      needs:
        from === 'learning'
          ? trainStepIds
          : [configuration.id, configuration.tokensOf ?? configuration.id]
              .filter((id, at, ids) => ids.indexOf(id) === at)
              .map((id) => `metrics:${id}`),
      configurations: [configuration.id],
    },
    work: { kind: 'cell', key, configurationId: configuration.id, trainStepIds },
  };
}

/** "22 Nov 2026" would need a language; the day as ISO writes it needs none. */
function dayOf(isoDate: string): string {
  return isoDate.slice(0, 10);
}
