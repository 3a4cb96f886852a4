import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';
import { RESOURCES } from '../grading/sandbox';

export type StartedService = {
  readonly address: string;
  readonly tokenPath: string;
  /** All that it has printed. */
  readonly output: () => string;
  readonly child: ChildProcess;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
};

/** The built service in a process of its own, once it listens; ended with the test. */
export async function startService(
  args: readonly string[] = [],
  tokenPath?: string,
): Promise<StartedService> {
  const script = await buildScript(resolve('main/grader-service/program.ts'));
  const token = tokenPath ?? join(await temporaryFolder(), 'token');
  return listening([script, '--resources', RESOURCES, '--token-file', token, ...args]);
}

/** A process of Node that serves with these words, once it listens. */
export async function listening(words: readonly string[]): Promise<StartedService> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const ended = new Promise<number | null>((done) => child.on('close', (code) => done(code)));
  const found = new Promise<[string, string]>((listens, fail) => {
    const read = (piece: Buffer): void => {
      output += piece.toString();
      const [, address, path] =
        /Grader service on (\S+) .*\nIts token is in the file (.*)\n/.exec(output) ?? [];
      if (address !== undefined && path !== undefined) listens([address, path]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => fail(new Error(`The service ended with code ${code}: ${output}`)));
  });
  const [address, tokenPath] = await found;
  return { address, tokenPath, output: () => output, child, ended };
}
