import type { ServerLaunch } from '../launch';
import type { Agent, ServerSpec } from '../team';
import type { TrainingCheckpoint, TrainingView } from '../training';
import { evaluationSampling } from './agent-sampling';
import { plainId } from './plain-id';
import { launchServer } from './teams';

/** A checkpoint, and what of its training decides how it is served. */
export type ServableCheckpoint = {
  readonly training: Pick<TrainingView, 'id' | 'name' | 'spec' | 'agents'>;
  readonly checkpoint: Pick<TrainingCheckpoint, 'id' | 'agentId'>;
};

/** A checkpoint as a member of a team. */
export type CheckpointMember = {
  readonly server: ServerSpec;
  readonly sampling?: Agent['sampling'];
  readonly extraction?: Agent['extraction'];
};

/**
 * A pocket checkpoint is served by the workbench's own program, others by a launch; `saved`: launches that are there
 * already, which a person may have changed. A language model answers as in its training's own evaluation.
 */
export function checkpointMember(
  one: ServableCheckpoint,
  saved: readonly Pick<ServerLaunch, 'id' | 'model'>[],
): CheckpointMember {
  const pocket = pocketCheckpointServer(one);
  if (pocket !== null) return { server: pocket };
  const { id, model } = checkpointLaunchNames(one);
  const server = launchServer(id, saved.find((launch) => launch.id === id)?.model ?? model);
  const { spec } = one.training;
  const agent =
    spec.kind === 'model' ? spec.agents.find(({ id }) => id === one.checkpoint.agentId) : undefined;
  if (spec.kind !== 'model' || agent === undefined) return { server };
  return { server, sampling: evaluationSampling(spec, agent), extraction: agent.extraction };
}

/** null: not of a pocket training. */
export function pocketCheckpointServer({ training, checkpoint }: ServableCheckpoint): ServerSpec | null {
  const { spec, agents, id } = training;
  if (spec.kind !== 'pocket') return null;
  const family = spec.families[agents.findIndex((agent) => agent.id === checkpoint.agentId)];
  if (family === undefined) return null;
  return {
    kind: 'pocket',
    id: `${checkpoint.id}-${id.slice(0, 8)}`,
    model: `pocket-${checkpoint.id}-${id.slice(0, 8)}`,
    family,
    checkpointSeed: spec.seed,
    trained: { trainingId: id, checkpointId: checkpoint.id },
    latencyMs: 0,
    maxInFlight: 16,
  };
}

/** The name of a checkpoint's launch, until somebody renames it. */
export function checkpointLaunchNames({
  training,
  checkpoint,
}: ServableCheckpoint): Pick<ServerLaunch, 'id' | 'name' | 'model'> {
  const name = `${training.name} ${checkpoint.id}`.slice(0, 80);
  const id = `${plainName(`${training.name}-${checkpoint.id}`).slice(0, 50)}-${plainName(training.id).slice(0, 8)}`;
  return { id, name, model: plainName(name) };
}

/** Cut by the caller, since the id of a checkpoint's launch must stay what it was. */
const plainName = (text: string): string => plainId(text) || 'training';
