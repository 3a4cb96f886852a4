import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { reportHandlers } from '../../../main/app/handlers/report-handlers';
import { createLongTasks } from '../../../main/app/long-tasks';
import { Emitter } from '../../../main/base';
import { CliOptions, type OptionValues, UsageError } from '../../../main/cli/cli-options';
import { bundle, exportReport } from '../../../main/cli/report-commands';
import type { Host } from '../../../main/cli/study-command';
import type { StudyView, WorkbenchEvent } from '../../../preload/contract';
import { reportHouse } from '../../support/report-house';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

const study = sampleStudy({ problems: 4, nodes: 4 });

/** A host with the real handlers of reports; of the rest only the lists that sources are found in. */
async function hostOf(studies = [study]): Promise<Host> {
  const { reports } = await reportHouse(studies);
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

/** Exit code and what was printed. */
async function typed(
  command: typeof exportReport,
  host: Host,
  values: OptionValues,
  ...words: string[]
): Promise<{ readonly code: number; readonly out: string; readonly said: string }> {
  const out: string[] = [];
  const said: string[] = [];
  const write = (to: string[]) => (text: string | Uint8Array) => {
    to.push(String(text));
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(write(said)),
  ];
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
  };
  onTestFinished(restore);
  const code = await command(host, new CliOptions(values, words)).finally(restore);
  return { code, out: out.join(''), said: said.join('') };
}

it('lists the parts of a study, and writes the one that is named with its manifest', async () => {
  const host = await hostOf();
  const listed = await typed(exportReport, host, { list: true }, study.id);
  expect(listed.out).toMatch(/^results +table +Results by configuration$/m);
  expect(listed.out).toMatch(/^solves-grid +figure +Who solves what$/m);
  const out = join(await temporaryFolder(), 'pairs.tex');
  const written = await typed(exportReport, host, { format: 'latex', part: 'pairs', out }, study.id);
  expect(written).toMatchObject({ code: 0, said: `Written: ${out}\nWritten: ${out}.manifest.json\n` });
  expect(await readFile(out, 'utf8')).toContain('\\label{tab:pairs}');
});

it('pools runs and studies under the labels that are typed', async () => {
  const host = await hostOf();
  const out = join(await temporaryFolder(), 'table.csv');
  const [first, second] = study.runs;
  const words = [`${first?.id}=ours`, `${second?.id}=ours`];
  expect((await typed(exportReport, host, { format: 'csv', out }, ...words)).code).toBe(0);
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['ours']);
});

it('says what there is where a part can not be written so', async () => {
  const out = join(await temporaryFolder(), 'x');
  const refused = await typed(exportReport, await hostOf(), { format: 'svg', part: 'pairs', out }, study.id);
  expect(refused.code).toBe(1);
  expect(refused.said).toContain('There are: results, pairs,');
});

it.each<[OptionValues, string[]]>([
  [{ format: 'word' }, [study.id]],
  [{ format: 'csv' }, []],
  [{ format: 'csv' }, [study.id]],
  [{ part: 'pairs' }, [study.id]],
])('%o is wrong usage', async (values, words) => {
  await expect(exportReport(await hostOf(), new CliOptions(values, words))).rejects.toThrow(UsageError);
});

it('a bundle that is written by one lab is opened by another, whose tables are the same', async () => {
  const out = join(await temporaryFolder(), 'x.mars2.zip');
  expect((await typed(bundle, await hostOf(), { out }, 'write', study.id)).code).toBe(0);
  const opened = await typed(bundle, await hostOf([]), {}, 'open', out);
  expect(opened.code).toBe(0);
  expect(opened.out).toContain(`study         ${study.id}`);
  expect(opened.out).toMatch(/\d+ tables worked out again from its journals: the same to the byte\./);
  await expect(bundle(await hostOf(), new CliOptions({}, ['burn']))).rejects.toThrow(UsageError);
});
