import { driveStudy, type Strike } from '../harness/drive-study';
import { processesBelow, processesOf, signalAll } from '../harness/processes';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';

/** Kills in one study. */
const IN_ONE_STUDY = 5;

/** Kills pocket model servers, which are jobs of their own, while a study asks them. */
export const killServer = (faults: number, seconds: number): Scenario =>
  killedHelper({ name: 'server', title: 'kill -9 of the model server', faults, seconds }, (context) => {
    return async ({ folder }) => {
      const servers = (await processesOf(folder)).filter(({ command }) =>
        /^\S*node .*model-server\.js/.test(command),
      );
      return killOne(context, servers);
    };
  });

/** Kills the grader's Python or the sandbox around it; not a candidate's process, whose end is its own verdict. */
export const killGrader = (faults: number, seconds: number): Scenario =>
  killedHelper({ name: 'grader', title: 'kill -9 of the grader', faults, seconds }, (context) => {
    return async (_, session) => {
      const below = await processesBelow(session.pid);
      const runners = below.filter(({ command }) => /^\S*python/.test(command)).map(({ pid }) => pid);
      return killOne(
        context,
        below.filter(({ command, parent }) => /python|bwrap/.test(command) && !runners.includes(parent)),
      );
    };
  });

function killedHelper(
  { faults, ...about }: Pick<Scenario, 'name' | 'title' | 'seconds'> & { readonly faults: number },
  strikeIn: (context: FaultContext) => Strike,
): Scenario {
  return {
    ...about,
    simulated: null,
    run: async (context) => {
      for (let made = 0; made < faults && !context.isOver(); ) {
        const workspace = await context.site.workspace();
        const inThis = Math.min(IN_ONE_STUDY, faults - made);
        made += await driveStudy(context, { workspace, faults: inThis, strike: strikeIn(context) });
        await settle(context, workspace);
      }
    },
  };
}

function killOne({ random }: FaultContext, processes: readonly { readonly pid: number }[]): boolean {
  if (processes.length === 0) return false;
  const chosen = processes[random.integer(processes.length)];
  return chosen !== undefined && signalAll([chosen.pid], 'SIGKILL') === 1;
}
