import type { ExhibitModel, ReproductionRequest, TrainingMethod } from '../../../../preload/contract';
import { namedCheckpoint, type TrainingGroup } from './models';
import type { PlannedTraining } from './trainings';
import type { PlannedWeights } from './work';

/** A model of a configuration, and the group that it is trained in; null: it is searched as it is. */
export type ServedModel = {
  readonly model: ExhibitModel;
  readonly method: TrainingMethod;
  readonly group: TrainingGroup | null;
};

/** Where a server's weights come from. */
export type ServerWeights = {
  readonly weights: PlannedWeights;
  readonly training: PlannedTraining | null;
  /** Each seed has weights of its own. */
  readonly isOfSeed: boolean;
};

export function serverWeights(
  served: ServedModel,
  seed: number,
  context: {
    readonly request: ReproductionRequest;
    readonly trainingOf: (group: TrainingGroup, seed: number) => PlannedTraining;
  },
): ServerWeights {
  const { model, group } = served;
  const { request } = context;
  if (group === null) {
    // Pocket base policies are pre-trained from the seed; there is one set of a paper's weights.
    if (request.scale === 'pocket') return { weights: { kind: 'base' }, training: null, isOfSeed: true };
    const path = request.paper.weights[model.id] ?? model.paper?.hub ?? model.id;
    return { weights: { kind: 'path', path }, training: null, isOfSeed: false };
  }
  const path = namedCheckpoint(request, model.id, group);
  if (path !== null) return { weights: { kind: 'path', path }, training: null, isOfSeed: false };
  const training = context.trainingOf(group, seed);
  const { stepId, existing } = training;
  const agentId = agentOf(training, model.id);
  const weights: PlannedWeights =
    existing === null
      ? { kind: 'training', stepId, agentId }
      : { kind: 'known', stepId, trainingId: existing.id, agentId };
  return { weights, training, isOfSeed: true };
}

/** The agent's name in the training: pocket agents have their family's, MARTI's their position. */
function agentOf({ group, request }: PlannedTraining, modelId: string): string {
  const at = group.models.findIndex(({ id }) => id === modelId);
  if (request.spec.kind !== 'pocket') return String(at);
  const { families } = request.spec;
  const family = families[at] ?? '';
  const before = families.slice(0, at).filter((other) => other === family).length;
  return before === 0 ? family : `${family}-${before + 1}`;
}
