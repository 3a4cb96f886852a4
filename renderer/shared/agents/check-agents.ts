import { forwardTargetOf, promptFormatProblem, samplingOfTexts } from '../../../preload/contract/plans/index';
import type { Benchmark } from '../../../preload/contract/problem';
import type { Refusal } from '../../../preload/contract/refusal';
import type { SearchOptions } from '../../../preload/contract/strategy';
import type { Team } from '../../../preload/contract/team';
import { wholeNumber } from '../../widgets/typed-numbers';
import { type AgentChoice, isHttpUrl, type Library, memberOf, type TeamDraft } from './agents';
import { MEMBER_LIMITS } from './input-options';
import type { FieldError } from './messages';

/** Limit of agents in a team: there are four icons, and using one more than twice makes a tree unreadable. */
const MAX_AGENTS = 8;

/** What is wrong with the agents of a configuration. */
export function agentErrors(row: TeamDraft, benchmark: Benchmark, library: Library): FieldError[] {
  const { key, agents } = row;
  const errors: FieldError[] = [];
  if (agents.length === 0) {
    return [{ at: `${key} team`, kind: 'missing', message: 'Add an agent.' }];
  }
  if (agents.length > MAX_AGENTS) {
    errors.push({ at: `${key} team`, kind: 'wrong', message: `At most ${MAX_AGENTS} agents in a team.` });
  }
  for (const [at, agent] of agents.entries()) {
    if (agent.kind === 'url') {
      const address = agent.baseUrl.trim();
      if (address === '') {
        errors.push({ at: `${key} address ${at}`, kind: 'missing', message: 'Enter the URL of the model.' });
      } else if (!isHttpUrl(address)) {
        const message = 'Enter a full URL, e.g. http://127.0.0.1:8000/v1';
        errors.push({ at: `${key} address ${at}`, kind: 'wrong', message });
      } else if (agent.machineId !== undefined && forwardTargetOf(address) === null) {
        errors.push({
          at: `${key} address ${at}`,
          kind: 'wrong',
          message: 'Through a machine the URL must begin with http://',
        });
      }
      if (agent.model.trim() === '') {
        errors.push({
          at: `${key} model ${at}`,
          kind: 'missing',
          message: 'Enter the name of the model on that server.',
        });
      }
    }
    if (agent.kind === 'checkpoint' && agent.trainingId === '') {
      errors.push({ at: `${key} address ${at}`, kind: 'missing', message: 'Choose a training.' });
    } else if (agent.kind === 'checkpoint' && agent.server === null) {
      errors.push({ at: `${key} model ${at}`, kind: 'missing', message: 'Choose a checkpoint.' });
    }
    if (agent.kind === 'launch' && !library.launches.some(({ id }) => id === agent.launchId)) {
      const message = `The launch ${agent.launchId} no longer exists. Choose another model.`;
      errors.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
    if (agent.kind === 'recorded') {
      const recording = library.recordings.find(({ id }) => id === agent.recordingId);
      const message =
        recording === undefined
          ? `The recording ${agent.recordingId} is not in the library.`
          : recording.benchmarkId === benchmark.id
            ? null
            : `${recording.name} was recorded on another benchmark than ${benchmark.name}.`;
      if (message !== null) errors.push({ at: `${key} agent ${at}`, kind: 'wrong', message });
    }
  }
  errors.push(...detailErrors(row));
  errors.push(...duplicateErrors(row));
  return errors;
}

/** Checkpoints that cannot be agents, as `check` says of each: only the machine that holds one knows. */
export async function checkpointErrors(
  configurations: readonly TeamDraft[],
  check: (trainingId: string, checkpointId: string) => Promise<Refusal | null>,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const { key, agents } of configurations)
    for (const [at, agent] of agents.entries()) {
      if (agent.kind !== 'checkpoint') continue;
      const refusal = await check(agent.trainingId, agent.checkpointId);
      if (refusal === null) continue;
      const message = `${refusal.message} Choose another one.`;
      errors.push({ at: `${key} model ${at}`, kind: 'wrong', message });
    }
  return errors;
}

/** Identical agents within one team. */
function duplicateErrors(row: TeamDraft): FieldError[] {
  const { key, agents } = row;
  const seen = new Map<string, number>();
  for (const [at, agent] of agents.entries()) {
    const { budget: _budget, ...same } = memberOf(agents, at);
    const role = same.role === undefined ? null : same.role.systemPrompt;
    const text = JSON.stringify(agent.kind === 'recorded' ? same.server : { ...same, role });
    if (seen.has(text) && !isUnfilled(agent)) {
      const message =
        agent.kind === 'recorded'
          ? 'A recording has no roles: both agents would replay the same samples, and each program would count twice.'
          : 'This agent is identical to another one. Change its prompt or temperature.';
      return [{ at: `${key} agent ${at}`, kind: 'wrong', message }];
    }
    seen.set(text, at);
  }
  return [];
}

function isUnfilled(agent: AgentChoice): boolean {
  if (agent.kind === 'checkpoint') return agent.server === null;
  return agent.kind === 'url' && (agent.baseUrl.trim() === '' || agent.model.trim() === '');
}

/** Prompt formats that their agents or the search cannot have. */
export function formatErrors(
  { key }: Pick<TeamDraft, 'key'>,
  team: Team | null,
  search: Pick<SearchOptions, 'strategy'>,
  { launches }: Library,
): FieldError[] {
  if (team === null) return [];
  const engineOf = (launchId: string) => launches.find(({ id }) => id === launchId)?.engine;
  return team.agents.flatMap((agent, at): FieldError[] => {
    const server = team.servers.find(({ id }) => id === agent.serverId);
    const message = promptFormatProblem(agent, { server, search, engineOf });
    return message === null ? [] : [{ at: `${key} details ${at}`, kind: 'wrong', message }];
  });
}

function detailErrors({ key, agents }: TeamDraft): FieldError[] {
  return agents.flatMap(({ details }, at): FieldError[] => {
    if (details === undefined) return [];
    const limits = MEMBER_LIMITS.flatMap(({ field, name, limits }) => {
      const text = details[field].trim();
      const read = text === '' ? null : wholeNumber(text, limits);
      return read === null || read.ok ? [] : [`${name}: ${uncapitalized(read.message)}`];
    });
    const { problems } = samplingOfTexts(details);
    const sampling = problems.map(({ setting, message }) => `${setting.label}: ${message}.`);
    return [...sampling, ...limits].map((message) => ({
      at: `${key} details ${at}`,
      kind: 'wrong',
      message,
    }));
  });
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
