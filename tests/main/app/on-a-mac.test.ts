import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { JobView, ServiceInfo } from '../../../preload/contract';
import { asAMac, canBeAMac } from '../../support/as-a-mac';
import { buildWorkbench } from '../../support/built-workbench';
import { eventually } from '../../support/eventually';

let project = '';
beforeAll(async () => {
  project = await buildWorkbench();
});

async function laptop() {
  const mac = await asAMac();
  const mars2 = (...words: readonly string[]) => {
    const child = mac.node([join(project, 'out', 'main', 'cli.js'), ...words]);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      errors += piece.toString();
    });
    return new Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>(
      (ended) => child.once('close', (code) => ended({ code, output, errors })),
    );
  };
  const started = async (line: string): Promise<string> => {
    const job = await mars2('jobs', 'start', 'local', '--json', '--', line);
    expect(job.code, job.errors).toBe(0);
    return (JSON.parse(job.output) as JobView).id;
  };
  return { ...mac, mars2, started };
}

/** By Linux' own process table; one that nobody has asked about since its end does not run. */
const runs = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /^\d+ \(.*\) [^ZX] /s.test(stat);
};

/** Another process table, other tools, another place of the data: what Linux can show of a Mac. No Mac was at hand. */
test.skipIf(!canBeAMac)(
  'without /proc and the tools of Linux, jobs run, are followed, fail and are stopped with all that they started; files are listed and copied (needs root)',
  async () => {
    const { mars2, started, home, folder } = await laptop();
    expect((await mars2('machines', 'list')).output).toMatch(/Darwin 23\.6 arm64/);
    expect(existsSync(join(home, 'Library', 'Application Support', 'mars2-workbench'))).toBe(true);
    const id = await started('echo one; sleep 1; echo two; exit 3');
    expect((await mars2('jobs', 'logs', id, '-f')).output).toBe('one\ntwo\n');
    expect((await mars2('jobs', 'show', id)).output).toContain('failed with code 3');
    const pids = join(folder, 'pids');
    const long = await started(`sleep 300 & sleep 300 & echo $$ $! >${pids}; wait`);
    const [shell = 0, child = 0] = await eventually('its processes', async () => {
      const text = await readFile(pids, 'utf8').catch(() => '');
      return text.endsWith('\n') ? text.trim().split(' ').map(Number) : null;
    });
    expect((await mars2('jobs', 'list')).output).toMatch(/running/);
    expect([await runs(shell), await runs(child)]).toEqual([true, true]);
    const stopped = await mars2('jobs', 'stop', long);
    expect(stopped.code, stopped.errors).toBe(0);
    expect([await runs(shell), await runs(child)]).toEqual([false, false]);
    const source = join(folder, 'a table.csv');
    await writeFile(source, 'a,b\n');
    expect((await mars2('machines', 'files', 'local', folder)).output).toMatch(/4 .* a table\.csv/);
    const copied = await mars2('machines', 'download', 'local', source, '--out', join(folder, 'copy.csv'));
    expect(copied.code, copied.errors).toBe(0);
  },
  240_000,
);

test.skipIf(!canBeAMac)(
  'the service starts by crontab there, is started again when it is killed, and its jobs go on; programs are graded elsewhere (needs root)',
  async () => {
    const { mars2, started, crontab, folder } = await laptop();
    onTestFinished(async () => void (await mars2('service', 'stop')));
    const service = await mars2('service', 'start');
    expect(service.code, service.errors).toBe(0);
    expect(service.errors).toContain('your crontab has a line');
    expect(await crontab()).toMatch(/^\*\/5 \* \* \* \* .* service start --data/);
    const id = await started('sleep 300');
    const info = async () =>
      (JSON.parse((await mars2('service', 'status', '--json')).output) as { openBy: ServiceInfo | null })
        .openBy;
    const pid = (await info())?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually('the next one', async () => ((await info())?.pid ?? pid) !== pid);
    expect((await mars2('jobs', 'show', id)).output).toContain('running');
    expect((await mars2('jobs', 'stop', id)).code).toBe(0);
    const graded = await mars2('quickstart', '--problems', '2', '--nodes', '2', '--out', join(folder, 'out'));
    expect(graded.code).toBe(3);
    expect(graded.errors).toContain('Grade on a Linux machine of your lab');
    expect((await mars2('service', 'stop')).code).toBe(0);
    expect(await crontab()).toBe('');
  },
  240_000,
);
