import { describe, expect, test } from 'vitest';
import { ProblemReportDialog } from '../../../renderer/shell/problem-report';
import { useWorkbench } from '../../../renderer/state';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import type { SampleOptions } from '../../support/sample-workbench';

function OpenedReport() {
  const { diagnostics } = useWorkbench();
  return (
    <>
      <button type="button" onClick={diagnostics.open}>
        Open
      </button>
      <ProblemReportDialog />
    </>
  );
}

const open = async (options: SampleOptions = {}) => {
  const screen = await renderScreen(<OpenedReport />, { ...options, problems: 2 });
  await screen.click('Open');
  return screen;
};

describe('the report of a problem', () => {
  test('shows the whole text that is then saved, and says that nothing is sent', async () => {
    const screen = await open();
    expect(screen.text()).toContain('Nothing is sent anywhere');
    for (const line of ['Node: 22.21.1', 'studies/ 311 files', '<workbench>/out/main/index.js'])
      expect(screen.text()).toContain(line);
    await screen.click('Save as…');
    expect(screen.sample.calls.filter((name) => name === 'diagnostics.choose')).toHaveLength(1);
    expect(screen.text()).not.toContain('Node: 22.21.1');
  });

  test('leaves out what a person unticks, and says so in the text', async () => {
    const screen = await open();
    await screen.click('Log');
    expect(screen.text()).not.toContain('<workbench>/out/main/index.js');
    expect(screen.text()).toContain('Not included: Log.');
  });

  test('waits with saving until what was typed is shown as it will be saved', async () => {
    const screen = await open();
    await screen.fill('What you did, and what happened', 'I asked gpu1 for a job.');
    expect(screen.controls()).not.toContain('Save as…');
    await screen.until('I asked <machine 1> for a job.');
    expect(screen.controls()).toContain('Save as…');
    await screen.fill('What you did, and what happened', 'I asked gpu1 again.');
    expect(screen.controls()).not.toContain('Save as…');
    await screen.until('I asked <machine 1> again.');
  });

  test('says which parts are still collected, and can be saved without them', async () => {
    const screen = await open(SCENES['report-collecting']);
    expect(screen.text()).toContain('Still collecting: Versions, Data folder');
    expect(screen.controls()).not.toContain('Save as…');
    for (const part of ['Versions', 'Data folder', 'Machines', 'Running work', 'Doctor', 'Messages', 'Log'])
      await screen.click(part);
    expect(screen.controls()).toContain('Save as…');
  });

  test('says why a part could not be collected, here and in the text, and asks again', async () => {
    const screen = await open(SCENES['report-troubled']);
    expect(screen.text()).toContain('Not collected: this part did not finish within 60 seconds.');
    const asked = (): number => screen.sample.calls.filter((name) => name === 'diagnostics.part').length;
    const before = asked();
    await screen.click('Collect again: Doctor');
    expect(asked()).toBe(before + 1);
  });

  test('stays open with the reason where it could not be saved, and keeps what was typed', async () => {
    const message = 'The report could not be saved to /x: permission denied (EACCES).';
    const screen = await open({ refuse: { 'diagnostics.choose': { code: 'bad-input', message } } });
    await screen.click('Save as…');
    expect(screen.text()).toContain(message);
    expect(screen.text()).toContain('Node: 22.21.1');
  });
});
