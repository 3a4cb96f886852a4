import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { appLog } from '../../../main/app/app-log';
import { handleWindowErrors } from '../../../main/app/window-errors';
import { buildWorkbench } from '../../support/built-workbench';
import { temporaryFolder } from '../../support/temporary-folder';

const run = promisify(execFile);

/** Loaded before a program: an error that nobody handles, as soon as the program listens for it. */
const plant = (event: string, code: string): string =>
  `data:text/javascript,process.on('newListener',(name)=>{if(name==='${event}')process.nextTick(()=>{${code}})})`;
const PLANTS = {
  uncaughtException: plant('uncaughtException', "throw new Error('planted')"),
  unhandledRejection: plant('unhandledRejection', "Promise.reject(new Error('planted'))"),
};

describe('an error that nobody handled in a program of one task', () => {
  let project = '';
  beforeAll(async () => {
    project = await buildWorkbench();
  });

  const cases = (
    ['cli', 'pocket-trainer', 'pretrain-pocket', 'model-server', 'grader-service'] as const
  ).flatMap((program) =>
    (['uncaughtException', 'unhandledRejection'] as const).map((event) => ({ program, event })),
  );
  it.each(cases)(
    '$program, $event: it ends with a plain sentence and exit code 1',
    async ({ program, event }) => {
      const dataDir = await temporaryFolder();
      // So that the pre-training waits for a file first.
      const pretraining = ['--reward', '--policy', 'none', '--seed', '1', '--out', join(dataDir, 'out')];
      const args = program === 'cli' ? ['studies', 'list', '--data', dataDir] : pretraining;
      const script = join(project, 'out', 'main', `${program}.js`);
      const ended = await run(process.execPath, ['--import', PLANTS[event], script, ...args]).catch(
        (error: { code: number; stderr: string }) => error,
      );
      expect(ended).toMatchObject({ code: 1 });
      expect(ended.stderr).toMatch(
        /ended because of an error of its own: planted\nNothing finished is lost: .*\w/,
      );
      if (program === 'cli') {
        // A person reads it: the stack is in the log.
        expect(ended.stderr).not.toContain('    at ');
        const { path } = appLog(dataDir);
        expect(ended.stderr).toContain(`The details are in the log: ${path}.`);
        expect(await readFile(path, 'utf8')).toContain('error mars2: Error: planted\n        at ');
      } else expect(ended.stderr).toContain('Error: planted\n    at ');
    },
  );
});

/** The window's process, with what it showed and whether it ended. */
async function windowProcess({ hasWindow }: { hasWindow: boolean }) {
  const source = new EventEmitter();
  const log = appLog(await temporaryFolder());
  const [told, ends]: [string[], string[]] = [[], []];
  handleWindowErrors({
    source,
    log,
    notify: (message) => {
      told.push(message);
      return hasWindow;
    },
    end: (message) => void ends.push(message),
  });
  return { source, log, told, ends };
}

test('in the window a rejection that nobody waited for is logged each time, shown once, and the rest goes on', async () => {
  const { source, log, told, ends } = await windowProcess({ hasWindow: true });
  for (const _ of [1, 2]) source.emit('unhandledRejection', new Error('a step broke'));
  source.emit('unhandledRejection', 'another');
  expect(ends).toEqual([]);
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('nothing finished is lost');
  expect(told[0]).toContain(log.path);
  expect(told[0]).toContain('a step broke');
  expect((await readFile(log.path, 'utf8')).match(/unhandled rejection: Error: a step broke/g)).toHaveLength(
    2,
  );
});

test.each([
  ['an exception that nobody caught', 'uncaughtException', true],
  ['a rejection before there is a window', 'unhandledRejection', false],
] as const)('%s ends the app once, and says what to do', async (_, event, hasWindow) => {
  const { source, log, ends } = await windowProcess({ hasWindow });
  source.emit(event, new Error('broken'));
  source.emit('uncaughtException', new Error('a consequence'));
  source.emit('unhandledRejection', new Error('a consequence'));
  expect(ends).toEqual([
    `The workbench ended because of an error of its own: broken\nNothing finished is lost: it was written before the work went on. Start it again, and resume what was interrupted. The details are in the log: ${log.path}.`,
  ]);
  expect(await readFile(log.path, 'utf8')).toContain('a consequence');
});
