import { expect, test } from 'vitest';
import { Emitter } from '../../../main/base/index';
import type { WorkbenchEvent } from '../../../preload/contract/index';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test('a search is swept over values: each configuration with each of them', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const host = {
    call: async (name: string, payload: unknown) => {
      asked.push([name, payload]);
      return name === 'settings.change'
        ? ({ ok: true, value: {} } as never)
        : ({ ok: false, error: { code: 'conflict', message: 'Not today.' } } as never);
    },
    events: new Emitter<WorkbenchEvent>(),
  };
  const path = await temporaryFolder();
  const words = ['run', '--benchmark', 'b', '--strategy', 'mcts', '--out', path];
  const configurations = ['--configuration', 'a=pocket:reader', '--configuration', 'b=pocket:tracer'];
  const sweep = ['--sweep', 'exploration=0.5,1.4', '--seeds', '1-3'];
  await typeCommand(host, ...words, ...configurations, ...sweep);
  expect(asked.at(-1)).toMatchObject([
    'study.create',
    {
      seeds: [1, 2, 3],
      configurations: [
        { configuration: 'a, exploration 0.5', search: { strategy: { exploration: 0.5 } } },
        { configuration: 'a, exploration 1.4', search: { strategy: { exploration: 1.4 } } },
        { configuration: 'b, exploration 0.5' },
        { configuration: 'b, exploration 1.4' },
      ],
    },
  ]);
  const wrong = await typeCommand(host, ...words, ...configurations, '--sweep', 'weight=1');
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.err).toContain(
    '--sweep: "weight" cannot take several values. These can: samples, exploration',
  );
});
