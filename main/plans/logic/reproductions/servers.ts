import {
  agentIdOf,
  agentNames,
  type ExhibitModel,
  inPlaceOf,
  LOCAL_MACHINE,
  type Missing,
  type PlanStep,
  replacedModels,
  trainingMethodOf,
} from '../../../../preload/contract';
import { canonicalJson } from '../../../base';
import { fewestServerGpus, type ModelSize } from './gpu-needs';
import { plannedLaunch } from './launches';
import { serverTooLarge } from './missing';
import { groupKey, type TrainingGroup } from './models';
import { type ServedModel, type ServerWeights, serverWeights } from './server-weights';
import { NO_MACHINE, type PlanContext, type PlannedTraining } from './trainings';
import type { PlannedServer } from './work';

/** A server with what the order of work needs to know of it. */
export type PlacedServer = {
  readonly server: PlannedServer;
  readonly title: string;
  readonly detail: string;
  /** null: no machine can. */
  readonly machineId: PlanStep['machineId'];
  /** Capacity that it takes there: GPUs; 1 for a pocket server. */
  readonly size: number;
  readonly gpus: number;
  /** The training that its weights come from; null: none. */
  readonly training: PlannedTraining | null;
  readonly missing: readonly Missing[];
};

export type ServerCatalog = {
  /** Returns the same server for the same model, training and seed. */
  readonly of: (served: ServedModel, seed: number) => PlacedServer;
};

export function createServerCatalog(
  context: PlanContext & {
    readonly trainingOf: (group: TrainingGroup, seed: number) => PlannedTraining;
    readonly firstSeed: number;
  },
): ServerCatalog {
  const planned = new Map<string, PlacedServer>();
  return {
    of: (served, seed) => {
      const weights = serverWeights(served, seed, context);
      const word = wordOf(served, weights.isOfSeed ? seed : null, context);
      const before = planned.get(word);
      if (before !== undefined) return before;
      const made = placed(served, word, weights, weights.isOfSeed ? seed : context.firstSeed, context);
      planned.set(word, made);
      return made;
    },
  };
}

/** e.g. "qwen3-8b-heter-mars2-areal-8b-11", at pocket scale "reader-heter-mars2-tracer-11" */
function wordOf(
  { model, method, group }: ServedModel,
  seed: number | null,
  { exhibit, request: { scale } }: Pick<PlanContext, 'exhibit' | 'request'>,
): string {
  const partners = (group?.models ?? [])
    .filter(({ id }) => id !== model.id)
    .map((partner) => agentIdOf(exhibit, scale, partner));
  // "+" occurs in no id, so the partners "b" and "c" differ from the partner "b-c".
  const together = partners.length === 0 ? [] : [partners.join('+')];
  return [agentIdOf(exhibit, scale, model), method, ...together, ...(seed === null ? [] : [seed])].join('-');
}

function placed(
  served: ServedModel,
  word: string,
  { weights, training, isOfSeed }: ServerWeights,
  seed: number,
  context: PlanContext,
): PlacedServer {
  const { model, method, group } = served;
  const trainedWith = (group?.models ?? [model]).map(({ id }) => id);
  const { scale } = context.request;
  const named = scale === 'pocket' ? { agentId: agentIdOf(context.exhibit, scale, model) } : {};
  const server = { id: word, modelId: model.id, ...named, method, trainedWith, seed, weights };
  const title = `Serve ${titleOf(served, context)}${isOfSeed ? `, seed ${seed}` : ''}`;
  return context.request.scale === 'pocket'
    ? onProcessor({ server, title, training }, model, context)
    : onGpus({ server, title, training }, model, context);
}

/** "Qwen3-8B (Heter-MARS² with AReaL-8B)", at pocket scale "reader (Heter-MARS² with tracer), in the place of ...". */
function titleOf(
  { model, method, group }: ServedModel,
  { exhibit, request: { scale } }: Pick<PlanContext, 'exhibit' | 'request'>,
): string {
  const partners = (group?.models ?? []).filter(({ id }) => id !== model.id);
  const others = partners.length === 0 ? '' : ` with ${agentNames(exhibit, scale, partners)}`;
  const name = `${agentNames(exhibit, scale, [model])} (${trainingMethodOf(method).name}${others})`;
  return inPlaceOf(name, replacedModels(scale, [model, ...partners]));
}

type Parts = Pick<PlacedServer, 'title' | 'training'> & { readonly server: Omit<PlannedServer, 'place'> };

function onProcessor(parts: Parts, model: ExhibitModel, { mayUse, inputs }: PlanContext): PlacedServer {
  const other = inputs.machines.find(({ spec }) => mayUse(spec.id) && spec.kind !== 'slurm');
  const machineId = mayUse(LOCAL_MACHINE) ? LOCAL_MACHINE : (other?.spec.id ?? null);
  const family = model.pocket?.family ?? '';
  return {
    ...parts,
    server: { ...parts.server, place: { kind: 'pocket', family, machineId: machineId ?? NO_MACHINE } },
    detail: `Pocket family ${family}`,
    machineId,
    size: 1,
    gpus: 0,
    missing:
      machineId === null
        ? [
            {
              what: 'None of the chosen machines runs pocket servers.',
              todo: 'Choose this computer as well.',
              address: null,
            },
          ]
        : [],
  };
}

function onGpus(parts: Parts, model: ExhibitModel, context: PlanContext): PlacedServer {
  const { request, inputs, placement, mayUse } = context;
  const { server, training, title } = parts;
  const path = server.weights.kind === 'path' ? server.weights.path : '';
  const saved = inputs.launches.find(
    ({ weights, machineId }) => path !== '' && weights === path && mayUse(machineId),
  );
  if (saved !== undefined) {
    return {
      ...parts,
      server: { ...server, place: { kind: 'launch', launch: saved } },
      detail: `The saved launch "${saved.name}"`,
      machineId: saved.machineId,
      size: saved.gpus * saved.replicas,
      gpus: saved.gpus * saved.replicas,
      missing: [],
    };
  }
  const size: ModelSize = { hub: model.paper?.hub ?? model.id, weightsGib: model.paper?.weightsGib ?? 0 };
  const placed = placement.server(size, request.paper.gpusPerServer, training?.machineId ?? null);
  const gpus = placed?.gpus ?? fewestServerGpus(size, request.paper.gpusPerServer);
  const machineId = placed?.pool.machineId ?? null;
  const launch = plannedLaunch(
    {
      word: server.id,
      title: title.slice('Serve '.length),
      weights: path,
      origin:
        training === null ? path : `${groupKey(training.group)} ${canonicalJson(training.request.spec)}`,
    },
    { machineId: machineId ?? NO_MACHINE, gpus, environment: request.paper.environment },
  );
  return {
    ...parts,
    server: { ...server, place: { kind: 'launch', launch } },
    detail: `vLLM, ${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}${placed === null ? '' : ` of ${placed.pool.machineName}`}, weights of ${size.weightsGib} GiB`,
    machineId,
    size: gpus,
    gpus,
    missing:
      placed === null
        ? [serverTooLarge({ ...size, name: model.name }, request.paper.gpusPerServer, inputs)]
        : [],
  };
}
