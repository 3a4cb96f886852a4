import type { RunConfig } from '../../preload/contract/index';
import { failed, ok } from '../base/index';
import type { Generate } from '../search/index';
import { describeChatFailure, type RunningServer } from '../servers/index';

/** The search's generator over this run's servers. `servers` is keyed by the server's specification as JSON. */
export function generateWith(
  config: RunConfig,
  servers: ReadonlyMap<string, RunningServer>,
  signal: AbortSignal,
): Generate {
  const clients = new Map(
    config.team.servers.map((spec) => [spec.id, servers.get(JSON.stringify(spec))?.client] as const),
  );
  return async ({ agent, messages, seed, problemId, part, ordinal }) => {
    const client = clients.get(agent.serverId);
    if (client === undefined) {
      return failed({
        kind: 'server',
        message: `No server ${agent.serverId} runs for the agent ${agent.id}.`,
      });
    }
    // The tree and its independent samples draw from a recording in different orders, and so do seeds.
    const session = `${config.seed}/${part}`;
    const answer = await client.complete(
      { messages, sampling: agent.sampling, seed, metadata: { problemId, session, ordinal } },
      signal,
    );
    if (answer.ok) {
      const { text, promptTokens, completionTokens } = answer.value;
      return ok({ answer: text, promptTokens, completionTokens });
    }
    const failure = answer.error;
    if (failure.kind === 'cancelled') return failed({ kind: 'stopped' });
    if (failure.kind === 'exhausted') return failed({ kind: 'exhausted', message: failure.message });
    return failed({ kind: 'server', message: `${agent.id}: ${describeChatFailure(failure)}` });
  };
}
