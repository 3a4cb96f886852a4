import { describe, expect, it } from 'vitest';
import { failed, ok } from '../../../main/base';
import { type Generate, type Generated, searchTree, type TreeRunnerOptions } from '../../../main/search';
import type { RunEvent, SearchOptions } from '../../../preload/contract';
import { answerOf, configWith, recordingOptions } from '../../support/search-fixture';

/** An answer with what a policy would learn from. */
type Sampled = Generated & { readonly sampledFor: number };

type Recorded = { readonly event: RunEvent; readonly answer: Sampled | null };

/**
 * Answers `size` requests together, the newest first, and refuses the first request of every seed that is divisible by
 * `refusing`.
 */
function newestFirst(size: number, refusing: number): Generate<Sampled> {
  const waiting: (() => void)[] = [];
  const refused = new Set<number>();
  return async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      // A later turn: the search may still be asking for more.
      setTimeout(() => {
        if (waiting.length < size && waiting[0] !== resolve) return;
        for (const answer of waiting.splice(0).reverse()) answer();
      });
    });
    if (request.seed % refusing === 0 && !refused.has(request.seed)) {
      refused.add(request.seed);
      return failed({ kind: 'server', message: 'Status 500' });
    }
    const answer = await answerOf(request);
    return answer.ok ? ok({ ...answer.value, sampledFor: request.seed }) : answer;
  };
}

async function searched(search: Partial<SearchOptions>, refusing: number): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const { options } = recordingOptions({ config: configWith({ nodes: 12, batch: 4, ...search }) });
  const sampled: TreeRunnerOptions<Sampled> = {
    ...options,
    generate: newestFirst(4, refusing),
    record: async (event, answer) => {
      recorded.push({ event, answer });
    },
  };
  expect(await searchTree(sampled)).toEqual({ kind: 'searched' });
  return recorded;
}

describe('a node is recorded with what was generated for it', () => {
  it.each([
    ['first attempts', { strategy: { kind: 'repeated' } }, Number.POSITIVE_INFINITY],
    ['first attempts, some of them answered only when asked again', { strategy: { kind: 'repeated' } }, 3],
    ['a tree', {}, 3],
    ['a tree in the order of arrival', { order: 'arrival' }, 3],
  ] as const)(
    'though answers come in another order than they were asked for: %s',
    async (_, search, refusing) => {
      const recorded = await searched(search, refusing);
      let nodes = 0;
      for (const { event, answer } of recorded) {
        if (event.kind !== 'node-added') {
          expect(answer).toBeNull();
          continue;
        }
        nodes += 1;
        expect(answer?.sampledFor).toBe(event.generationSeed);
        expect(answer?.answer).toBe(event.detail?.answer);
      }
      expect(nodes).toBe(12);
    },
  );
});
