import { expect, it } from 'vitest';
import { RANDOM_VERSION, randomStream } from '../../../main/base';
import { AbMctsA, type AbMctsOptions } from '../../../main/search';

/** Parent and agent of the first 24 nodes; scores are 0, 1/3, 2/3, 1 in turn. */
function firstNodes(options: AbMctsOptions): string {
  const search = new AbMctsA(options, 2, randomStream(1, 'pinned', 'search'));
  const requests: string[] = [];
  for (let i = 0; i < 24; i++) {
    const { parent, agent } = search.select();
    requests.push(`${parent === -1 ? '' : parent}${'ab'[agent]}`);
    search.record(parent, agent, (i % 4) / 3);
  }
  return requests.join(' ');
}

// A resumed journal is asked again with the stream that it was made with: whoever changes an order of draws must
// change RANDOM_VERSION, and then these lines.
it.each([
  ['gaussian', 'thompson', 'b 0a 0a a 3a a 3a a a a a 7a a 12a b a a 10a 15a 7a 15a 10a a b'],
  ['gaussian', 'ucb', 'a 0b 0b 2b 2a 4b 2b 0b 1b 0a 0b 0a 0a b 0b 13a 0a 13b 0b 13b 13b 13a 13a 13b'],
  ['gaussian', 'stack', 'a b 0b 0a 0a a 5b 6a 5b b a a 0a a a 11a 13b a 14b a 19b a a 11b'],
  ['beta', 'thompson', 'b a a 2a 0a 3a 1a 2a 2a 2a 1a a 11a b 1a 13a 12b a a a a 19a 2b a'],
  ['beta', 'ucb', 'a 0b 1b 1b 1a 3b 0b 0b 7b 0a 0b 8a 11a b 6b a 15a 15b b 18b b 18a 18a b'],
  ['beta', 'stack', 'b a a a 3b a a b a b a 6b b 10b a a a 6a a a 7b a a a'],
] as const)(
  '%s beliefs and %s choose these nodes as long as the random version is the same',
  (beliefs, selection, nodes) => {
    expect(RANDOM_VERSION).toBe('sfc32-polar-marsaglia-1');
    expect(firstNodes({ beliefs, selection })).toBe(nodes);
  },
);
