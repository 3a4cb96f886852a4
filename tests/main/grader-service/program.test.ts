import { spawn } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { openRemoteGrader, probeSandbox } from '../../../main/grading';
import { pocketProblems } from '../../../main/pocket';
import { buildWorkbench } from '../../support/built-workbench';
import { buildScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';
import { RESOURCES } from '../grading/sandbox';
import { listening, startService } from './started';

/* The program as it is copied to machines: one file, and the grader's resources. */
const sandboxProblem = await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false });

describe.skipIf(sandboxProblem !== null)(
  'the program of the grader service (skipped where no sandbox starts)',
  () => {
    test('shows its address and the private file of its token, grades problems of the library, ends on SIGTERM', async () => {
      const dataDir = await temporaryFolder();
      const options = { split: 'test', seed: 1, count: 2 } as const;
      const library = createBenchmarkLibrary({ dataDir, clock: Date.now });
      const benchmark = await library.ensurePocket(options);
      if (!benchmark.ok) throw new Error(benchmark.error.message);
      const { address, tokenPath, output, child, ended } = await startService(['--data', dataDir]);
      expect((await stat(tokenPath)).mode & 0o777).toBe(0o600);
      const token = (await readFile(tokenPath, 'utf8')).trim();
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(output()).not.toContain(token);

      const [first, second] = pocketProblems(options);
      const problem = { benchmark: benchmark.value.id, id: first?.id };
      const program = first?.canonicalProgram;
      const items = [
        { program, problem },
        { program: second?.canonicalProgram, problem: { ...problem, tests: 'private' } },
        { program, problem: { ...problem, id: 'pocket/none' } },
        { program, problem: { ...problem, benchmark: 'no-such' } },
      ];
      const headers = { authorization: `Bearer ${token}` };
      const body = JSON.stringify({ items });
      const response = await fetch(`${address}/v1/grade`, { method: 'POST', headers, body });
      const { results } = (await response.json()) as { results: { score?: number; tests?: unknown[] }[] };
      expect(results[0]).toMatchObject({ verdict: 'passed', score: 1 });
      expect(results[0]?.tests).toHaveLength(
        (first?.publicTests.length ?? 0) + (first?.privateTests.length ?? 0),
      );
      expect(results[1]?.tests).toHaveLength(first?.privateTests.length ?? 0);
      expect(results[1]?.score).toBeLessThan(1);
      expect(results.slice(2)).toMatchObject([
        { error: { code: 'not-found' } },
        { error: { code: 'not-found' } },
      ]);

      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(output()).toContain('Ended; everything that was asked for is graded.');
      expect((await readFile(tokenPath, 'utf8')).trim()).toBe(token);
    });

    test('uses the token that is there, unless others can read it', async () => {
      const folder = await temporaryFolder();
      const tokenPath = join(folder, 'token');
      const token = 'kept-0123456789-0123456789-0123456789';
      await writeFile(tokenPath, `${token}\n`, { mode: 0o600 });
      const { address, child, ended } = await startService([], tokenPath);
      const opened = await openRemoteGrader({ address, token });
      expect(opened.ok).toBe(true);
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(await readFile(tokenPath, 'utf8')).toBe(`${token}\n`);
      await chmod(tokenPath, 0o640);
      const refused = await refusal(['--token-file', tokenPath]);
      expect(refused).toEqual([1, expect.stringMatching(/other users can read it/)]);
    });
  },
);

test.skipIf(sandboxProblem !== null)('the terminal serves with a token for this start alone', async () => {
  const project = await buildWorkbench();
  const dataDir = await temporaryFolder();
  const cli = join(project, 'out', 'main', 'cli.js');
  const started = await listening([cli, 'grader', 'serve', '--data', dataDir, '--workers', '1']);
  expect(dirname(started.tokenPath)).toBe(dataDir);
  const token = (await readFile(started.tokenPath, 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}` };
  expect(await (await fetch(`${started.address}/health`, { headers })).json()).toMatchObject({ workers: 1 });
  started.child.kill('SIGINT');
  expect(await started.ended).toBe(0);
  await expect(stat(started.tokenPath)).rejects.toThrow(/ENOENT/);
});

let script = '';
beforeAll(async () => {
  script = await buildScript(resolve('main/grader-service/program.ts'));
});

/** Exit code and what was said, of a start that must fail. */
async function refusal(args: readonly string[]): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [script, '--resources', RESOURCES, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  return new Promise((done) => child.on('close', (code) => done([code, said])));
}

test('the program of the grader service refuses arguments that it does not know', async () => {
  expect(await refusal(['--prot', '1'])).toEqual([
    2,
    expect.stringMatching(/--prot[\s\S]*--token-file FILE/),
  ]);
  const numbered = await refusal(['--token-file', join(await temporaryFolder(), 'token'), '--port', '70000']);
  expect(numbered).toEqual([2, expect.stringMatching(/--port must be a whole number from 0 to 65535/)]);
});
