import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { reportHandlers } from '../../../main/app/handlers/report-handlers';
import { createLongTasks } from '../../../main/app/long-tasks';
import { Emitter, ok } from '../../../main/base';
import { createReportService } from '../../../main/reports';
import type { RoomItem, WorkbenchEvent } from '../../../preload/contract';
import { reportProject } from '../../support/report-project';
import { sampleUsage } from '../../support/sample-usage';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

const ITEM: RoomItem = {
  id: 'tools learner-0123456789abcdef',
  kind: 'program',
  label: 'Older upload of learner',
  path: 'tools/learner-0123456789abcdef',
  bytes: 2_000_000,
  at: '2026-10-01T00:00:00.000Z',
};

async function terminal() {
  const { deps } = await reportProject();
  const reports = createReportService({
    ...deps,
    usage: async (request) => ({ ok: true, value: sampleUsage(true, request) }),
  });
  const events = new Emitter<WorkbenchEvent>();
  const cleaned: (readonly string[])[] = [];
  const call = dispatcher(
    {
      ...reportHandlers({ reports, tasks: createLongTasks(events, () => 0) }),
      'job.usage': async (request) => ({
        ok: true,
        value: sampleUsage(request.month !== '2026-01', request),
      }),
      'machine.room': async () => ({
        ok: true,
        value: { items: [ITEM], kept: ['The newest upload stays.'] },
      }),
      'machine.clean': async ({ ids }) => {
        cleaned.push(ids);
        return { ok: true, value: { removed: ids.length, bytes: 2_000_000, problems: [] } };
      },
    },
    (error) => {
      throw error;
    },
  );
  return { cleaned, type: (...words: string[]) => typeCommand({ call, events }, ...words) };
}

test('jobs usage prints rows and the total, and what is not in it', async () => {
  const { type } = await terminal();
  const { out, err, code } = await type('jobs', 'usage', '--month', '2026-11');
  expect(code).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines[0]).toMatch(/^project +GPU-hours +hours +jobs +prompt tokens +completion tokens$/);
  expect(out).toMatch(/Five methods, five seeds \(experiment\)/);
  expect(lines.at(-1)).toMatch(/^total +459\.00 +157\.50 +12 /);
  expect(err).toContain('other users of a machine');
  expect((await type('jobs', 'usage', '--month', '2026-01')).out).toBe('Nothing was used.\n');
  const wrong = await type('jobs', 'usage', '--month', '11/2026');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--month takes a month like 2026-11')]);
});

test('jobs of one name are printed with where they ran and their ids', async () => {
  const amount = { gpuHours: 1, hours: 1, jobs: 1, promptTokens: 0, completionTokens: 0 };
  const row = (id: string, label: string, about: string) => ({
    ...amount,
    id,
    label,
    about,
    target: null,
    isOpen: false,
  });
  const rows = [
    row('job a', 'serve', 'on gpu1, a'),
    row('job b', 'serve', 'on gpu1, b'),
    row('job c', 'eval', 'on gpu1'),
  ];
  const usage = { months: ['2026-11'], rows, leftOut: 1, total: amount, notes: [] };
  const call = async () => ok(usage) as never;
  const { out } = await typeCommand(
    { call, events: new Emitter<WorkbenchEvent>() },
    'jobs',
    'usage',
    '--by',
    'job',
  );
  expect(out).toMatch(/^serve \(on gpu1, a\) .*\nserve \(on gpu1, b\) .*\neval +1\.00/m);
  expect(out).toContain('Not listed, but in the total: 1 smaller row.');
});

test('jobs usage writes a CSV file whose manifest names the command that writes it again', async () => {
  const { type } = await terminal();
  const file = join(await temporaryFolder(), 'usage.csv');
  expect((await type('jobs', 'usage', '--by', 'month', '--csv', file)).code).toBe(0);
  const text = await readFile(file, 'utf8');
  expect(text.split(/\r?\n/).slice(0, 2)).toEqual([
    'group,row,complete,gpu_hours,hours,jobs,prompt_tokens,completion_tokens,about_table',
    expect.stringMatching(/^,2026-11,no,459,157\.5,12,/),
  ]);
  const manifest = JSON.parse(await readFile(`${file}.manifest.json`, 'utf8'));
  expect(manifest.command).toBe('npm run -s cli -- jobs usage --by month --csv FILE');
});

test('machines clean shows what may go, and removes it with --yes alone', async () => {
  const { type, cleaned } = await terminal();
  const shown = await type('machines', 'clean', 'gpu1');
  expect(shown.out).toMatch(/tools\/learner-0123456789abcdef +2 MB +2026-10-01 +Older upload of learner/);
  expect(shown.out).toContain('The newest upload stays.');
  expect(shown.err).toContain('Nothing was changed. To remove it: mars2 machines clean gpu1 --yes');
  expect(cleaned).toEqual([]);
  const done = await type('machines', 'clean', 'gpu1', '--yes');
  expect([done.code, cleaned]).toEqual([0, [[ITEM.id]]]);
  expect(done.err).toContain('Removed: 1, 2 MB.');
});
