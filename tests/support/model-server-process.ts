import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';

export type ModelServerProcess = {
  readonly baseUrl: string;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => string;
  readonly dispose: () => Promise<void>;
};

/** The real server process on a free port, ready to answer. */
export async function startModelServer(script: string, args: readonly string[]): Promise<ModelServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'mars2-server-'));
  const portFile = join(folder, 'port.json');
  const child = spawn(process.execPath, [script, ...args, '--port', '0', '--port-file', portFile]);
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const text = await eventually('the port file', async () => {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode}:\n${chunks.join('')}`);
    return await readFile(portFile, 'utf8').catch(() => null);
  });
  const { port } = JSON.parse(text);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    child,
    output: () => chunks.join(''),
    dispose: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A recording with `problems` problems "p/0", "p/1" ... of `samples` distinct programs each. */
export async function writeRecording(path: string, problems: number, samples: number): Promise<void> {
  const lines = Array.from({ length: problems }, (_, problem) =>
    JSON.stringify({
      problemId: `p/${problem}`,
      samples: Array.from(
        { length: samples },
        (_, sample) => `def solve():\n    return ${problem}, ${sample}\n`,
      ),
    }),
  );
  await writeFile(path, `${lines.join('\n')}\n`);
}
