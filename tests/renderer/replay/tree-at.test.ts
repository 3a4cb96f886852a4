import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRun, type RunEvent, selectedNode, type TreeView, treeKey } from '../../../preload/contract';
import {
  answerAt,
  answerChanges,
  treeAt,
  withoutPrivateVerdicts,
} from '../../../renderer/run/replay/tree-at';
import { sampleConfig, sampleGrade, sampleNode } from '../../support/sample-run';

const START: RunEvent = {
  kind: 'run-started',
  at: 0,
  journalVersion: 2,
  appVersion: '0',
  randomVersion: '1',
  config: sampleConfig(),
};

type Step = {
  readonly what: 'node' | 'failure' | 'grade';
  readonly parent: number;
  readonly score: number;
};

const anySteps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom('node', 'node', 'node', 'failure', 'grade'),
    parent: fc.nat(),
    score: fc.constantFrom(0, 1 / 3, 2 / 3, 1),
  }),
  { maxLength: 60 },
);

/** A journal of one tree in which nodes, failed trials and gradings come in any order. */
function journalOf(steps: readonly Step[]): RunEvent[] {
  const events: RunEvent[] = [START];
  let nodes = 0;
  for (const [trial, { what, parent, score }] of steps.entries()) {
    if (what === 'node') {
      events.push(sampleNode('p0', nodes, { trial, parent: (parent % (nodes + 1)) - 1, score }));
      nodes += 1;
    } else if (what === 'grade') {
      if (nodes > 0) events.push(sampleGrade('p0', parent % nodes, score === 1));
    } else {
      const failure = { trial, agentId: 'reader', reason: 'server', message: 'Status 500' } as const;
      events.push({ kind: 'trial-failed', at: 0, problemId: 'p0', part: 'search', ...failure });
    }
  }
  return events;
}

function treeOf(events: readonly RunEvent[]): TreeView | undefined {
  return foldRun(null, events)?.trees.get(treeKey('p0', 'search'));
}

/** The journal as it was when the node after `moment` nodes had not come, gradings left out. */
function cutAt(events: readonly RunEvent[], moment: number): RunEvent[] {
  const end = events.findIndex((event) => event.kind === 'node-added' && event.index === moment);
  return events.slice(0, end === -1 ? undefined : end).filter(({ kind }) => kind !== 'node-graded');
}

describe('a tree at a moment', () => {
  it('is what the journal up to that moment folds to, and nothing later', () => {
    fc.assert(
      fc.property(anySteps, fc.nat(60), (steps, nodeIndex) => {
        const events = journalOf(steps);
        const tree = treeOf(events);
        fc.pre(tree !== undefined && tree.nodes.length > 0);
        const moment = 1 + (nodeIndex % tree.nodes.length);
        expect(treeAt(tree, withoutPrivateVerdicts(tree.nodes), moment)).toEqual(
          treeOf(cutAt(events, moment)),
        );
      }),
    );
  });

  it('keeps the private verdicts of its nodes where they are requested', () => {
    const steps: Step[] = [
      { what: 'node', parent: 0, score: 1 },
      { what: 'node', parent: 0, score: 0 },
      { what: 'grade', parent: 0, score: 1 },
    ];
    const tree = treeOf(journalOf(steps)) as TreeView;
    expect(treeAt(tree, tree.nodes, 1)).toMatchObject({ graded: 1, nodes: [{ privateVerdict: 'passed' }] });
    expect(treeAt(tree, withoutPrivateVerdicts(tree.nodes), 1)).toMatchObject({
      graded: 0,
      nodes: [{ privateVerdict: null }],
    });
  });
});

describe('the best so far', () => {
  it.each(['latest', 'earliest'] as const)('is the answer of the first nodes, with ties to the %s', (tie) => {
    fc.assert(
      fc.property(anySteps, fc.nat(61), (steps, moment) => {
        const nodes = treeOf(journalOf(steps))?.nodes ?? [];
        const rule = { tie, rewardModel: null };
        const changes = answerChanges(nodes, rule);
        expect(answerAt(changes, moment)?.index ?? null).toBe(
          selectedNode(nodes, rule, moment)?.index ?? null,
        );
      }),
    );
  });
});
