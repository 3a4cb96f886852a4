import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { sampleAnalysis } from '../../support/sample-records';
import { sampleStudyView } from '../../support/sample-study';
import { typeCommand } from '../../support/typed-command';

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
