import type { RunConfig } from '../../preload/contract/index';
import { failed, ok, RefusalError, type Result } from '../base/index';
import {
  fitPrompt,
  type Generate,
  type Generated,
  type GenerationFailure,
  isEstimatedToFit,
  isPlainText,
} from '../search/index';
import { type ChatFailure, describeChatFailure } from '../servers/index';
import type { StudyServers } from './study-servers';

/**
 * The search's generator over this run's servers. Each request waits for a slot of its server, in the order of `rank`
 * (smaller first); `onQueued` is called when it starts to wait. When a server cannot be reached, the failure is returned
 * only once the server answers again or waiting is pointless, so that the search's next try can succeed.
 */
export function generateWith(options: {
  readonly config: RunConfig;
  readonly servers: StudyServers;
  readonly rank: () => number;
  readonly onQueued: () => void;
  readonly signal: AbortSignal;
}): Generate {
  const { config, servers, rank, onQueued, signal } = options;
  const specs = new Map(config.team.servers.map((spec) => [spec.id, spec]));
  return async ({ agent, messages, seed, problemId, part, ordinal, parent, turn }) => {
    const spec = specs.get(agent.serverId);
    const slots = spec === undefined ? undefined : servers.slotsOf(spec);
    if (spec === undefined || slots === undefined) {
      return failed({
        kind: 'server',
        message: `The server ${agent.serverId} of the agent ${agent.id} is not running.`,
      });
    }
    const { contextTokens, maxTokens } = agent.sampling;
    const prompt =
      contextTokens === undefined
        ? messages
        : await fitPrompt(messages, (candidate) => isEstimatedToFit(candidate, { contextTokens, maxTokens }));
    if (prompt === null) {
      return failed({
        kind: 'server',
        message: `${agent.id}: the prompt of ${problemId} leaves no room for an answer of ${maxTokens} tokens in a context of ${contextTokens}.`,
      });
    }
    // The tree and its independent samples take a recording's answers in different orders, and so do seeds.
    const session = `${config.seed}/${part}`;
    const slot = slots.acquire(rank, signal);
    onQueued();
    const release = await slot;
    if (release === null) return failed({ kind: 'stopped' });
    const answer = await servers
      .client(spec)
      .complete(
        {
          messages: prompt,
          isPlainText: isPlainText(agent),
          sampling: agent.sampling,
          seed,
          metadata: { problemId, session, ordinal, parent: parent ?? '', turn },
        },
        signal,
      )
      .finally(release);
    if (answer.ok) {
      const { text, promptTokens, completionTokens, end } = answer.value;
      return ok({ answer: text, promptTokens, completionTokens, ...(end === undefined ? {} : { end }) });
    }
    if (answer.error.kind === 'transport') await servers.recover(spec);
    return failureOf(agent.id, answer.error);
  };
}

function failureOf(agentId: string, failure: ChatFailure): Result<Generated, GenerationFailure> {
  // Every further request would be refused too: the study ends, as it would where this is found at its start.
  if (failure.kind === 'other-model') {
    throw new RefusalError({
      code: 'unavailable',
      message: failure.message,
      hint: 'Start the model there again. Then resume the study: nothing is lost.',
    });
  }
  if (failure.kind === 'cancelled') return failed({ kind: 'stopped' });
  if (failure.kind === 'exhausted' || failure.kind === 'no-refinement') {
    return failed({ kind: failure.kind, message: failure.message });
  }
  return failed({ kind: 'server', message: `${agentId}: ${describeChatFailure(failure)}` });
}
