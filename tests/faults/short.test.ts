import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { probeSandbox } from '../../main/grading';
import { saveBasePolicies } from '../support/base-policies';
import { buildWorkbench } from '../support/built-workbench';
import { temporaryFolder } from '../support/temporary-folder';
import { runScenario } from './harness/run-scenario';
import { openSite } from './harness/site';
import { canMount } from './harness/small-disk';
import { short } from './scenarios/short';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });

test.skipIf(sandboxProblem !== null)(
  `a study that is killed, whose clock is set back${canMount ? ', whose disk is full and then read-only' : ''} comes to its end as if nothing had been (skipped where no sandbox starts)`,
  async () => {
    const checkpoints = join(await temporaryFolder(), 'checkpoints');
    await mkdir(checkpoints);
    await saveBasePolicies(checkpoints, ['reader', 'tracer']);
    const site = await openSite(await buildWorkbench(), checkpoints);
    try {
      const outcome = await runScenario(short, { site, seed: 1, secondsLeft: () => 300 });
      expect(outcome.ledger.broken).toEqual([]);
      expect(outcome.faults).toBe(canMount ? 5 : 3);
    } finally {
      await site.dispose();
    }
  },
);
