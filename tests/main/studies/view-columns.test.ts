import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, viewColumnsSchema, viewOfColumns } from '../../../main/studies/logic/view-columns';
import { foldRun, type RunEvent, type RunView, verdictSchema } from '../../../preload/contract';
import { sampleConfig, sampleNode, sampleView } from '../../support/sample-run';

/** As after writing to a file and reading it. */
function roundTrip(view: RunView): RunView | null {
  return viewOfColumns(viewColumnsSchema.parse(JSON.parse(JSON.stringify(columnsOf(view)))));
}

const verdict = fc.constantFrom(...verdictSchema.options);
const node = fc.record({
  agentId: fc.constantFrom('a', 'b', 'c'),
  parent: fc.integer({ min: -1, max: 20 }),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  publicVerdict: verdict,
  publicVerdicts: fc.array(verdict, { maxLength: 4 }),
  programDigest: fc.option(fc.constantFrom('0123456789abcdef', 'fedcba9876543210')),
  promptTokens: fc.nat(),
  completionTokens: fc.nat(),
  generateMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  gradeMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  reward: fc.option(fc.double({ min: -5, max: 5, noNaN: true })),
  answerEnd: fc.option(fc.constantFrom('stop' as const, 'length' as const, 'empty' as const)),
  graded: fc.option(
    fc.record({ verdict, verdicts: fc.array(verdict, { maxLength: 4 }), other: fc.option(verdict) }),
  ),
});

test('a view comes back from its columns unchanged, with any nodes', () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 12 }), fc.boolean(), (nodes, searched) => {
      const where = { at: 0, problemId: 'p0', part: 'search' as const };
      const events: RunEvent[] = nodes.flatMap(({ reward, answerEnd, graded, parent, ...rest }, index) => {
        const added = sampleNode('p0', index, {
          ...rest,
          parent: Math.min(parent, index - 1),
          ...(reward === null ? {} : { reward }),
          ...(answerEnd === null ? {} : { answerEnd }),
        });
        if (graded === null) return [added];
        const { verdict: privateVerdict, verdicts: privateVerdicts, other } = graded;
        const otherVerdict = other === null ? {} : { otherVerdict: other };
        return [
          added,
          { kind: 'node-graded', ...where, index, privateVerdict, privateVerdicts, ...otherVerdict },
        ];
      });
      if (searched) events.push({ kind: 'tree-searched', ...where, reason: 'exhausted' });
      const failure = {
        kind: 'trial-failed' as const,
        ...where,
        trial: 99,
        agentId: 'a',
        reason: 'server' as const,
      };
      events.push({ ...failure, message: 'It did not answer.' });
      // A journal is JSON too, and JSON knows no -0.
      const view = sampleView(sampleConfig(), JSON.parse(JSON.stringify(events)) as RunEvent[]);
      expect(roundTrip(view)).toEqual(view);
    }),
  );
});

test('columns of which one is cut, or that name no agent, give no view', () => {
  const columns = columnsOf(sampleView(sampleConfig(), [sampleNode('p0', 0), sampleNode('p0', 1)]));
  const [tree] = columns.trees;
  if (tree === undefined) throw new Error('There is a tree');
  expect(viewOfColumns(columns)).not.toBeNull();
  for (const spoilt of [
    { ...tree, score: [0] },
    { ...tree, privateVerdict: '.' },
    { ...tree, agents: [] },
    { ...tree, parent: [-1, 7] },
    { ...tree, reward: [1] },
  ]) {
    expect(viewOfColumns({ ...columns, trees: [spoilt] })).toBeNull();
  }
});

test('a restored view folds the next events like the original', () => {
  const view = sampleView(sampleConfig(), [sampleNode('p0', 0)]);
  const next = [sampleNode('p0', 1, { parent: 0 })];
  expect(foldRun(roundTrip(view), next)).toEqual(foldRun(view, next));
});
