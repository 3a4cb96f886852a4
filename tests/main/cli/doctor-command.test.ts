import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test("the doctor names the workbench's own log, beside its report", async () => {
  const dataDir = await temporaryFolder();
  const call = dispatcher({ 'machine.doctor': async () => ({ ok: true, value: [] }) }, (error) => {
    throw error;
  });
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { code, out, err } = await typeCommand(host, 'doctor', '--json', '--data', dataDir);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([]);
  expect(err).toContain(`The workbench's own log: ${join(dataDir, 'app.log')}`);
});
