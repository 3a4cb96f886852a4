import { describe, expect, test } from 'vitest';
import { RunScreen } from '../../../renderer/run';
import type { Route } from '../../../renderer/state';
import { copiedTexts, menuEntries, openMenuFrom } from '../../support/context-menu';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

type RunRoute = Extract<Route, { readonly kind: 'run' }>;
const open = (scene: string, part: Partial<RunRoute>) =>
  renderScreen(
    <RunScreen
      route={{
        kind: 'run',
        studyId: 'study-1',
        runId: 'study-1.heterogeneous.1',
        problemId: 'pocket/test/007',
        node: null,
        part: 'search',
        tab: 'nodes',
        ...part,
      }}
    />,
    SCENES[scene],
  );

describe('a run', () => {
  test('whose problem is not searched yet says so, and that nodes will appear', async () => {
    const screen = await open('early', { problemId: 'pocket/test/050' });
    expect(screen.text()).toContain('The search of this problem has not started');
    expect(screen.text()).toContain('Nodes appear here as the agents write them.');
    expect(screen.control('Play (Space)')).toHaveProperty('disabled', true);
  });

  test('keeps public and private tests of a node separate', async () => {
    const screen = await open('finished', { node: 9 });
    await screen.until(/Public Wrong answer 0 of 2 passed .* Private Wrong answer 0 of 12 passed/);
  });

  test('of pocket policies says what a token is, beside the tokens', async () => {
    const screen = await open('finished', { node: 9 });
    expect(
      document.querySelector('[role="columnheader"][title*="one token for each operation"]'),
    ).not.toBeNull();
    await screen.until('Details');
    await screen.click('Details');
    await screen.until('of its answer one token for each operation of the program');
  });

  test('in a replay hides private verdicts, which the search never saw, until they are requested', async () => {
    const screen = await open('finished', { node: 9, moment: 12 });
    await screen.until('Private hidden: not known during the search');
    await screen.click('Show private verdicts, which were not known during the search');
    await screen.until('Private Wrong answer 0 of 12');
  });

  test('says at the slider that it counts nodes, and which number the newest has', async () => {
    const screen = await open('finished', { moment: 12 });
    await screen.until('12 of 24 nodes');
    expect(document.querySelector('[title$="the newest is node 11"]')?.textContent).toBe('12 of 24 nodes');
  });

  test('shows the hidden verdicts of a replay from where they are missed', async () => {
    localStorage.clear(); // the window remembers that they are shown
    const screen = await open('finished', { node: 9, moment: 12 });
    await screen.until('Private hidden: not known during the search');
    await screen.click('Tests');
    await screen.until('The replay hides these results, because the search did not know them.');
    expect(screen.text()).not.toContain('12 not run');
    await screen.click('Show them');
    await screen.until('Private tests 0 of 12 passed');
  });

  test('without a selected node shows the problem and offers the answer of the search', async () => {
    const screen = await open('finished', {});
    await screen.until('Select a node in the tree to inspect it.');
    await screen.until('keep only the even numbers, then double each, then report the largest');
    expect(screen.controls().some((name) => /^Open the answer, node \d+$/.test(name))).toBe(true);
  });

  test('beside its problem shows the answer of the search, where no node is selected', async () => {
    const screen = await open('finished', { tab: 'problem' });
    await screen.until(/Node \d+.*, the answer/);
    expect(screen.text()).not.toContain('Select a node in the tree');
  });

  test('with a damaged journal offers to repair it', async () => {
    const screen = await open('damaged', { runId: 'study-1.homogeneous.1' });
    expect(screen.text()).toContain('is damaged at line 2,113');
    expect(screen.controls()).toContain('Repair');
  });

  test('has a menu for each node: why it came, and its program to copy', async () => {
    const copied = copiedTexts();
    const screen = await open('finished', { node: 4 });
    await screen.until('Node 4');
    const rows = document.querySelector('[role="grid"][aria-label="Nodes"] [role="rowgroup"]');
    await openMenuFrom(rows);
    expect(menuEntries()).toEqual(['Open', 'Tests of this node', 'Why this node', 'Copy program']);
    await screen.click('Copy program');
    await expect.poll(() => copied.join()).toContain('def solve(xs)');
    await openMenuFrom(rows);
    await screen.click('Why this node');
    expect(location.hash).toContain('/nodes/4');
    expect(document.querySelector('[role="tab"][aria-selected="true"][id$="Why"]')).not.toBeNull();
  });
});
