import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { reportHandlers } from '../../../main/app/handlers/report-handlers';
import { createLongTasks } from '../../../main/app/long-tasks';
import { Emitter } from '../../../main/base';
import type { Host } from '../../../main/cli/host';
import type { StudyView, WorkbenchEvent } from '../../../preload/contract';
import { reportProject } from '../../support/report-project';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

const study = sampleStudy({ problems: 4, nodes: 4 });

/** A host with the real handlers of reports; of the rest only the lists that sources are found in. */
async function hostOf(studies = [study]): Promise<Host> {
  const { reports } = await reportProject(studies);
  const events = new Emitter<WorkbenchEvent>();
  const call = dispatcher(
    {
      'study.list': async () => ({ ok: true, value: studies.map((one) => ({ study: one }) as StudyView) }),
      'reproduction.list': async () => ({ ok: true, value: [] }),
      ...reportHandlers({ reports, tasks: createLongTasks(events, () => 0) }),
    },
    (error) => {
      throw error;
    },
  );
  return { call, events };
}

it('lists the parts of a study, and writes the one that is named with its manifest', async () => {
  const host = await hostOf();
  const listed = await typeCommand(host, 'export', study.id, '--list');
  expect(listed.out).toMatch(/^results +table +Results by configuration$/m);
  expect(listed.out).toMatch(/^solves-grid +figure +Who solves what$/m);
  const out = join(await temporaryFolder(), 'pairs.tex');
  const written = await typeCommand(
    host,
    'export',
    study.id,
    '--format',
    'latex',
    '--part',
    'pairs',
    '--out',
    out,
  );
  expect(written).toMatchObject({ code: 0, err: `Written: ${out}\nWritten: ${out}.manifest.json\n` });
  expect(await readFile(out, 'utf8')).toContain('\\label{tab:pairs}');
});

it('pools runs and studies under the labels that are typed', async () => {
  const host = await hostOf();
  const out = join(await temporaryFolder(), 'table.csv');
  const [first, second] = study.runs;
  const args = [`${first?.id}=ours`, `${second?.id}=ours`];
  expect((await typeCommand(host, 'export', ...args, '--format', 'csv', '--out', out)).code).toBe(0);
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['ours']);
});

it('says what there is where a part cannot be written so', async () => {
  const out = join(await temporaryFolder(), 'x');
  const refused = await typeCommand(
    await hostOf(),
    'export',
    study.id,
    '--format',
    'svg',
    '--part',
    'pairs',
    '--out',
    out,
  );
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('There are: results, pairs,');
});

it.each([
  ['export', study.id, '--format', 'word'],
  ['export', '--format', 'csv'],
  ['export', study.id, '--format', 'csv'],
  ['export', study.id, '--part', 'pairs'],
  ['bundles', 'burn'],
])('%s %s %s %s is wrong usage', async (...args) => {
  expect((await typeCommand(await hostOf(), ...args)).code).toBe(2);
});

it('says what a bundle would hold before it is written, and writes none where only that is asked', async () => {
  const out = join(await temporaryFolder(), 'x.mars2.zip');
  const listed = await typeCommand(await hostOf(), 'bundles', 'write', study.id, '--list');
  expect(listed.code).toBe(0);
  expect(listed.err).toMatch(/The bundle holds:\n {2}1 study .*:\n {4}\S.*\n {2}\d+ journals .*/);
  const written = await typeCommand(await hostOf(), 'bundles', 'write', study.id, '--out', out);
  expect(written.err).toContain('Left out:\n  saved keys, values of environment variables, typed commands');
});

it('a bundle that is written by one lab is opened by another, whose tables are the same', async () => {
  const out = join(await temporaryFolder(), 'x.mars2.zip');
  expect((await typeCommand(await hostOf(), 'bundles', 'write', study.id, '--out', out)).code).toBe(0);
  const opened = await typeCommand(await hostOf([]), 'bundles', 'open', out);
  expect(opened.code).toBe(0);
  expect(opened.out).toContain(`study         ${study.id}`);
  expect(opened.out).toMatch(/\d+ tables computed again from its journals: the same to the byte\./);
});
