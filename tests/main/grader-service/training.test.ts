import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { probeSandbox } from '../../../main/grading';
import { saveBasePolicies } from '../../support/base-policies';
import { buildScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';
import { RESOURCES } from '../grading/sandbox';
import { outputFiles, smallTraining, trainHere } from '../trainer/small-training';
import { startService } from './started';

const sandboxProblem = await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false });

/** Runs the trainer's program; gives its exit code and what it said in errors. */
async function train(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<[number | null, string]> {
  const script = await buildScript(resolve('main/trainer/program.ts'));
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  return new Promise((done) => child.on('close', (code) => done([code, errors])));
}

async function prepared(): Promise<{ out: string; checkpoints: string; args: string[] }> {
  const [out, checkpoints] = [await temporaryFolder(), await temporaryFolder()];
  const spec = join(out, 'spec.json');
  const input = smallTraining({ method: 'homo-mars2', families: ['reader'], updates: 2 });
  await writeFile(spec, `${JSON.stringify(input)}\n`);
  await saveBasePolicies(checkpoints, ['reader']);
  // Without the grader's resources no sandbox can start beside it.
  const folders = ['--out', out, '--checkpoints', checkpoints, '--resources', await temporaryFolder()];
  return { out, checkpoints, args: ['--spec', spec, ...folders] };
}

describe.skipIf(sandboxProblem !== null)(
  'a training that grades elsewhere (skipped where no sandbox starts)',
  () => {
    test('learns byte for byte what it learns with a grader of its own', async () => {
      const { address, tokenPath, output } = await startService();
      const { out, checkpoints, args } = await prepared();
      const named = ['--grader', address, '--grader-token-file', tokenPath];
      expect(await train([...args, ...named])).toEqual([0, '']);
      expect(output()).toContain('POST /v1/grade 200');
      const here = await temporaryFolder();
      await trainHere(JSON.parse(await readFile(join(out, 'spec.json'), 'utf8')), { out: here, checkpoints });
      expect(await outputFiles(out)).toEqual(await outputFiles(here));
      const token = (await readFile(tokenPath, 'utf8')).trim();
      const again = await prepared();
      expect(await train([...again.args, '--grader', address], { MARS2_GRADER_TOKEN: token })).toEqual([
        0,
        '',
      ]);
    });

    test('ends in one line that says what to do, where the token is missing or wrong', async () => {
      const { address } = await startService();
      const { args } = await prepared();
      const missing = await train([...args, '--grader', address], { MARS2_GRADER_TOKEN: '' });
      expect(missing).toEqual([
        1,
        expect.stringMatching(/token of the grader service is missing: .*--grader-token-file/),
      ]);
      const wrong = await train([...args, '--grader', address], { MARS2_GRADER_TOKEN: 'wrong' });
      expect(wrong).toEqual([1, expect.stringMatching(/status 401.*mars2 grader serve/)]);
    });
  },
);
