import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { OVERWRITE, visibleText } from '../../../main/cli/terminal-output';
import { buildWorkbench } from '../../support/built-workbench';
import { temporaryFolder } from '../../support/temporary-folder';

test.each([
  ['a title and a cleared screen', 'a\u001b]0;mine\u0007b\u001b[2Jc', 'a\\u{1b}]0;mine\\u{7}b\\u{1b}[2Jc'],
  ['the one-byte forms of them', 'a\u009b2J\u0090b', 'a\\u{9b}2J\\u{90}b'],
  ['colours, which are left out', '\u001b[1;31mred\u001b[0m', 'red'],
  ['a bar that draws itself over', ' 10%\r 20%\r\nend\n', ' 10%\n 20%\nend\n'],
  ['writing turned around', 'cod\u202efdp.exe', 'cod\\u{202e}fdp.exe'],
  ['tabs, lines, other scripts and joined emoji', 'α\tβ\n👩\u200d💻', 'α\tβ\n👩\u200d💻'],
  ['our own line that changes', `${OVERWRITE}3 of 4\r\u001b[K`, `${OVERWRITE}3 of 4\n\\u{1b}[K`],
])('a terminal is shown %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('a real terminal gets no control of a job’s log or of a name; a pipe gets every byte', async () => {
  const project = await buildWorkbench();
  const dataDir = await temporaryFolder();
  const words = (noun: string, verb: string, ...of: string[]) => [
    ...[join(project, 'out', 'main', 'cli.js'), noun, verb, '--data', dataDir],
    ...of,
  ];
  const hostile = '\u001b]0;mine\u0007\u001b[2Jdone';
  const run = (...of: Parameters<typeof words>) =>
    execFileSync(process.execPath, words(...of), { encoding: 'utf8' });
  const name = 'a\u001b[2Jb';
  const started = run('jobs', 'start', 'local', '--name', name, '--json', '--', 'printf', hostile);
  const { id } = JSON.parse(started) as { id: string };
  expect(run('jobs', 'logs', id, '-f')).toBe(hostile);
  const onTerminal = (...of: Parameters<typeof words>) =>
    new Promise<string>((resolve) => {
      const terminal = spawn(process.execPath, words(...of), { cols: 200, rows: 30 });
      let output = '';
      terminal.onData((text) => {
        output += text;
      });
      terminal.onExit(() => resolve(output));
    });
  const [log, list] = [await onTerminal('jobs', 'logs', id), await onTerminal('jobs', 'list')];
  expect(log).toContain('\\u{1b}]0;mine\\u{7}\\u{1b}[2Jdone');
  expect(`${log}${list}`).not.toContain('\u001b');
  expect(list).toContain('local');
});
