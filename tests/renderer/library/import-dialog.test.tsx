import { expect, test } from 'vitest';
import { parsedJson } from '../../../main/base';
import { formOf } from '../../../main/benchmarks/logic/row-formats';
import { ImportDialog } from '../../../renderer/library/import-dialog';
import { copiedTexts } from '../../support/context-menu';
import { renderScreen } from '../../support/rendered-screen';

test('the dialog shows what a problem of your own needs, which the importer takes, and asks for an id', async () => {
  const copied = copiedTexts();
  const screen = await renderScreen(<ImportDialog onClose={() => undefined} />);
  await screen.until('The least that a problem of your own needs');
  await screen.click('Copy the problem');
  const [row = ''] = copied;
  const form = formOf(row, 'auto');
  expect(form.ok && form.value.format).toBe('workbench');
  expect(form.ok && form.value.read(row)).toMatchObject({ ok: true });
  expect(parsedJson(row)).toMatchObject({ privateTests: [{ input: '1 2\n' }] });
  expect(screen.field('Id')).toBe('');
});
