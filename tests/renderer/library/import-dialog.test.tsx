import { expect, test, vi } from 'vitest';
import { parsedJson } from '../../../main/base';
import { formOf } from '../../../main/benchmarks/logic/row-formats';
import { ImportDialog } from '../../../renderer/library/import-dialog';
import { copiedTexts } from '../../support/context-menu';
import { SCENES } from '../../support/preview/scenes';
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

test('tests that Python cannot parse are said before anything is imported, and may be imported all the same', async () => {
  const screen = await renderScreen(<ImportDialog onClose={() => undefined} />, SCENES['import-refused']);
  await screen.click('Choose a file');
  await screen.until('line 3 of strings.jsonl, problem "strip", private test 2: invalid syntax');
  const call = vi.spyOn(screen.sample.api, 'call');
  await screen.click('Import anyway');
  expect(call).toHaveBeenCalledWith('import.chooseBenchmark', {
    format: 'auto',
    markUnparsed: true,
  });
});
