import { beforeEach, describe, expect, test } from 'vitest';
import { COMPLEMENT_SHORT, SIDE_BY_SIDE_NOTE } from '../../../preload/contract/plans';
import type { Contribution, TeamGain } from '../../../preload/contract/run-comparison';
import { CompareScreen } from '../../../renderer/compare';
import { ContributionsSection } from '../../../renderer/compare/contributions-section';
import { GainsSection } from '../../../renderer/compare/gains-section';
import { lastComparison } from '../../../renderer/state';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

describe('the comparison', () => {
  beforeEach(() => localStorage.clear());

  test('without any study leads to Home, and cannot choose runs', async () => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: null }} />,
      SCENES.first,
    );
    await screen.until('Nothing to compare yet');
    expect(screen.controls()).toEqual(['Go to Home']);
  });

  test('of runs that no longer exist offers the newest study', async () => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: null, runs: [{ runId: 'nothing.1' }] }} />,
      { ...SCENES.finished, problems: 12 },
    );
    expect(screen.text()).toContain('Runs not found');
    expect(screen.controls()).toContain('Compare the newest study');
  });

  test('keeps what was compared last where the address does not say it', async () => {
    const runs = [{ runId: 'study-1.single.1' }, { runId: 'study-1.homogeneous.1' }];
    const options = { ...SCENES.finished, problems: 12 };
    await renderScreen(<CompareScreen route={{ kind: 'compare', studyId: null, runs }} />, options);
    expect(lastComparison()).toEqual({ kind: 'compare', studyId: null, runs });
    const screen = await renderScreen(<CompareScreen route={{ kind: 'compare', studyId: null }} />, options);
    expect(screen.text()).toContain('2 runs');
    expect(window.location.hash).toContain('run=study-1.single.1&run=study-1.homogeneous.1');
  });

  test('of two configurations says which differences are significant, and how many problems would show them', async () => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: 'study-1', view: 'pairs' }} />,
      { ...SCENES.finished, problems: 12 },
    );
    await screen.until('Significant Detectable, pp Problems needed');
    expect(screen.text()).toMatch(/heterogeneous minus single .* no/);
    // On the table's own tab it is the first conclusion.
    expect(screen.text()).toContain(COMPLEMENT_SHORT);
  });

  test.each([
    ['problems', ['found, not chosen']],
    [
      'diversity',
      [
        'Candidates Prompt tokens Completion tokens Tokens per solved tree',
        'Tokens per solved tree: those of',
      ],
    ],
    ['table', ['Distinct %']],
  ] as const)('of %s has the names of the terminal and the glossary', async (view, names) => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: 'study-1', view }} />,
      { ...SCENES.finished, problems: 12 },
    );
    for (const name of names) await screen.until(name);
  });

  test('of a team with its members side by side says below the table what that is', async () => {
    const oddsRatio = { value: 3, low: 0.75, high: null };
    const over = { value: 0.1, low: 0, high: 0.2, p: 0.04, pHolm: 0.04, oddsRatio };
    const gain: TeamGain = {
      ...{ team: 'both', members: ['one'], team01: 0.9, bestMember01: 0.8, problems: 12, overBest: over },
      ...{ sideBySide01: 0.8, overSideBySide: over },
    };
    const rows = [
      { name: 'both', color: '#111' },
      { name: 'one', color: '#222' },
    ];
    const screen = await renderScreen(<GainsSection gains={[gain]} rows={rows} />, SCENES.finished);
    expect(screen.text()).toContain('Side by side, % Gain over side by side, pp Odds ratio');
    expect(screen.text()).toContain('3.00 [0.75, ∞]');
    expect(screen.text()).toContain(SIDE_BY_SIDE_NOTE);
  });

  test('of agents over several seeds shows beside each count how far the seeds are apart', async () => {
    const spread = (sd: number) => ({ sd, min: 1, max: 9 });
    const agent = {
      ...{ agentId: 'a', name: 'reader', firstAttempts: 20, firstAttemptsPassed: 5, refinements: 8 },
      ...{ refinementsPassed: 2, solved: 4, childSolved: 3, tokens: 900 },
      seedSpreads: {
        ...{ firstAttempts: spread(1.1), refinements: spread(1.2), solved: spread(1.3) },
        ...{ childSolved: spread(1.4), tokens: spread(1.5) },
      },
    };
    const transition = { count: 6, repaired: 2, seedSpreads: { count: spread(1.6), repaired: spread(1.7) } };
    const contribution = {
      configuration: 'both',
      agents: [agent, { ...agent, agentId: 'b', name: 'tracer' }],
      transitions: [
        [transition, transition],
        [transition, transition],
      ],
    } as unknown as Contribution;
    const screen = await renderScreen(
      <ContributionsSection contributions={[contribution]} rows={[{ name: 'both', color: '#111' }]} />,
      SCENES.finished,
    );
    for (const sd of ['1.1', '1.2', '1.3', '1.4', '1.5', '1.6']) expect(screen.text()).toContain(`SD ${sd}`);
  });

  test('says below the costs why their sums cannot be divided by one another', async () => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: 'study-1', view: 'diversity' }} />,
      { ...SCENES.finished, problems: 12 },
    );
    await screen.until('without the independent samples that the other columns count too');
    expect(screen.text()).toContain(
      'so more than the time that passed. Equal programs of a problem are graded once, for the configuration that wrote them first',
    );
  });

  test.each(['table', 'problems'] as const)('of a damaged journal names it above the %s', async (view) => {
    const screen = await renderScreen(
      <CompareScreen route={{ kind: 'compare', studyId: 'study-1', view }} />,
      { ...SCENES.damaged, problems: 12 },
    );
    await screen.until('Part of the run homogeneous, seed 1 is missing.');
    expect(screen.text()).toMatch(
      /study-1\.homogeneous\.1\.jsonl is damaged at line 2,113: .* Repair it, then/,
    );
  });

  test('of one configuration asks for a second', async () => {
    const screen = await renderScreen(
      <CompareScreen
        route={{ kind: 'compare', studyId: null, view: 'pairs', runs: [{ runId: 'study-1.single.1' }] }}
      />,
      { ...SCENES.finished, problems: 12 },
    );
    await screen.until('Choose at least two configurations to see differences.');
  });

  test('that cannot be read shows the reason and lets the user try again', async () => {
    const screen = await renderScreen(<CompareScreen route={{ kind: 'compare', studyId: 'study-1' }} />, {
      ...SCENES.refusing,
      problems: 12,
    });
    await screen.until('The journal of single, seed 1 could not be read: permission denied.');
    expect(screen.controls()).toContain('Try again');
  });
});
