import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Machine } from '../../../../main/machines';
import { openTrainingWatch } from '../../../../main/trainings/watch';
import { pocketTrainingSchema } from '../../../../preload/contract';
import { saveBasePolicies } from '../../../support/base-policies';
import { makeTemporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';
import { localMachine } from '../../../support/watch-bench';
import { metricLines, smallTraining, trainHere } from '../../trainer/small-training';

describe('what the pocket trainer really writes', () => {
  let home: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const input = smallTraining();
  const out = () => join(home.path, 'training');
  beforeAll(async () => {
    home = await makeTemporaryFolder();
    const checkpoints = join(home.path, 'base');
    await saveBasePolicies(checkpoints, ['reader', 'weak']);
    await trainHere(input, { out: out(), checkpoints });
  });
  afterAll(() => home.dispose());

  const watchOf = (machine: Machine) =>
    openTrainingWatch({
      machine,
      spec: pocketTrainingSchema.parse(input.spec),
      agents: input.agents,
      paths: {
        metrics: out(),
        logs: [],
        events: [],
        checkpoints: [{ path: join(out(), 'checkpoints'), agentId: null, names: 'own' }],
        workflow: null,
      },
      clock: { now: () => Date.now() },
    });

  test('is read value by value, without an alarm', async () => {
    const watch = watchOf(await localMachine());
    await unwrap(watch.read());
    expect(watch.alarms(Date.now(), null)).toEqual([]);
    expect([watch.step(), watch.stage()]).toEqual([6, 'done']);
    const curves = watch.curves(1_000);
    const lines = await metricLines(out());
    expect(lines.length).toBeGreaterThan(10);
    for (const { agent, part = 'train', step, samples, values } of lines)
      for (const [key, value] of Object.entries(values)) {
        const curve = curves.find((one) => one.agentId === agent && one.part === part && one.key === key);
        const at = curve?.steps.lastIndexOf(step) ?? -1;
        // The evaluation at the end is of the step of one on the way: the later one counts.
        const last = lines.findLast(
          (one) =>
            one.agent === agent && (one.part ?? 'train') === part && one.step === step && key in one.values,
        );
        expect(curve?.values[at]).toBe(last?.values[key] ?? value);
        expect(curve?.samples?.[at]).toBe(samples);
        expect(curve?.seconds?.[at]).toBeGreaterThanOrEqual(0);
      }
  });

  test('has rollouts and checkpoints that a server loads', async () => {
    const watch = watchOf(await localMachine());
    await unwrap(watch.read());
    const rollouts = await unwrap(watch.rollouts({ limit: 5, agentId: 'weak' }));
    expect(rollouts).toHaveLength(5);
    expect(rollouts.every(({ agentId, prompt }) => agentId === 'weak' && prompt !== '')).toBe(true);
    const checkpoints = await unwrap(watch.checkpoints());
    expect(checkpoints.map(({ id, canServe }) => [id, canServe])).toEqual([
      ['reader-000004', true],
      ['reader-000006', true],
      ['weak-000004', true],
      ['weak-000006', true],
    ]);
  });
});
