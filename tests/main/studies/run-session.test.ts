import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRunSession } from '../../../main/studies/run-session';
import { sampleConfig } from '../../support/sample-run';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

test('the first event of a run names the Python that grades, with its packages and why it was chosen', async () => {
  const session = await unwrap(
    openRunSession({
      path: join(await temporaryFolder(), 'run.jsonl'),
      config: sampleConfig({}),
      appVersion: '0.1.0',
      grader: {
        python: '3.11.2',
        isolation: 'sandbox',
        cpuFactor: 1,
        choice: { path: '/opt/lab/bin/python3', reason: 'It has more of the packages.' },
        packages: [{ name: 'numpy', version: '2.4.6' }],
      },
      now: () => 1,
      onEvent: () => undefined,
    }),
  );
  expect(session.journal.events()[0]).toMatchObject({
    kind: 'run-started',
    grader: {
      python: '3.11.2',
      path: '/opt/lab/bin/python3',
      reason: 'It has more of the packages.',
      packages: ['numpy 2.4.6'],
    },
  });
  await session.close();
});
