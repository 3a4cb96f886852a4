import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../preload/contract';
import { nodeLabel, treeSummary } from '../../../renderer/run/tree/tree-label';
import { sampleAgents, sampleTree } from '../../support/preview-tree/sample-data';

const base = sampleTree(1).nodes[0] as NodeView;
const node = (change: Partial<NodeView>): NodeView => ({ ...base, index: 3, agentId: 'reader', ...change });

describe("a node's name", () => {
  it('names agent, origin and both verdicts of a refinement', () => {
    const refined = node({ parent: 1, publicVerdicts: ['passed', 'passed'], privateVerdict: 'passed' });
    expect(nodeLabel(refined, sampleAgents)).toBe(
      'node 3, reader, refines node 1, public 2 of 2, private passed',
    );
  });

  it('says new for a first attempt, and that the private verdict is not known before the final grade', () => {
    const fresh = node({ parent: -1, publicVerdicts: ['passed', 'wrong-answer'], privateVerdict: null });
    expect(nodeLabel(fresh, sampleAgents)).toBe('node 3, reader, new, public 1 of 2, private not known yet');
  });

  it('says why there is no public verdict', () => {
    const silent = node({
      parent: -1,
      publicVerdict: 'no-code',
      publicVerdicts: [],
      privateVerdict: 'no-code',
    });
    expect(nodeLabel(silent, sampleAgents)).toBe('node 3, reader, new, public no code, private no code');
  });

  it('has the reward where there is one, and says when an answer was cut off', () => {
    const cut = node({ reward: 0.416, answerEnd: 'length' });
    expect(nodeLabel(cut, sampleAgents)).toMatch(/, reward 0\.42, answer cut$/);
    expect(nodeLabel(node({ answerEnd: 'empty' }), sampleAgents)).toMatch(/, answer empty$/);
    expect(nodeLabel(node({ answerEnd: 'stop' }), sampleAgents)).toMatch(/, private [a-z ]+$/);
  });

  it("falls back on an unknown agent's id", () => {
    expect(nodeLabel(node({ agentId: 'gone' }), sampleAgents)).toContain('node 3, gone,');
  });
});

describe("a tree's summary", () => {
  it('counts in the right number', () => {
    expect(treeSummary([], 0)).toBe('0 nodes');
    expect(treeSummary([node({ depth: 1 })], 1)).toBe('1 node, depth 1, 1 failed trial');
  });
});
