import {
  LOCAL_MACHINE,
  type ServerLaunch,
  type ServerSpec,
  type Team,
  type TeamMember,
  type TrainingCheckpoint,
  teamOfMembers,
} from '../../../../preload/contract';

import type { PlannedServer, SearchWork } from './work';

/** A checkpoint of the training that a planned server's weights come from. */
export type KnownCheckpoint = { readonly trainingId: string } & Pick<TrainingCheckpoint, 'id' | 'path'>;

/**
 * The server as a run names it. Its id is the model's word in the exhibit, or its stand-in's, so that agents are called
 * the same under every method and seed; `model` says what answers. `checkpoint`: null where the weights come from no
 * training.
 */
export function serverSpec(server: PlannedServer, checkpoint: KnownCheckpoint | null): ServerSpec {
  const { id, modelId, agentId = modelId, place, seed } = server;
  if (place.kind === 'launch') {
    const { launch } = place;
    return {
      kind: 'launch',
      id: modelId,
      model: launch.model,
      launchId: launch.id,
      maxInFlight: launch.maxInFlight,
    };
  }
  return {
    kind: 'pocket',
    id: agentId,
    model: `pocket-${id}`,
    family: place.family,
    checkpointSeed: seed,
    ...(checkpoint === null
      ? {}
      : { trained: { trainingId: checkpoint.trainingId, checkpointId: checkpoint.id } }),
    latencyMs: 0,
    maxInFlight: 16,
    ...(place.machineId === LOCAL_MACHINE ? {} : { machineId: place.machineId }),
  };
}

/** The launch to save under its id before `serverSpec` can start; null: none, or it has no launch. */
export function serverLaunch(
  { place }: PlannedServer,
  checkpoint: Pick<KnownCheckpoint, 'path'> | null,
): ServerLaunch | null {
  if (place.kind !== 'launch') return null;
  return checkpoint === null ? place.launch : { ...place.launch, weights: checkpoint.path };
}

/** `specs`: by the ids that the members name. */
export function searchTeam(
  { members, maxTokens }: Pick<SearchWork, 'members' | 'maxTokens'>,
  specs: ReadonlyMap<string, ServerSpec>,
): Team {
  const team = teamOfMembers(
    members.map((id): TeamMember => {
      const server = specs.get(id);
      if (server === undefined) throw new RangeError(`There is no server ${id}`);
      return { server, sampling: { maxTokens } };
    }),
  );
  if (team === null) throw new RangeError('A team needs a member');
  return team;
}
