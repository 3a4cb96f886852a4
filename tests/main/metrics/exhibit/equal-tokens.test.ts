import { expect, test } from 'vitest';
import { measureConfiguration } from '../../../../main/metrics/configuration-metrics';
import { withTokensOf } from '../../../../main/metrics/exhibit/equal-tokens';
import type { RunView } from '../../../../preload/contract';
import { candidates, type ProblemTrees, runViewOf } from '../../../support/run-views';
import { configWith } from '../../../support/search-fixture';

const search = { ...configWith().search, samplesPerAgent: 0, nodes: 4 };
const viewOf = (problems: Readonly<Record<string, ProblemTrees>>) => runViewOf(problems, { search });

/** Every node of the run costs so many tokens. */
function costing(tokens: number, problems: Readonly<Record<string, string>>): RunView {
  const view = viewOf(
    Object.fromEntries(
      Object.entries(problems).map(([id, letters]) => [id, { search: candidates(letters) }]),
    ),
  );
  const trees = new Map(
    [...view.trees].map(([key, tree]) => [
      key,
      {
        ...tree,
        nodes: tree.nodes.map((node) => ({ ...node, promptTokens: tokens - 1, completionTokens: 1 })),
      },
    ]),
  );
  return { ...view, trees };
}

test('as many programs count as fit into the tokens of the other tree of the same problem', () => {
  const tree = costing(15, { p: 'ww', q: 'wwww' });
  const samples = costing(10, { p: 'wwwp', q: 'wwwp' });
  const { view, short, ...counts } = withTokensOf(samples, tree);
  expect([...view.trees.values()].map(({ nodes }) => nodes.length)).toEqual([3, 4]);
  expect([...measureConfiguration([view]).values['pass@n']]).toEqual([
    ['p', 0],
    ['q', 1],
  ]);
  // The four programs of q cost 40 of its 60 tokens.
  expect({ short, ...counts }).toEqual({
    short: 1,
    problems: 2,
    programs: 7,
    written: 8,
    tokens: 70,
    limit: 90,
  });
});

test('a problem that the other run has not finished does not count', () => {
  const tree = viewOf({ p: { search: candidates('w') }, q: { search: candidates('w'), graded: 0 } });
  const { view, problems } = withTokensOf(costing(10, { p: 'p', q: 'p' }), tree);
  expect(measureConfiguration([view]).done).toEqual(['p']);
  expect(problems).toBe(1);
});
