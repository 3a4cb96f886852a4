import { expect, test } from 'vitest';
import { closedDuringCommand } from '../../../main/app/control/no-connection';
import { Emitter, ok } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { sampleAnalysis } from '../../support/sample-records';
import { sampleStudyView } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test('a study whose workbench was closed meanwhile is resumed, not begun again', async () => {
  const call = async (command: string) =>
    command === 'quickstart.start'
      ? ok({ studyId: 'one' })
      : command === 'settings.change'
        ? ok(null)
        : closedDuringCommand();
  const host = { call: call as never, events: new Emitter<WorkbenchEvent>() };
  const { code, err } = await typeCommand(host, 'quickstart', '--out', await temporaryFolder());
  expect(code).toBe(3);
  expect(err).toContain('was closed during the command.\nFinished work is saved.');
  expect(err).toContain('mars2 resume one');
  expect(err).not.toContain('Run the command again');
});

test('resume needs no folder: the results are in the data folder', async () => {
  const view = sampleStudyView({ id: 'one' });
  const called: string[] = [];
  const call = async (command: string) => {
    called.push(command);
    return ok(command === 'study.list' ? [view] : sampleAnalysis()) as never;
  };
  const { code, err } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'resume', 'one');
  expect(code).toBe(0);
  expect(called).not.toContain('export.write');
  expect(err).toContain('No CSV files were written: for them add --out DIR');
});
