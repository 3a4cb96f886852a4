import { describe, expect, test } from 'vitest';
import { ExhibitScreen } from '../../../renderer/exhibits';
import { checkEntered, emptyDraft, enteredTargets } from '../../../renderer/exhibits/entered-draft';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleExhibit } from '../../support/sample-exhibits';

async function openForm(cell?: string) {
  const route = {
    kind: 'exhibit',
    exhibitId: 'mars2-systems',
    scale: 'pocket',
    ...(cell === undefined ? {} : { cell }),
  } as const;
  return renderScreen(<ExhibitScreen route={route} />, SCENES.finished);
}

describe('entering values of a paper', () => {
  test('a value stands in the table with where it was read, can be removed, and comes back', async () => {
    const screen = await openForm('14b-base.pass-n');
    await screen.until('Our sources have no value of the paper');
    await screen.click('Enter from the paper…');
    await screen.click('Enter value');
    expect(screen.text()).toContain('Write the page of the PDF');
    await screen.fill('Value', '74.3');
    await screen.fill('Page', '7');
    await screen.fill('Table or figure', 'Table 3');
    await screen.click('Enter value');
    await screen.until('Entered by the lab from p. 7, Table 3');
    expect(screen.text()).toContain('paper 74.3, entered');
    const remove = screen.controls().find((name) => name.startsWith('Remove the value of')) ?? '';
    await screen.click(remove);
    await screen.until('Removed 74.3');
    expect(screen.text()).not.toContain('paper 74.3');
    await screen.click('Undo');
    await screen.until('paper 74.3, entered');
  });
});

describe('the form of a value', () => {
  const systems = sampleExhibit('mars2-systems');
  const typed = { value: '61.7', page: '7', where: 'Table 3', note: '' };

  test('begins with what lacks a value, and leaves out what the paper does not have', () => {
    const targets = enteredTargets(systems);
    expect(targets[0]?.label).not.toContain('has a value');
    expect(targets.some(({ label }) => label.includes('Control of ours'))).toBe(false);
  });

  test.each([
    ['value', 'many'],
    ['value', '617'],
    ['page', '0'],
    ['page', '7.5'],
    ['where', ' '],
  ])('%s "%s" is refused beside its field', (field, text) => {
    const { value, errors } = checkEntered(systems, {
      ...emptyDraft(systems, null),
      ...typed,
      [field]: text,
    });
    expect(value).toBeNull();
    expect(Object.keys(errors)).toEqual([field]);
  });

  test('a figure takes points of a line that only the paper has', () => {
    const exhibit = sampleExhibit('learning-curves');
    const draft = { ...emptyDraft(exhibit, null), ...typed, line: 'Homo-MARS²', x: '200' };
    expect(checkEntered(exhibit, draft).value?.at).toEqual({ kind: 'point', line: 'Homo-MARS²', x: 200 });
    expect(checkEntered(exhibit, { ...draft, line: '' }).errors).toHaveProperty('line');
  });
});
