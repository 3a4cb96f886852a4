import { setTimeout as sleep } from 'node:timers/promises';
import { driveStudy, type Strike } from '../harness/drive-study';
import { processesBelow, processesOf, signalAll } from '../harness/processes';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { MORE_SLOWLY } from '../harness/workload';

/** Which processes stand still: each kind alone, and everything, as when a computer sleeps. */
const KINDS = ['everything', 'app', 'servers', 'grader'] as const;
type Kind = (typeof KINDS)[number];
const STAND_MS: Readonly<Record<Kind, number>> = {
  everything: 60_000,
  app: 10_000,
  servers: 10_000,
  grader: 10_000,
};

/** Programs stand still in the middle of a study and go on later. */
export function stopped(seconds: number): Scenario {
  return {
    name: 'stop',
    title: 'SIGSTOP of everything for a minute, of parts for 10 s',
    simulated: null,
    seconds,
    run: async (context) => {
      let next = 0;
      while (next < KINDS.length && !context.isOver()) {
        const workspace = await context.site.workspace();
        await driveStudy(context, {
          workspace,
          args: MORE_SLOWLY,
          faults: KINDS.length - next,
          strike: async (where, session) => {
            if ((await workspace.journals.size()) === 0) return false;
            const isHit = await standStill(KINDS[next] ?? 'everything')(where, session);
            next += isHit ? 1 : 0;
            return isHit;
          },
        });
        await settle(context, workspace);
      }
      if (next < KINDS.length) context.note(`there was time for ${next} of ${KINDS.join(', ')}`);
    },
  };
}

function standStill(kind: Kind): Strike {
  return async ({ folder }, session) => {
    const all = await processesOf(folder);
    const below = await processesBelow(session.pid);
    const pids: Readonly<Record<Kind, readonly number[]>> = {
      everything: [...new Set([session.pid, ...below.map(({ pid }) => pid), ...all.map(({ pid }) => pid)])],
      app: [session.pid],
      servers: all.filter(({ command }) => command.includes('model-server.js')).map(({ pid }) => pid),
      grader: below.map(({ pid }) => pid),
    };
    const chosen = pids[kind];
    if (signalAll(chosen, 'SIGSTOP') === 0) return false;
    try {
      await sleep(STAND_MS[kind]);
    } finally {
      signalAll(chosen, 'SIGCONT');
    }
    return true;
  };
}
