import { expect, onTestFinished, test } from 'vitest';
import { ExportButton, useExport } from '../../../../renderer/shared/reports';
import { ExportDialog } from '../../../../renderer/shared/reports/export-dialog';
import { renderScreen } from '../../../support/rendered-screen';
import type { SampleOptions } from '../../../support/sample-workbench';

function Export() {
  return <ExportButton exporting={useExport({ kind: 'study', studyId: 'study-1' })} />;
}

async function open(options: SampleOptions = {}) {
  onTestFinished(() => localStorage.clear());
  const screen = await renderScreen(<Export />, options);
  const ticked = (): readonly string[] =>
    [...document.querySelectorAll<HTMLInputElement>('fieldset input:checked')]
      .map((input) => input.labels?.[0]?.textContent ?? '')
      .filter((label) => label !== '');
  await screen.click('Export');
  return { ...screen, ticked };
}

test('one table and one figure are ticked at first, and go into one folder', async () => {
  const screen = await open();
  expect(screen.ticked()).toEqual(['Results by configuration', 'Pass@N over nodes']);
  expect(screen.text()).toContain('2 files. Their folder is asked next');
  await screen.click('Export…');
  expect(screen.sample.calls).toContain('report.chooseFolder');
  expect(screen.controls()).toEqual(['Export']);
});

test('a page that is opened to export shows the dialog, and the address no longer asks for it', async () => {
  onTestFinished(() => localStorage.clear());
  let answered = 0;
  const Asked = () => (
    <ExportButton
      exporting={useExport({ kind: 'study', studyId: 'study-1' })}
      opensNow={answered === 0}
      onOpened={() => {
        answered += 1;
      }}
    />
  );
  const screen = await renderScreen(<Asked />);
  expect(screen.controls()).toContain('Export…');
  expect(answered).toBe(1);
});

test('a single part is a file that is named by hand; the ticks and formats of last time are kept', async () => {
  const screen = await open();
  await screen.click('Pass@N over nodes');
  await screen.click('Results by configuration');
  await screen.click('What teams add');
  await screen.click('Export…');
  expect(screen.sample.calls).toContain('report.choose');
  await screen.click('Export');
  expect(screen.ticked()).toEqual(['What teams add']);
});

test('what was stored and cannot be read counts as never chosen', async () => {
  localStorage.setItem('looks.export', '{"parts": 7, "table":');
  const screen = await open();
  expect(screen.ticked()).toEqual(['Results by configuration', 'Pass@N over nodes']);
});

test('the heads tick all tables or figures; with none nothing can be exported', async () => {
  const screen = await open();
  await screen.click('Figures');
  expect(screen.text()).toContain('10 files.');
  await screen.click('Figures');
  await screen.click('Tables');
  await screen.click('Tables');
  expect(screen.text()).toContain('Tick a table or a figure.');
  expect(screen.controls()).not.toContain('Export…');
});

test('a failed export leaves the dialog open with all that was chosen', async () => {
  const screen = await open({
    refuse: { 'report.choose': { code: 'unavailable', message: 'The disk is full.' } },
  });
  await screen.click('Pass@N over nodes');
  await screen.click('Results by configuration');
  await screen.click('What teams add');
  await screen.click('Export…');
  expect(screen.ticked()).toEqual(['What teams add']);
  expect(screen.controls()).toContain('Export…');
});

test('while files are written it says so beside the pressed button, and that it may be closed', async () => {
  onTestFinished(() => localStorage.clear());
  const nothing = () => {};
  const screen = await renderScreen(
    <ExportDialog
      parts={{ kind: 'ready', value: [{ id: 'costs', title: 'Costs', kind: 'table' }] }}
      others={[]}
      busy
      onWrite={nothing}
      onClose={nothing}
    />,
  );
  expect(screen.text()).toContain('You may close this: they are written all the same.');
  expect(screen.control('Export…')).toHaveProperty('disabled', true);
  expect(screen.controls()).toContain('Close');
  expect(screen.controls()).not.toContain('Cancel');
});
