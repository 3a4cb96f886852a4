import { describe, expect, it } from 'vitest';
import { RANDOM_VERSION } from '../../../main/base';
import { studentTail } from '../../../main/metrics';
import { searchTree } from '../../../main/search';
import { readNode, readPosteriors } from '../../../main/studies/node-reader';
import type { RunConfig, RunEvent } from '../../../preload/contract';
import { configWith, recordingOptions } from '../../support/search-fixture';

async function journalOf(config: RunConfig, randomVersion = RANDOM_VERSION): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({ config });
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  const started = { kind: 'run-started', at: 0, journalVersion: 2, appVersion: '0', randomVersion, config };
  return [started as RunEvent, ...events];
}

const at = (index: number) => ({ problemId: 'world/0', part: 'search', index }) as const;

it('the program of a node can be read without its benchmark; prompt and tests are left out', async () => {
  const config = configWith({ nodes: 2 });
  const node = (await journalOf(config)).find((event) => event.kind === 'node-added' && event.index === 0);
  if (node?.kind !== 'node-added') throw new Error('The journal has no node');
  const read = async () => ({ node, graded: null });
  const detail = await readNode({ config, ...at(0), problem: null, digest: String, read });
  expect(detail).toMatchObject({
    ok: true,
    value: { program: expect.any(String), problemIsMissing: true, prompt: [], publicTests: [] },
  });
});

describe('what the search believed, as it is shown', () => {
  it('is the prior for the first node: Beta(1/2, 1/2), the arcsine law', async () => {
    const result = await readPosteriors(await journalOf(configWith({ nodes: 6 })), at(0));
    const generate = result.ok ? result.value[0]?.[0] : null;
    expect(generate).toMatchObject({ observations: 0, mean: 0.5 });
    expect(generate?.low).toBeCloseTo(Math.sin((Math.PI * 0.05) / 2) ** 2, 9);
    expect(generate?.high).toBeCloseTo(Math.sin((Math.PI * 0.95) / 2) ** 2, 9);
  });

  it('holds 90 % of Student’s distribution where beliefs are Gaussian', async () => {
    const strategy = {
      kind: 'ab-mcts-a',
      beliefs: 'gaussian',
      selection: 'thompson',
      depthGuidance: null,
    } as const;
    const result = await readPosteriors(await journalOf(configWith({ nodes: 4, strategy })), at(0));
    const generate = result.ok ? result.value[0]?.[0] : null;
    // The prior: location 0, one degree of freedom, scale √0.1.
    const { low, high, mean } = generate ?? { low: null, high: null, mean: null };
    expect(mean).toBe(0);
    expect(low).toBeCloseTo(-(high ?? 0), 9);
    expect(studentTail((high ?? 0) / Math.sqrt(0.1), 1)).toBeCloseTo(0.1, 9);
  });

  it('is refused, with what to do, where another generator of chance drew', async () => {
    const result = await readPosteriors(await journalOf(configWith({ nodes: 4 }), 'another'), at(0));
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'conflict', hint: 'Open it with the version of the workbench that made it.' },
    });
  });

  it('is refused for an absent node', async () => {
    const result = await readPosteriors(await journalOf(configWith({ nodes: 4 })), at(9));
    expect(result).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});
