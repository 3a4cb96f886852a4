import type { RunConfig } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { Generate, Generated, GenerateFailure } from '../search/index';
import { type ChatFailure, describeChatFailure } from '../servers/index';
import type { ServerDesk } from './server-desk';

/**
 * The search's generator over this run's servers. Each request waits for a slot of its server, in the order of `rank`
 * (smaller first); `onQueued` hears of each. When a server can not be reached, the failure is told only when the
 * server answers again or waiting is no use, so that the next try of the search finds it.
 */
export function generateWith(options: {
  readonly config: RunConfig;
  readonly desk: ServerDesk;
  readonly rank: () => number;
  readonly onQueued: () => void;
  readonly signal: AbortSignal;
}): Generate {
  const { config, desk, rank, onQueued, signal } = options;
  const specs = new Map(config.team.servers.map((spec) => [spec.id, spec]));
  return async ({ agent, messages, seed, problemId, part, ordinal, parent, turn }) => {
    const spec = specs.get(agent.serverId);
    const gate = spec === undefined ? undefined : desk.gate(spec);
    if (spec === undefined || gate === undefined) {
      return failed({
        kind: 'server',
        message: `No server ${agent.serverId} runs for the agent ${agent.id}.`,
      });
    }
    // The tree and its independent samples draw from a recording in different orders, and so do seeds.
    const session = `${config.seed}/${part}`;
    const turnAtGate = gate.enter(rank, signal);
    onQueued();
    const leave = await turnAtGate;
    if (leave === null) return failed({ kind: 'stopped' });
    const answer = await desk
      .client(spec)
      .complete(
        {
          messages,
          sampling: agent.sampling,
          seed,
          metadata: { problemId, session, ordinal, parent: parent ?? '', turn },
        },
        signal,
      )
      .finally(leave);
    if (answer.ok) {
      const { text, promptTokens, completionTokens, end } = answer.value;
      return ok({ answer: text, promptTokens, completionTokens, ...(end === undefined ? {} : { end }) });
    }
    if (answer.error.kind === 'transport') await desk.recover(spec);
    return failureOf(agent.id, answer.error);
  };
}

function failureOf(agentId: string, failure: ChatFailure): Result<Generated, GenerateFailure> {
  if (failure.kind === 'cancelled') return failed({ kind: 'stopped' });
  if (failure.kind === 'exhausted' || failure.kind === 'no-refinement') {
    return failed({ kind: failure.kind, message: failure.message });
  }
  return failed({ kind: 'server', message: `${agentId}: ${describeChatFailure(failure)}` });
}
