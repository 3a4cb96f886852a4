import { describe, expect, it } from 'vitest';
import { treeSignals } from '../../../main/objective';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';
import { expectClose } from './random-trees';

const parents = [-1, -1, 0, 0, 1, 2];
const raw = [0, 1, 0, 1, 0, 1];
const agents = ['reader', 'tracer', 'reader', 'tracer', 'reader', 'tracer'];
const graded = { parents, raw, agents, tokens: [1, 2, 3, 4, 5, 6] };

describe('the signal of a tree', () => {
  it('is the advantage over all agents of the shaped rewards', () => {
    const [signal] = treeSignals([graded], PLAIN_OBJECTIVE);
    expect(signal?.shaped).toEqual([-0.5, 1.5, -0.25, 1.5, -0.5, 1.5]);
    expectClose(signal?.advantages ?? [], [-0.9885, 0.9094, -0.7513, 0.9094, -0.9885, 0.9094], 1e-4);
  });

  it('has the penalty on top of the shaped reward, before it is compared', () => {
    const overlong = { maximumTokens: 6, bufferTokens: 2, factor: 1 };
    const [signal] = treeSignals([graded], { ...PLAIN_OBJECTIVE, overlong });
    expect(signal?.shaped).toEqual([-0.5, 1.5, -0.25, 1.5, -1, 0.5]);
    const shift = 1.75 / 6;
    const squares = [-0.5, 1.5, -0.25, 1.5, -1, 0.5].map((reward) => (reward - shift) ** 2);
    const spread = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / 5);
    expect(signal?.advantages[5]).toBeCloseTo((0.5 - shift) / spread, 6);
  });

  it('of a group that fails alike is all 0, or what all-wrong groups are set to', () => {
    const failed = { ...graded, raw: raw.map(() => 0) };
    expect(treeSignals([failed], PLAIN_OBJECTIVE)[0]?.advantages).toEqual([0, 0, 0, 0, 0, 0]);
    const [control] = treeSignals([failed], { ...PLAIN_OBJECTIVE, allWrongAdvantage: -0.5 });
    expect(control?.advantages).toEqual(raw.map(() => -0.5));
  });

  it('comes one a tree, each by itself', () => {
    const other = { raw: [1, 0], parents: [-1, -1], agents: ['reader', 'tracer'], tokens: [1, 1] };
    expect(treeSignals([graded, other], PLAIN_OBJECTIVE)).toEqual([
      ...treeSignals([graded], PLAIN_OBJECTIVE),
      ...treeSignals([other], PLAIN_OBJECTIVE),
    ]);
    expect(treeSignals([], PLAIN_OBJECTIVE)).toEqual([]);
  });
});
