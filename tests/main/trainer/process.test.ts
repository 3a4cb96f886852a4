import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { deriveSeed } from '../../../main/base';
import { probeSandbox } from '../../../main/grading';
import { saveBasePolicies } from '../../support/base-policies';
import { bundleScript } from '../../support/bundled-script';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { outputFiles, smallTraining, trainHere } from './small-training';

/*
 * The real program with the real sandbox, killed for real. What is trained is small: every program runs in Python.
 */
const resources = resolve('resources');
const sandboxProblem = await probeSandbox({ resourcesDir: resources, allowUnsandboxed: false });

let shared: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let script = '';
let checkpoints = '';
beforeAll(async () => {
  shared = await makeTemporaryFolder();
  script = await bundleScript(resolve('main/trainer/program.ts'), shared.path);
  checkpoints = join(shared.path, 'checkpoints');
  await saveBasePolicies(checkpoints, ['reader', 'weak']);
});
afterAll(() => shared.dispose());

/** A folder with the spec of a training; gives the arguments that train it there. */
async function prepared(changes: Record<string, unknown> = {}): Promise<{ out: string; args: string[] }> {
  const out = await temporaryFolder();
  const spec = join(out, 'spec.json');
  await writeFile(spec, `${JSON.stringify(smallTraining(changes))}\n`);
  const folders = ['--out', out, '--checkpoints', checkpoints, '--resources', resources];
  return { out, args: [script, '--spec', spec, ...folders, '--save-every', '0'] };
}

type Ended = { readonly code: number | null; readonly signal: string | null; readonly errors: string };

function start(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const ended = new Promise<Ended>((resolve_) => {
    child.on('close', (code, signal) => resolve_({ code, signal, errors }));
  });
  return { child, ended };
}

async function roundsIn(out: string): Promise<number> {
  const text = await readFile(join(out, 'metrics.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

describe.skipIf(sandboxProblem !== null)('the trainer as a process (skipped where no sandbox starts)', () => {
  test('killed at random moments, and started again and again, writes the bytes of an unbroken run', async () => {
    const whole = await prepared();
    const begun = performance.now();
    expect(await start(whole.args).ended).toEqual({ code: 0, signal: null, errors: '' });
    const wholeMs = performance.now() - begun;
    const broken = await prepared();
    let killed = 0;
    for (let attempt = 0; ; attempt++) {
      const { child, ended } = start(broken.args);
      // Twice surely too short for the whole; then the longer the more often, so that it comes to an end.
      const chance = (deriveSeed('life', attempt) % 1_000) / 1_000;
      const share = attempt < 2 ? 0.2 + 0.25 * chance : 0.3 + 0.1 * attempt + 0.4 * chance;
      await Promise.race([ended, pause(wholeMs * share)]);
      child.kill('SIGKILL');
      const end = await ended;
      if (end.signal === null) {
        expect(end).toEqual({ code: 0, signal: null, errors: '' });
        break;
      }
      killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    expect(await outputFiles(broken.out)).toEqual(await outputFiles(whole.out));
  });

  test('learns byte for byte the same as with the interpreter instead of real Python', async () => {
    const changes = { method: 'homo-mars2', families: ['reader'] };
    const { out, args } = await prepared(changes);
    expect((await start(args).ended).code).toBe(0);
    const interpreted = await temporaryFolder();
    await trainHere(smallTraining(changes), { out: interpreted, checkpoints });
    expect(await outputFiles(out)).toEqual(await outputFiles(interpreted));
  });

  test('asked to stop saves its state, ends with code 75 and continues with the same command', async () => {
    const { out, args } = await prepared({ updates: 60 });
    const first = start(args);
    while ((await roundsIn(out)) === 0) await pause(20);
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 75, signal: null, errors: '' });
    const stage = JSON.parse(await readFile(join(out, 'stage.json'), 'utf8'));
    expect(stage.stage).toBe('stopped');
    const before = await roundsIn(out);
    const second = start(args);
    while ((await roundsIn(out)) <= before) await pause(20);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(75);
  });

  const canMount =
    spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /tmp']).status === 0;
  test.skipIf(!canMount)('on a full disk says so in one line (else skipped)', async () => {
    const { out, args } = await prepared();
    const disk = await temporaryFolder();
    await mkdir(disk, { recursive: true });
    // One checkpoint fits, a state does not.
    const mounted = 'mount -t tmpfs -o size=300k none "$1"; shift; exec "$@" --allow-unsandboxed';
    const small = args.map((word) => (word === out ? disk : word));
    const done = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, 'sh', disk, process.execPath, ...small], {
      encoding: 'utf8',
    });
    expect(done.stderr).toMatch(/Cannot write .*: the disk is full \(ENOSPC\)\. Free some space/);
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    expect(done.status).toBe(1);
  });
});

describe('the trainer as a process refuses in one line', () => {
  const refused = async (args: readonly string[]): Promise<string> => {
    const { code, errors } = await start([script, ...args]).ended;
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toHaveLength(1);
    return errors;
  };

  test('arguments that are missing or unknown', async () => {
    expect(await refused([])).toMatch(/--spec and --out are required.*Use: /);
    expect(await refused(['--spek', 'x'])).toMatch(/--spek.*Use: /);
  });

  test('a spec that is absent, not JSON or invalid', async () => {
    const { out, args } = await prepared();
    const [, ...rest] = args;
    const spec = join(out, 'spec.json');
    await writeFile(spec, '{"spec":');
    expect(await refused(rest)).toMatch(/is not a valid training: .*JSON/);
    const input = smallTraining();
    await writeFile(spec, JSON.stringify({ ...input, spec: { ...input.spec, nodes: 1 } }));
    expect(await refused(rest)).toMatch(/is not a valid training: spec\.nodes/);
    await writeFile(spec, JSON.stringify({ ...input, agents: input.agents.slice(1) }));
    expect(await refused(rest)).toMatch(/agents must have one agent for each family/);
    expect(await refused(rest.map((word) => (word === spec ? join(out, 'none.json') : word)))).toMatch(
      /it does not exist/,
    );
  });
});
