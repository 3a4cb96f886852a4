import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  loadRewardModel,
  parseRewardModel,
  pocketProblems,
  pocketReward,
  STRONG_FAMILIES,
} from '../../../main/pocket';
import { type PocketCheckpoints, pocketCheckpoints } from '../../../main/studies/pocket-checkpoints';
import { basePolicyPath, saveBasePolicies } from '../../support/base-policies';
import { bundleScript } from '../../support/bundled-script';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';

const never = new AbortController().signal;

describe('the pocket reward model', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let checkpoints: PocketCheckpoints;
  let path: string;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    const script = await bundleScript(resolve('main/studies/pretrain-pocket.ts'), folder.path);
    checkpoints = pocketCheckpoints({
      dataDir: join(folder.path, 'data'),
      nodeRuntime: { command: process.execPath, env: {} },
      script,
    });
    // One of the two is there already, and is taken as it is.
    await saveBasePolicies(join(folder.path, 'data', 'checkpoints'), ['tracer']);
    const made = await checkpoints.ensureReward(1, never);
    if (!made.ok) throw new Error(made.error.message);
    path = made.value;
  });
  afterAll(() => folder.dispose());

  test('is trained in a separate process, and saved next to the base policies it started from', async () => {
    const record = parseRewardModel(await readFile(path, 'utf8'));
    expect(record.ok && record.value.heldOut.lucky.auc).toBeGreaterThan(0.9);
    for (const family of STRONG_FAMILIES) {
      await stat(join(folder.path, 'data', 'checkpoints', `pocket-${family}-base-1.json`));
    }
  });

  test('is taken as it is when it is there', async () => {
    const before = await stat(path);
    expect(await checkpoints.ensureReward(1, never)).toEqual({ ok: true, value: path });
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
  });

  test('gives a reference a larger reward than no program at all', async () => {
    const [problem] = pocketProblems({ split: 'test', seed: 1, count: 1 });
    if (problem === undefined) throw new Error('no problem');
    const record = parseRewardModel(await readFile(path, 'utf8'));
    const model = record.ok ? loadRewardModel(record.value) : record;
    if (!model.ok) throw new Error(model.error.message);
    const score = pocketReward(model.value);
    const right = await score(problem, problem.canonicalProgram ?? '');
    const none = await score(problem, 'no program');
    expect(right.ok && none.ok && right.value > none.value).toBe(true);
  });

  test('that cannot be trained is refused with a message', async () => {
    const broken = pocketCheckpoints({
      dataDir: join(folder.path, 'data'),
      nodeRuntime: { command: process.execPath, env: {} },
      script: join(folder.path, 'nowhere.mjs'),
    });
    await writeFile(join(folder.path, 'data', 'checkpoints', 'pocket-reward-4.json'), 'cut off');
    const refused = await broken.ensureReward(4, never);
    expect(refused.ok ? '' : refused.error.message).toContain('"reader" could not be pre-trained');
  });
});

describe('a policy that a training has made', () => {
  const checkpoints = async () => {
    const dataDir = await temporaryFolder();
    const nodeRuntime = { command: process.execPath, env: {} };
    return { dataDir, ...pocketCheckpoints({ dataDir, nodeRuntime, script: '' }) };
  };

  test('is found in the folder of its training', async () => {
    const { dataDir, trained } = await checkpoints();
    const folder = join(dataDir, 'trainings', 'one', 'checkpoints');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'reader-000002.json');
    await copyFile(await basePolicyPath('reader'), path);
    expect(await trained({ trainingId: 'one', checkpointId: 'reader-000002' })).toEqual({
      ok: true,
      value: path,
    });
  });

  test('that is gone is refused, and so is a name that leads elsewhere', async () => {
    const { trained } = await checkpoints();
    for (const checkpointId of ['reader-000002', '../../../etc/x']) {
      const refused = await trained({ trainingId: 'one', checkpointId });
      expect(refused.ok ? null : refused.error.code).toBe('not-found');
    }
  });
});
