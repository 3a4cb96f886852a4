import type { Refusal, TeamMember } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { agentsOf } from './agent-arguments';
import { ask, type Host } from './host';
import { findServer } from './server-lookup';
import { findTraining } from './training-lookup';

/**
 * Facts about the agents of these configurations that only the workbench has: checkpoints and running servers, by their
 * words.
 */
export async function lookUpAgents(
  workbench: Host,
  configurations: readonly string[],
): Promise<Result<ReadonlyMap<string, TeamMember>, Refusal>> {
  const found = new Map<string, TeamMember>();
  for (const word of configurations.flatMap(agentsOf)) {
    const [kind, id = '', ...rest] = word.split(':');
    if (found.has(word) || (kind !== 'checkpoint' && kind !== 'server')) continue;
    const member =
      kind === 'server'
        ? await runningServer(workbench, id)
        : await checkpointOf(workbench, id, rest.join(':'));
    if (!member.ok) return member;
    found.set(word, member.value);
  }
  return ok(found);
}

async function checkpointOf(
  workbench: Host,
  id: string,
  checkpointId: string,
): Promise<Result<TeamMember, Refusal>> {
  if (id === '' || checkpointId === '')
    return failed({
      code: 'bad-input',
      message: `"checkpoint:${id}" should be checkpoint:TRAINING:CHECKPOINT.`,
      hint: 'See them with: mars2 trainings checkpoints TRAINING',
    });
  const training = await findTraining(workbench, id);
  if (!training.ok) return training;
  return ask(workbench, 'training.member', { trainingId: training.value.id, checkpointId });
}

async function runningServer(workbench: Host, id: string): Promise<Result<TeamMember, Refusal>> {
  const server = await findServer(workbench, id);
  if (!server.ok) return server;
  const { model, spec, state } = server.value;
  if (state.kind !== 'stopped' && state.kind !== 'failed' && spec !== undefined) return ok({ server: spec });
  return failed({
    code: 'conflict',
    message: `The server "${id}" of ${model} does not run.`,
    hint: `Start it with: mars2 servers restart ${id}`,
  });
}
