import { act } from 'react';
import { expect, test } from 'vitest';
import { MachinesScreen } from '../../../renderer/machines';
import { useMachines } from '../../../renderer/state';
import { copiedTexts, menuEntries, openMenuFrom } from '../../support/context-menu';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleJob } from '../../support/sample-jobs';

const lineOf = (name: string): Element | null =>
  [...document.querySelectorAll('main li, li')].find(
    (line) => line.querySelector('a')?.textContent === name,
  ) ?? expect.fail(`There is no machine ${name}`);

test("a machine's menu opens it, starts things on it and asks before it is removed", async () => {
  const copied = copiedTexts();
  const screen = await renderScreen(<MachinesScreen />, SCENES.machines);
  // Shift+F10 on the link, which is what has the focus there.
  await openMenuFrom(lineOf('gpu-a')?.querySelector('a') ?? null);
  expect(menuEntries()).toEqual([
    'Open',
    'Open terminal',
    'Launch a server',
    'Start a job',
    'Disconnect',
    'Edit',
    'Remove…',
    'Copy id',
  ]);
  await screen.click('Copy id');
  expect(copied).toEqual(['gpu-a']);
  await openMenuFrom(lineOf('gpu-a'));
  await screen.click('Remove…');
  expect(screen.text()).toContain('Remove gpu-a?');
  expect(screen.sample.calls).not.toContain('machine.remove');
});

test('this computer is neither edited nor removed', async () => {
  await renderScreen(<MachinesScreen />, SCENES.machines);
  const local = document.querySelector('li a[href="#/machines/local"]');
  await openMenuFrom(local);
  expect(menuEntries()).toEqual(['Open', 'Open terminal', 'Launch a server', 'Start a job', 'Copy id']);
});

test('what has failed on a GPU is a line of its own, below the bars of the others', async () => {
  await renderScreen(<MachinesScreen />, SCENES.machines);
  const failed = [...document.querySelectorAll('li')].find(({ textContent }) =>
    /^7 ?It has fallen off the bus/.test(textContent ?? ''),
  );
  expect(failed?.querySelector('i')).toBeNull();
  expect(failed?.parentElement?.lastElementChild).toBe(failed);
});

test('jobs that wait for their turn are not counted as running', async () => {
  const jobs = (['running', 'queued', 'queued'] as const).map((kind, at) =>
    sampleJob({
      id: `j${at}`,
      machineId: 'gpu-a',
      state: kind === 'queued' ? { kind, why: '' } : { kind, pid: 1 },
    }),
  );
  const screen = await renderScreen(<MachinesScreen />, { ...SCENES.machines, lab: { jobs } });
  await screen.until('1 job running, 2 waiting');
});

test('machines are drawn again when a job takes or leaves a GPU, and not with every change of a job', async () => {
  let drawn = 0;
  const Machines = () => {
    useMachines();
    drawn += 1;
    return null;
  };
  const screen = await renderScreen(<Machines />, SCENES.machines);
  const job = sampleJob({ id: 'k1', machineId: 'gpu-a', state: { kind: 'running', pid: 1 }, gpuIds: ['g'] });
  const change = (part: Partial<typeof job>) =>
    act(async () => screen.sample.emit({ kind: 'job-changed', job: { ...job, ...part } }));
  await change({});
  const before = drawn;
  await change({ logBytes: 512 });
  expect(drawn).toBe(before);
  await change({ state: { kind: 'exited', code: 0, endedAt: '2026-01-05T09:30:00.000Z' } });
  expect(drawn).toBeGreaterThan(before);
});
