import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../main/base';
import { checkLearner, createLocalMachine } from '../../main/machines';
import { checkMachine } from '../../main/trainings/check-machine';
import { trainingRequestSchema } from '../../preload/contract';
import { learnerPython, tinyModel } from '../support/learner';
import { temporaryFolder } from '../support/temporary-folder';
import { unwrap } from '../support/unwrap';
import { warmPython } from '../support/warm-python';

const LEARNER = ['learner', 'learner-devices', 'learner-memory', 'learner-disk', 'learner-step'];

describe.skipIf(learnerPython === null)('the checks of a machine that trains language models', () => {
  it('say what is there and that a tiny model makes a step', async () => {
    const machine = createLocalMachine(await temporaryFolder());
    const options = { resourcesDir: resolve('resources'), python: learnerPython };
    const checks = await unwrap(checkLearner(machine, options));
    expect(checks.map(({ id }) => id)).toEqual(LEARNER);
    expect(checks[0]?.found).toMatch(/^torch \d.*transformers \d/);
    expect(checks.at(-1)).toMatchObject({ state: 'good', found: expect.stringMatching(/in \d+\.\d\d s\.$/) });
  });

  it("belong to a training's plan, with each agent's model", async () => {
    const machine = createLocalMachine(await temporaryFolder());
    const model = await tinyModel(1);
    const request = trainingRequestSchema.parse({
      name: 'Two models',
      machineId: 'local',
      spec: {
        kind: 'model',
        method: 'heter-mars2',
        agents: [
          { id: 'first', model },
          { id: 'second', model: '/nowhere/model' },
        ],
        problems: { benchmarkId: 'none' },
        python: warmPython,
      },
    });
    const deps = {
      resourcesDir: resolve('resources'),
      gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
    };
    const checks = await unwrap(checkMachine({ request, gpus: 0, machine, jobs: { views: () => [] }, deps }));
    expect(checks.map(({ id }) => id)).toEqual([...LEARNER, 'model-first', 'model-second']);
    expect(checks.filter(({ state }) => state === 'bad').map(({ found }) => found)).toEqual([
      '/nowhere/model is not there.',
    ]);
  });
});
