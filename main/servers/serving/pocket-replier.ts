import { readFile } from 'node:fs/promises';
import type { ChatMessage as ContractMessage } from '../../../preload/contract';
import { deriveSeed, failed, ok, type Result } from '../../base';
import { loadPolicy, type PocketPolicy, parseCheckpoint, replyTo } from '../../pocket';
import type { ChatMessage } from '../logic/chat-request';
import type { Replier } from '../logic/reply';

/** Reads a pocket policy; the error names the file and what is wrong with it. */
export async function readPolicy(path: string): Promise<Result<PocketPolicy, string>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => error);
  if (typeof text !== 'string') return failed(`The checkpoint ${path} cannot be read: ${text.message}.`);
  const checkpoint = parseCheckpoint(text);
  const policy = checkpoint.ok ? loadPolicy(checkpoint.value) : checkpoint;
  return policy.ok ? policy : failed(`${policy.error.message} It was read from ${path}.`);
}

/** Answers with a pocket policy. Choice 0 has the request's seed, every further one a seed derived from it. */
export function createPocketReplier(policy: PocketPolicy): Replier {
  return {
    replies: ({ messages, n, seed, temperature, topP }) => {
      const first = seed ?? 0;
      const conversation = messages.map(asContractMessage);
      return ok(
        Array.from({ length: n }, (_, choice) => {
          const own = choice === 0 ? first : deriveSeed('choice', first, choice);
          return replyTo(policy, conversation, { seed: own, temperature, topP });
        }),
      );
    },
  };
}

/** A policy knows three roles: a developer counts as the system, a tool as the user. */
function asContractMessage({ role, content }: ChatMessage): ContractMessage {
  if (role === 'developer') return { role: 'system', content };
  return role === 'tool' ? { role: 'user', content } : { role, content };
}
