import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../../main/base';
import { openTrainingWatch } from '../../../../main/trainings/watch';
import { SHARED_DATA } from '../../../support/shared-samples';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';
import { localMachine, recipeOf, recipeSpec } from '../../../support/watch-bench';

const TRL = join(SHARED_DATA, 'rl-log-trl-grpo/20251022_120531_run_terminal.md');
const VERL = join(SHARED_DATA, 'rl-log-verl-failed/verl_no_vllm_full_seqlen.log.gz');

/** A watch of a log by a recipe; the log is copied, so that a test may let it grow. */
async function watchOfLog(form: 'python-dict' | 'pairs') {
  const folder = await temporaryFolder();
  const log = join(folder, 'output.log');
  const watch = openTrainingWatch({
    machine: await localMachine(),
    spec: recipeSpec,
    agents: [{ id: 'policy', name: 'Policy' }],
    paths: { metrics: null, logs: [log], events: [], checkpoints: [], workflow: null },
    recipe: recipeOf({ log: { form, stepKey: null } }),
    clock: { now: () => 0 },
  });
  return { log, watch };
}

describe.skipIf(!existsSync(TRL))('a real console log of TRL (shared/data)', () => {
  test('gives its 18 rows at the steps and times of its progress bar', async () => {
    const { log, watch } = await watchOfLog('python-dict');
    await writeFile(log, await readFile(TRL));
    expect(await unwrap(watch.read())).toEqual({ changed: true, isBehind: false });
    const curves = watch.curves(1_000);
    const reward = curves.find(({ key }) => key === 'reward');
    expect(reward).toMatchObject({ agentId: 'policy', part: 'train', samples: null });
    expect(reward?.steps).toEqual(Array.from({ length: 18 }, (_, at) => (at + 1) * 10));
    // Read by eye from the file: the first, the second and the last line.
    expect([reward?.values[0], reward?.values[1], reward?.values.at(-1)]).toEqual([1.75, 3.6, 2.6]);
    // 01:29, 02:00 and 10:59 of the bar, from the first row on.
    expect([reward?.seconds?.[0], reward?.seconds?.[1], reward?.seconds?.at(-1)]).toEqual([0, 31, 570]);
    const entropy = curves.find(({ key }) => key === 'entropy');
    expect(entropy?.values.at(-1)).toBe(0.0651843729079701);
    const gradient = curves.find(({ key }) => key === 'gradient-norm');
    expect(gradient?.values.slice(0, 3)).toEqual([47.75, 0, 404]);
    expect(curves.find(({ key }) => key === 'attention/late/mdi')?.part).toBe('other');
    expect([watch.step(), watch.steps()]).toEqual([180, 29_790]);
  });

  test('raises no alarm: its undefined extra metrics are not the training', async () => {
    const { log, watch } = await watchOfLog('python-dict');
    await writeFile(log, await readFile(TRL));
    await unwrap(watch.read());
    expect(watch.alarms(60_000, 0)).toEqual([]);
  });

  test('gives the same curves in pieces of any size', async () => {
    const whole = await watchOfLog('python-dict');
    await writeFile(whole.log, await readFile(TRL));
    await unwrap(whole.watch.read());
    const bytes = await readFile(TRL);
    const pieces = await watchOfLog('python-dict');
    const random = randomStream('pieces of a log', 1);
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + random.integer(4_000);
      await appendFile(pieces.log, bytes.subarray(at, at + length));
      at += length;
      await unwrap(pieces.watch.read());
    }
    expect(pieces.watch.curves(1_000)).toEqual(whole.watch.curves(1_000));
  });
});

describe.skipIf(!existsSync(VERL))(
  'a real console log of verl that died before its first step (shared/data)',
  () => {
    test.each(['python-dict', 'pairs'] as const)('gives no row and no alarm, read as %s', async (form) => {
      const { log, watch } = await watchOfLog(form);
      await writeFile(log, gunzipSync(await readFile(VERL)));
      await unwrap(watch.read());
      expect(watch.curves(1_000)).toEqual([]);
      expect(watch.alarms(86_400_000, 0)).toEqual([]);
      expect(watch.step()).toBe(0);
    });
  },
);
