import { expect, test } from 'vitest';
import { DetailsPanel } from '../../../renderer/run/inspector/details-panel';
import { renderScreen } from '../../support/rendered-screen';
import { candidates, runViewOf } from '../../support/run-views';

const view = runViewOf({ p1: { search: candidates('p') } });
const tree = view.trees.values().next().value ?? expect.fail('The sample has a tree');
const node = tree.nodes[0] ?? expect.fail('The sample has a node');

const factsOf = async (gradeMs: number): Promise<string> => {
  const { agents } = view.config.team;
  const shown = <DetailsPanel node={{ ...node, gradeMs }} tree={tree} agents={agents} scale="pocket" />;
  return (await renderScreen(shown)).text();
};

test('a verdict that was known took no time, so none is said', async () => {
  expect(await factsOf(0)).not.toContain('Graded in');
  expect(await factsOf(12)).toContain('Graded in');
});
