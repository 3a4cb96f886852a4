import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endShell, openShell } from '../../../main/machines/ssh/shell';
import { temporaryFolder } from '../../support/temporary-folder';

/** Stands in for ssh: writes its arguments down, prints what a replay of them prints, and only then runs the command. */
const REPLAYED = `#!/bin/sh
for word; do :; done
printf '%s\\n' "$word" >>"$0.seen"
sh -c "$word" </dev/null
sleep 0.3; echo 'the rc file ends'
exec sh -c "$word"
`;

test('who reads the arguments of a shell cannot have it taken for begun, nor learns its token', async () => {
  const program = join(await temporaryFolder(), 'ssh');
  await writeFile(program, REPLAYED);
  await chmod(program, 0o755);
  const open = async (): Promise<string> => {
    const opened = await openShell({ ssh: { program, args: [] }, path: 'socket', host: 'lab' });
    if (!opened.ok) throw new Error(opened.error.kind);
    const shell = opened.value;
    onTestFinished(() => endShell(shell));
    let printed = '';
    const done = new Promise<string>((resolve) => {
      shell.stdout.resume().on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.endsWith('on\n')) resolve(printed);
      });
    });
    shell.stdin.write('echo on\n');
    return done;
  };
  expect([await open(), await open()]).toEqual(['on\n', 'on\n']);
  const [first, second] = (await readFile(`${program}.seen`, 'utf8')).split('\n');
  expect(first).toBe(second);
});
