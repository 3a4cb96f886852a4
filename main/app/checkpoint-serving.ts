import type { CheckedPayload, Refusal, ServerLaunch, Team, Value } from '../../preload/contract/index';
import {
  type CheckpointMember,
  checkpointMember,
  firstFreeName,
  launchServer,
  pocketCheckpointServer,
  type TeamMember,
  teamOfMembers,
} from '../../preload/contract/plans/index';
import { failed, ok, type Result } from '../base/index';
import type { ServerService } from '../servers/index';
import type { Registry } from '../storage/index';
import type { TrainingService } from '../trainings/index';
import { launchOf, type ServableCheckpoint } from './checkpoint-launch';
import { checkpointRows, singleCheckpointRow } from './checkpoint-rows';

type Reference = { readonly trainingId: string; readonly checkpointId: string };
type Configuration = CheckedPayload<'study.create'>['configurations'][number];

/**
 * Checkpoints as model servers: pocket ones by the workbench's own program, others by a saved launch. A launch of an engine
 * that is not ours is first reviewed by a person.
 */
export type CheckpointServing = {
  readonly serve: (
    trainingId: string,
    checkpointId: string,
  ) => Promise<Result<Value<'training.serve'>, Refusal>>;
  /** The checkpoint as a member of a team. Saves the launch that it needs. */
  readonly member: (reference: Reference) => Promise<Result<CheckpointMember, Refusal>>;
  /**
   * Configurations of a study: each checkpoint alone, and with `team` all of them as a team. Without a team, the same
   * checkpoint of trainings that differ in their seed alone is one configuration over these seeds. Saves the launches they need.
   */
  readonly configurations: (
    references: readonly Reference[],
    team: boolean,
  ) => Promise<Result<Configuration[], Refusal>>;
};

export function createCheckpointServing(deps: {
  readonly trainings: Pick<TrainingService, 'view' | 'checkpoints'>;
  readonly servers: Pick<ServerService, 'ensure' | 'plan'>;
  readonly registry: Pick<Registry, 'read' | 'update'>;
}): CheckpointServing {
  const { trainings, servers, registry } = deps;

  const find = async ({
    trainingId,
    checkpointId,
  }: Reference): Promise<Result<ServableCheckpoint, Refusal>> => {
    const training = trainings.view(trainingId);
    if (!training.ok) return training;
    const checkpoints = await trainings.checkpoints(trainingId);
    if (!checkpoints.ok) return checkpoints;
    const checkpoint = checkpoints.value.find(({ id }) => id === checkpointId);
    if (checkpoint === undefined) {
      const message = `"${training.value.name}" has no checkpoint "${checkpointId}". It may have been deleted.`;
      return failed({ code: 'not-found', message });
    }
    if (!checkpoint.canServe) {
      const message = `The checkpoint "${checkpointId}" cannot be served: it is a state to resume from, or was not written completely.`;
      return failed({ code: 'bad-input', message, hint: 'Choose one that holds only weights.' });
    }
    return ok({ training: training.value, checkpoint });
  };
  /** Reuses an existing launch: a person may have changed it. */
  const savedLaunch = async (checkpoint: ServableCheckpoint): Promise<Result<ServerLaunch, Refusal>> => {
    const launch = launchOf(checkpoint);
    const existing = registry.read().launches.find(({ id }) => id === launch.id);
    if (existing !== undefined) return ok(existing);
    const saved = await registry.update((data) => ({ ...data, launches: [...data.launches, launch] }));
    return saved.ok ? ok(launch) : saved;
  };
  const memberOf = async (checkpoint: ServableCheckpoint): Promise<Result<CheckpointMember, Refusal>> => {
    if (pocketCheckpointServer(checkpoint) !== null) return ok(checkpointMember(checkpoint, []));
    const launch = await savedLaunch(checkpoint);
    return launch.ok ? ok(checkpointMember(checkpoint, [launch.value])) : launch;
  };

  return {
    serve: async (trainingId, checkpointId) => {
      const checkpoint = await find({ trainingId, checkpointId });
      if (!checkpoint.ok) return checkpoint;
      const pocket = pocketCheckpointServer(checkpoint.value);
      if (pocket !== null) {
        const server = await servers.ensure(pocket, checkpoint.value.checkpoint.path, null);
        return server.ok ? ok({ kind: 'server', serverId: server.value.id }) : server;
      }
      const launch = await savedLaunch(checkpoint.value);
      if (!launch.ok) return launch;
      if (checkpoint.value.training.spec.kind === 'model') {
        const server = await servers.ensure(launchServer(launch.value.id, launch.value.model), null, null);
        return server.ok ? ok({ kind: 'server', serverId: server.value.id }) : server;
      }
      const plan = await servers.plan(launch.value);
      return ok({ kind: 'launch', launchId: launch.value.id, plan: plan.ok ? plan.value : null });
    },
    member: async (reference) => {
      const checkpoint = await find(reference);
      return checkpoint.ok ? memberOf(checkpoint.value) : checkpoint;
    },
    configurations: async (references, team) => {
      const members: TeamMember[] = [];
      const found: ServableCheckpoint[] = [];
      for (const reference of references) {
        const checkpoint = await find(reference);
        if (!checkpoint.ok) return checkpoint;
        const member = await memberOf(checkpoint.value);
        if (!member.ok) return member;
        members.push(member.value);
        found.push(checkpoint.value);
      }
      const alone: Configuration[] = [];
      const teamAt = (at: number): Team => teamOf([members[at] as TeamMember]);
      for (const { name, at, ofSeeds } of team ? found.map(singleCheckpointRow) : checkpointRows(found)) {
        const configuration = freeName(name, alone);
        if (ofSeeds.length < 2) alone.push({ configuration, team: teamAt(at) });
        else {
          const rows = ofSeeds.map((one) => ({ configuration, team: teamAt(one.at), seeds: [one.seed] }));
          alone.push(...rows);
        }
      }
      if (!team) return ok(alone);
      return ok([...alone, { configuration: freeName('Team', alone), team: teamOf(members) }]);
    },
  };
}

function teamOf(members: readonly TeamMember[]): Team {
  const team = teamOfMembers(members);
  if (team === null) throw new RangeError('A team needs a checkpoint');
  return team;
}

function freeName(name: string, taken: readonly Configuration[]): string {
  return firstFreeName(name, ' ', new Set(taken.map(({ configuration }) => configuration)));
}
