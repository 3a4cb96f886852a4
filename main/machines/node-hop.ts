import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, printableText, type Result } from '../base';
import { listenerScript, PORT_RANGE, readFreePorts } from './logic/ports-probe';
import type { AttachedProcess, Forward, Machine } from './machine';

/** The login node's ssh needs a moment to connect to the compute node; one that asks for a password never does. */
const HOP_TIMEOUT_MS = 15_000;
const CHECK_MS = 300;
/** A node's name goes to the login node's ssh, which takes a leading "-" for an option. */
const HOST_NAME = /^[A-Za-z0-9][\w.-]{0,252}$/;
/** Kept of what ssh writes when it fails. */
const ERROR_CHARACTERS = 300;

/**
 * A forward to a port of the node that a Slurm job runs on (null: not known yet): directly where that is the login node
 * itself, otherwise over the login node's own ssh (which clusters allow to nodes where the user has a job). `onBroken` is
 * called when the hop ends, never before the caller has the forward. `subject` is what runs there, for messages; `localPort` as for `Machine.forward`.
 */
export async function forwardToNode(
  login: Machine,
  node: string | null,
  port: number,
  onBroken: () => void,
  { subject = 'The server', localPort }: { readonly subject?: string; readonly localPort?: number } = {},
): Promise<Result<Forward, Refusal>> {
  if (node === null) return failed(nodeNotKnownYet(login, subject));
  if (!HOST_NAME.test(node)) return failed(noHost(login, node, subject));
  const here = await login.run('hostname');
  if (!here.ok) return here;
  if (shortName(here.value.stdout) === shortName(node)) return login.forward(port, localPort);
  // Where the login node is this computer, the hop's own port is the local one.
  const isHere = login.spec.kind === 'slurm' && login.spec.host === null;
  const hopPort = (isHere ? localPort : undefined) ?? randomInt(PORT_RANGE.from, PORT_RANGE.to + 1);
  const hop = await login.spawn('ssh', [
    ...['-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes', '-o', 'ConnectTimeout=10'],
    ...['-o', 'StrictHostKeyChecking=accept-new', '-N', '-L', `127.0.0.1:${hopPort}:127.0.0.1:${port}`],
    '--',
    node,
  ]);
  if (!hop.ok) return hop;
  const problem = await listens(login, hop.value, hopPort);
  if (problem !== null) {
    hop.value.kill();
    return failed(
      problem === 'unreachable' ? nodeNotKnownYet(login, subject) : noHop(login, node, problem, subject),
    );
  }
  const forward = await login.forward(hopPort, localPort);
  if (!forward.ok) {
    hop.value.kill();
    return forward;
  }
  void hop.value.ended.then(() => setImmediate(onBroken));
  return ok({
    localPort: forward.value.localPort,
    dispose: () => {
      forward.value.dispose();
      hop.value.kill();
    },
  });
}

function shortName(host: string): string {
  return host.trim().split('.')[0] ?? '';
}

/** null: the hop's port is open; otherwise what ssh wrote. */
async function listens(login: Machine, hop: AttachedProcess, hopPort: number): Promise<string | null> {
  let errors = '';
  let hasEnded = false;
  hop.stdout.resume();
  hop.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-ERROR_CHARACTERS);
  });
  void hop.ended.then(() => {
    hasEnded = true;
  });
  const endMs = performance.now() + HOP_TIMEOUT_MS;
  while (performance.now() < endMs && !hasEnded) {
    const probe = await login.run(listenerScript(hopPort));
    if (!probe.ok) return probe.error.code === 'unreachable' ? 'unreachable' : probe.error.message;
    if (!hasEnded && readFreePorts(probe.value.stdout).length === 0) return null;
    await sleep(CHECK_MS);
  }
  return errors.trim() === '' ? 'ssh gave no reason' : errors.trim();
}

/** Not an error: the caller asks again. */
function nodeNotKnownYet(login: Machine, subject: string): Refusal {
  return {
    code: 'unreachable',
    message: `${subject} has not reported yet on which node of ${login.spec.name} it runs.`,
  };
}

function noHost(login: Machine, node: string, subject: string): Refusal {
  const shown = printableText(node).slice(0, 80);
  return {
    code: 'unavailable',
    message: `${login.spec.name} says that ${subject.toLowerCase()} runs on "${shown}", which is not the name of a host.`,
  };
}

function noHop(login: Machine, node: string, why: string, subject: string): Refusal {
  return {
    code: 'unavailable',
    message: `${subject} runs on ${node}, but ${login.spec.name} could not reach it by ssh (${why}).`,
    hint: `Log in on ${login.spec.name} and try: ssh ${node}. Where the cluster forbids that, add the address of the node to the study as an external server.`,
  };
}
