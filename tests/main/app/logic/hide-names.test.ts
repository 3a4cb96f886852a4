import { describe, expect, it } from 'vitest';
import { hideNames, nameTable } from '../../../../main/app/logic/hide-names';
import { knownNames } from '../../../../main/app/logic/known-names';
import { sampleMachine } from '../../../support/sample-machines';

const here = {
  home: '/home/ada.l',
  dataDir: '/home/ada.l/.local/share/mars2-workbench',
  project: '/opt/mars2',
  user: 'ada.l',
  hostname: 'desk-7.lab',
};
const machines = [
  sampleMachine({ kind: 'local', id: 'local', name: 'This computer' }, { kind: 'off' }),
  sampleMachine(
    { kind: 'ssh', id: 'gpu1', name: 'Big [box]', host: 'lovelace@gpu1.uni.xyz' },
    { kind: 'off' },
  ),
];
const known = nameTable(knownNames(here, machines));

describe('names in a report', () => {
  it.each([
    ['/home/ada.l/.local/share/mars2-workbench/app.log', '<data folder>/app.log'],
    ['cd ~ada.l && ls /home/ada.l/x', 'cd ~<user> && ls ~/x'],
    ['at start (/opt/mars2/out/main/index.js:1:2)', 'at start (<workbench>/out/main/index.js:1:2)'],
    ['Desk-7 and desk-7.lab', '<this computer> and <this computer>'],
    [
      'gpu1: GPU1.uni.xyz refused lovelace; Big [box] is away',
      '<machine 1>: <machine 1> refused <user>; <machine 1> is away',
    ],
    ['ssh: connect to host 10.0.0.7 port 22: timed out', 'ssh: connect to host <host> port 22: timed out'],
    ['Could not resolve hostname vault', 'Could not resolve hostname <host>'],
    ['mail bob@cs.uni.edu, see https://bob:x@wiki/x?a=1', 'mail <user>@<host>, see https://<host>/x?a=1'],
    ['/home/bob/x and /Users/bob', '/home/<user>/x and /Users/<user>'],
    [
      'node3.cluster.internal at fe80::1ff:fe23:4567:890a and 192.168.1.20',
      '<host> at <address> and <address>',
    ],
  ])('%s', (text, shown) => {
    expect(hideNames(text, known)).toBe(shown);
  });

  it.each([
    'gpu10 and mygpu1x are other words',
    '2026-01-05T09:30:00.000Z error jobs, 17: exit code 1',
    'http://127.0.0.1:8000/v1, http://localhost:1/ and https://huggingface.co/x',
    'Chromium 142.0.7444.175, driver 535.104.05, index.test.ts, app.log.1, python3.11',
    'root has /root, and a user of the node',
  ])('leaves "%s" as it is', (text) => {
    expect(hideNames(text, known)).toBe(text);
  });
});
