import { type Lab, startLab } from '../../e2e/support/lab';
import { eventually } from '../../support/eventually';
import { hasSshdAccounts } from '../../support/sshd';
import { processesOf } from './processes';
import type { FaultContext } from './scenario';
import { settle } from './settle';
import { mustRun } from './site';
import type { Workspace } from './workspace';

/** Why there can be no machine on loopback; null: there can. */
export function whyNoLab(): string | null {
  return hasSshdAccounts
    ? null
    : 'it needs root and openssh-server, for a machine on loopback with a home folder of its own';
}

/** A workplace that knows a machine on loopback, "lab"; ended and checked afterwards. */
export async function withLab(
  context: FaultContext,
  work: (workspace: Workspace, lab: Lab) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lab = await startLab();
  try {
    const workspace = await context.site.workspace({ env: { ...lab.env, ...env } });
    await mustRun(workspace, ['machines', 'add', 'lab']);
    await work(workspace, lab);
    await settle(context, workspace);
    context.check('clean', await leftOn(lab));
  } finally {
    await lab.stop();
  }
}

/** Processes of the machine that are not its server's own; null: none. */
async function leftOn({ sshd }: Lab): Promise<string | null> {
  const living = async () => {
    const commands = (await processesOf(sshd.folder)).map(({ command }) => command);
    return commands.filter((command) => !/\bsshd\b.* -D |^sshd:/.test(command));
  };
  const ended = eventually('their end', async () => (await living()).length === 0, 20_000);
  if (await ended.catch(() => false)) return null;
  return `processes on the machine: ${(await living()).join('; ').slice(0, 300)}`;
}
