import { describe, expect, test } from 'vitest';
import { ExhibitScreen } from '../../../renderer/exhibits';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

const FILL = 'Fill rows with small language models…';

async function openFill(scene: string, exhibitId = 'scaling-law') {
  const route = { kind: 'exhibit', exhibitId, scale: 'pocket' } as const;
  const screen = await renderScreen(<ExhibitScreen route={route} />, SCENES[scene]);
  await screen.click('More');
  return screen;
}

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
