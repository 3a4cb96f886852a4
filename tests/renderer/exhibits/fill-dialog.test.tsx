import { describe, expect, test } from 'vitest';
import type { Exhibit, FilledExhibit } from '../../../preload/contract';
import { ExhibitScreen } from '../../../renderer/exhibits';
import { atHandFacts } from '../../../renderer/exhibits/fill-dialog';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleExhibit } from '../../support/sample-exhibits';

const FILL = 'Fill rows with small language models…';

async function openFill(scene: string, exhibitId = 'scaling-law') {
  const route = { kind: 'exhibit', exhibitId, scale: 'pocket' } as const;
  const screen = await renderScreen(<ExhibitScreen route={route} />, SCENES[scene]);
  await screen.click('More');
  return screen;
}

test('a row and its line, which are of the same runs, are said to be measured once', () => {
  const of = sampleExhibit('homogeneous');
  const rows = of.rows.slice(0, 1).map((row) => ({ ...row, label: 'Alone', group: '' }));
  const atHand = {
    ...{ scale: 'pocket' as const, seeds: [1], benchmarks: ['pocket'], models: ['reader'], problems: 60 },
    searches: [{ name: 'MARS²-T', nodes: 24 }],
  };
  const of2 = { ...atHand, seeds: [2] };
  const named = (id: string, label: string) => ({ id, label }) as Exhibit['series'][number];
  const filled = {
    exhibit: { ...of, rows, series: [named('a', 'Alone'), named('b', 'Alone'), named('c', 'Other')] },
    result: {
      cells: ['first', 'second'].map((column) => ({ row: rows[0]?.id, column, atHand })),
      series: [
        { id: 'a', atHand },
        { id: 'b', atHand: of2 },
        { id: 'c', atHand },
      ],
    },
  } as unknown as FilledExhibit;
  expect(atHandFacts(filled).map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'Alone: pocket scale; 60 problems of pocket; seed 1; reader; MARS²-T, N = 24',
    'Alone: pocket scale; 60 problems of pocket; seed 2; reader; MARS²-T, N = 24',
    'Other: pocket scale; 60 problems of pocket; seed 1; reader; MARS²-T, N = 24',
  ]);
});

describe('filling rows of an exhibit with small language models', () => {
  test('shows the values of the chosen configuration, and which model stands there', async () => {
    const screen = await openFill('desk');
    await screen.click(FILL);
    await screen.until('Heterogeneous, untrained');
    // A study trains nothing.
    await expect(screen.choose('Single, RS²', 'single')).rejects.toThrow('There is no field');
    await screen.choose('Single, untrained', 'single');
    await screen.until('SmolLM2-135M-Instruct Q4_1 in the place of');
    expect(screen.sample.calls).toContain('exhibit.fill');
    expect(screen.controls()).toContain('Export');
  });

  test('says how to get a study where there is none', async () => {
    const screen = await openFill('finished');
    await screen.click(FILL);
    await screen.until('There is no finished study of small language models');
    expect(screen.text()).toContain('install llama.cpp with a small model');
  });

  test('is not offered where every row is trained', async () => {
    const screen = await openFill('desk', 'learning-curves');
    expect(screen.controls()).not.toContain(FILL);
  });
});
