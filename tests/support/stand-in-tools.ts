import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '../../main/base';
import { createLocalMachine, type Machine } from '../../main/machines';
import type { MachineSpec } from '../../preload/contract';
import { temporaryFolder } from './temporary-folder';

const run = promisify(execFile);

export type ToolBench = {
  /** This computer, whose scripts find the stand-ins first. */
  readonly machine: Machine;
  /** Folder of the stand-ins. */
  readonly tools: string;
  /** What its scripts take for the home folder; empty at first. */
  readonly home: string;
  /** Puts a program of that name there: the body of a POSIX shell script, which says in its name what it stands in for. */
  readonly standIn: (name: string, body: string) => Promise<void>;
};

/**
 * This computer with stand-ins for programs that it lacks. `without` takes real programs away (all of /usr/bin and /bin
 * are there but these).
 */
export async function toolBench(
  options: { readonly without?: readonly string[]; readonly spec?: MachineSpec } = {},
): Promise<ToolBench> {
  const folder = await temporaryFolder();
  const [tools, home] = [join(folder, 'tools'), join(folder, 'home')];
  await mkdir(tools);
  await mkdir(home, { mode: 0o700 });
  let path = [tools, process.env.PATH ?? ''].join(delimiter);
  if (options.without !== undefined) {
    const rest = join(folder, 'rest');
    await mkdir(rest);
    await run('sh', ['-c', 'ln -s /usr/bin/* "$1"/', 'sh', rest]);
    for (const name of options.without) await rm(join(rest, name), { force: true });
    path = [tools, rest].join(delimiter);
  }
  const local = createLocalMachine(home, options.spec);
  const set = { PATH: path, HOME: home, TMPDIR: folder };
  const before = Object.entries(set)
    .map(([name, value]) => `${name}=${shellWord(value)}; export ${name}`)
    .join('\n');
  return {
    machine: {
      ...local,
      run: (script, how) => local.run(`${before}\n${script}`, how),
      spawn: (command, args, env) => local.spawn(command, args, { ...set, ...env }),
    },
    tools,
    home,
    standIn: async (name, body) => {
      await writeFile(join(tools, name), `#!/bin/sh\n# A stand-in for ${name}, for tests.\n${body}\n`);
      await chmod(join(tools, name), 0o755);
    },
  };
}
