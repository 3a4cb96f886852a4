import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './mars2';
import { messageProblem } from './messages';
import type { FaultContext } from './scenario';
import { difference, SLOWLY, STUDY, studyBytes } from './workload';
import type { CommandOptions, Workspace } from './workspace';

/** Commands in a row that bring a study no further, although nothing disturbs them: it has no end. */
const MAX_FRUITLESS = 3;

export type Strike = (workspace: Workspace, session: Running) => Promise<boolean>;

export type Drive = {
  readonly workspace: Workspace;
  /** How many faults there are to be in this study, at most. */
  readonly faults: number;
  /** Makes the fault; false: there was nothing to hit just then. */
  readonly strike: Strike;
  readonly args?: readonly string[];
  readonly options?: CommandOptions;
  /** Parts that the message must have where the fault stops the study. */
  readonly message?: readonly RegExp[];
  /** Puts right what the fault broke, before the study is resumed. */
  readonly repair?: () => Promise<void>;
};

/**
 * Searches a study to its end, with faults at random points: so many milliseconds after a command began or after the last
 * fault, or once so many more bytes are in the journals. Whatever stops the study is answered with `resume`. Then all
 * promises about a study are checked. Answers how many faults there were.
 */
export async function driveStudy(context: FaultContext, drive: Drive): Promise<number> {
  const { check, count, isOver, site } = context;
  const { workspace, strike, args = [], options } = drive;
  const out = ['--out', workspace.outDir];
  const begin = (): Running => workspace.start([...STUDY, ...SLOWLY, ...args, ...out], options);
  let session = begin();
  let made = 0;
  for (let fruitless = 0; ; ) {
    const [faultsBefore, sizeBefore] = [made, await workspace.journals.size()];
    while (made < drive.faults && !isOver() && session.isAlive()) {
      await randomPoint(context, workspace, session);
      await workspace.journals.remember();
      if (!session.isAlive() || !(await strike(workspace, session))) continue;
      made += 1;
      count();
    }
    const { code, err, hung } = await session.ended;
    await workspace.journals.remember();
    if (code === 0) break;
    // The kill came before there was a study: the command is given again.
    const isNone = err.includes('There are no studies to resume');
    // One that was killed says nothing.
    if ((code !== null || hung) && !isNone) {
      check('words', messageProblem({ code, err, hung, out: '' }, drive.message));
    }
    await drive.repair?.();
    const isFruitless = made === faultsBefore && (await workspace.journals.size()) === sizeBefore;
    if (!isFruitless) fruitless = 0;
    else if (!isNone) fruitless += 1;
    if (fruitless >= MAX_FRUITLESS) {
      check('kept', `the study does not go on: ${err.slice(-300)}`);
      return made;
    }
    session = isNone ? begin() : workspace.start(['resume', ...out], options);
  }
  check('kept', await workspace.journals.lost());
  check('once', await workspace.journals.doubled());
  check('bytes', difference(await studyBytes(workspace), await site.undisturbedStudy()));
  return made;
}

/** Waits for a point at which something may happen; ends early with the session. */
async function randomPoint(
  { random }: FaultContext,
  { journals }: Workspace,
  session: Running,
): Promise<void> {
  if (random.integer(2) === 0) {
    const timer = new AbortController();
    const wait = sleep(random.integer(1_500), undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([wait, session.ended]);
    timer.abort();
    return;
  }
  const enough = (await journals.size()) + 1 + random.integer(40_000);
  while (session.isAlive() && (await journals.size()) < enough) await sleep(10);
}
