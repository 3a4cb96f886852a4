import { spawnSync } from 'node:child_process';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { driveStudy } from '../harness/drive-study';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { Running } from '../harness/mars2';
import { messageProblem } from '../harness/messages';
import { processesOf, signalAll } from '../harness/processes';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { MORE_SLOWLY } from '../harness/workload';
import type { Workspace } from '../harness/workspace';

/** As in a container of its own: processes outside cannot be looked up. */
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const hasContainers =
  process.platform === 'linux' && spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0;
/** What an app says that finds its lock taken, by one that has it or one that had it. */
const LOST = /has taken over the data folder|The lock of the data folder .* is gone/;
/** A folder for temporary files in which the socket of the app that works is not. */
const ELSEWHERE = 'elsewhere';
/** Older than the lease of a lock (see main/storage/data-lock.ts). */
const STALE_MS = 180_000;
/** More than the holder needs to notice that its lock is gone. */
const NOTICES_WITHIN_MS = 40_000;

/** Several apps want one data folder: at once, beside one that works, from another container, and after one stood still. */
export function twoApps(seconds: number): Scenario {
  return {
    name: 'two-apps',
    title: 'two apps on one data folder',
    simulated: hasContainers
      ? 'the two minutes in which a stopped app loses its lock, by setting the time of the lock file back'
      : 'nothing of containers was tried: no PID namespace can be made here',
    seconds,
    run: async (context) => {
      const waiting = meetings(context);
      let next = 0;
      while (next < waiting.length && !context.isOver()) {
        const workspace = await context.site.workspace();
        await mkdir(join(workspace.folder, ELSEWHERE));
        await manyAtOnce(context, workspace);
        await driveStudy(context, {
          workspace,
          args: MORE_SLOWLY,
          faults: waiting.length - next,
          message: [LOST],
          strike: async (_, session) => {
            if ((await workspace.journals.size()) === 0) return false;
            await waiting[next]?.(workspace, session);
            next += 1;
            return true;
          },
        });
        await settle(context, workspace);
      }
      if (next < waiting.length) context.note(`there was time for ${next} of ${waiting.length} meetings`);
    },
  };
}

type Meeting = (workspace: Workspace, session: Running) => Promise<void>;

/** How another app meets the one that works. */
function meetings(context: FaultContext): readonly Meeting[] {
  const byItself = [/in use by another workbench/];
  const inContainer = [/in use by a workbench in another container/];
  return [
    (workspace) => throughTheOther(context, workspace),
    (workspace) => refused(context, workspace, [], byItself),
    ...(hasContainers
      ? [
          (workspace: Workspace) => refused(context, workspace, CONTAINER, inContainer),
          (workspace: Workspace, session: Running) => takenOver(context, workspace, session),
        ]
      : []),
  ];
}

/** Each opens the folder, or asks the one that has, or says who has it. */
async function manyAtOnce({ check, count }: FaultContext, workspace: Workspace): Promise<void> {
  const ends = await Promise.all(Array.from({ length: 6 }, () => workspace.run(['studies', 'list'])));
  count();
  for (const end of ends) {
    // Or it asked one that had done its work just then.
    const message = /in use by another workbench|was closed during the command/;
    if (end.code !== 0) check('words', messageProblem(end, [message]));
  }
  check('lock', ends.some(({ code }) => code === 0) ? null : 'of six that came at once, none got the folder');
}

/** A job is started by the app that has the folder open. */
async function throughTheOther(context: FaultContext, workspace: Workspace): Promise<void> {
  const job = markedJob(workspace, 'beside', 0.2);
  const { code, err } = await workspace.run(job.words);
  const problem = `a command beside a working app ended with ${code}: ${err.slice(-300)}`;
  context.check('kept', code === 0 ? null : problem);
  await checkJobs(context, workspace, [job]);
}

/** One that does not find the other's socket is refused. */
async function refused(
  { check }: FaultContext,
  workspace: Workspace,
  before: readonly string[],
  message: readonly RegExp[],
): Promise<void> {
  const ended = await workspace.run(['studies', 'list'], { before, env: withoutSocket(workspace) });
  check('words', messageProblem(ended, message));
}

/** The app stands still for longer than its lease lasts, another one takes the folder; the first one has to notice. */
async function takenOver(
  { check, note }: FaultContext,
  workspace: Workspace,
  session: Running,
): Promise<void> {
  session.kill('SIGSTOP');
  const past = new Date(Date.now() - STALE_MS);
  await utimes(join(workspace.dataDir, 'workbench.lock'), past, past);
  // It may be started in the holder's own second beat; it watches for one and a half of them.
  const other = await workspace.run(['studies', 'list'], {
    before: CONTAINER,
    env: withoutSocket(workspace),
  });
  check(
    'lock',
    other.code === 0 ? null : `the stopped app's folder could not be taken: ${other.err.slice(-300)}`,
  );
  session.kill('SIGCONT');
  const timer = setTimeout(() => session.kill('SIGKILL'), NOTICES_WITHIN_MS);
  const end = await session.ended;
  clearTimeout(timer);
  check('words', messageProblem(end, [LOST]));
  // A known gap: from another container the jobs of this one cannot be seen, count as lost there and are stopped by nobody.
  const left = (await processesOf(workspace.folder)).filter(({ command }) =>
    command.includes('model-server'),
  );
  if (
    signalAll(
      left.map(({ pid }) => pid),
      'SIGKILL',
    ) > 0
  )
    note(
      'model servers of the app that stood still went on, which the other container took for lost; ended here',
    );
}

function withoutSocket({ folder }: Workspace): Readonly<Record<string, string>> {
  return { TMPDIR: join(folder, ELSEWHERE) };
}
