import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { exhibitHandlers } from '../../../main/app/handlers/exhibit-handlers';
import { Emitter } from '../../../main/base';
import type { Host } from '../../../main/cli/host';
import { createExhibitLibrary } from '../../../main/exhibits';
import type { WorkbenchEvent } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

async function openHost(): Promise<{ host: Host; folder: string }> {
  const folder = await temporaryFolder();
  const exhibits = createExhibitLibrary({
    builtInFolder: 'resources/exhibits',
    ownFolder: join(folder, 'exhibits'),
  });
  const fillExhibit = () => Promise.reject(new Error('Nothing is filled'));
  const call = dispatcher(
    exhibitHandlers({ exhibits, fillExhibit, studies: { list: () => [] }, trainings: { list: () => [] } }),
    (error) => {
      throw error;
    },
  );
  return { host: { call, events: new Emitter<WorkbenchEvent>() }, folder };
}

const SET = ['exhibits', 'set-value', 'mars2-systems', '--cell', '8b-base.pass-n', '--value', '69.7'];

test('a value is entered, listed with its source, and removed again', async () => {
  const { host } = await openHost();
  const set = await typeCommand(host, ...SET, '--page', '7', '--where', 'Table 3');
  expect(set).toMatchObject({ code: 0 });
  expect(set.out).toBe('8b-base.pass-n: 69.7. Entered by the lab from p. 7, Table 3.\n');
  const removed = await typeCommand(
    host,
    'exhibits',
    'remove-value',
    'mars2-systems',
    '--cell',
    '8b-base.pass-n',
  );
  expect(removed).toMatchObject({ code: 0, out: '' });
});

test('without page or table nothing is entered', async () => {
  const { host } = await openHost();
  expect(await typeCommand(host, ...SET, '--where', 'Table 3')).toMatchObject({ code: 2 });
  expect(await typeCommand(host, ...SET, '--page', '7')).toMatchObject({ code: 2 });
  expect(await typeCommand(host, ...SET, '--page', '0', '--where', 'Table 3')).toMatchObject({ code: 2 });
});

test('a file enters many at once', async () => {
  const { host, folder } = await openHost();
  const path = join(folder, 'values.csv');
  await writeFile(path, 'line,x,value,page,where\nHomo,10,48,9,Figure 4\nHomo,20,50,9,Figure 4\n');
  const read = await typeCommand(host, 'exhibits', 'import-values', 'learning-curves', path);
  expect(read.out).toContain('Homo, x = 20: 50. Entered by the lab from p. 9, Figure 4.');
});
