import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MachineSpec } from '../../../preload/contract';
import { bad, type Finding, good, unknown } from '../logic/doctor/finding';
import {
  LISTENER_GREETING,
  LISTENER_SCRIPT,
  type ListenerAnswer,
  parseListener,
  portsFinding,
} from '../logic/doctor/listener';
import { type AttachedProcess, type Machine, spawnScript } from '../machine';
import { type Examination, notAnswered } from './examination';

/** A slow file server's python3 may need some of it. */
const LISTEN_MS = 20_000;
const CALL_MS = 10_000;
const CUT_KNOWN_AFTER_MS = 2_000;

/** Tests what every model server needs: starts a listener there and, unless it is this computer, connects to it from here. */
export function portExamination(spec: MachineSpec): Examination {
  const isHere = spec.kind === 'local' || (spec.kind === 'slurm' && spec.host === null);
  const ports = { id: 'ports', title: 'Ports' };
  return {
    checks: isHere ? [ports] : [ports, { id: 'forwarding', title: 'Forwarding over ssh' }],
    run: async ({ machine, signal }) => {
      const listener = await spawnScript(machine, LISTENER_SCRIPT);
      if (!listener.ok) {
        const finding = notAnswered(listener.error);
        return isHere ? [finding] : [finding, finding];
      }
      const { process, isCut } = watched(listener.value);
      try {
        const { answer, stderr } = await answerOf(process, signal);
        const finding = portsFinding(answer, stderr);
        if (isHere) return [finding];
        if (answer.kind !== 'listening')
          return [finding, unknown('Nothing listens there that could be called.')];
        const forwarded = await forwardingFinding(machine, answer.port);
        // The called program may have ended with the connection: then nothing was found out.
        return [finding, forwarded.state === 'bad' && (await isCut()) ? unknown(CUT) : forwarded];
      } finally {
        process.kill();
      }
    },
  };
}

const CUT = 'The connection was cut during the check.';

/** `isCut`: whether the process ended, or does so soon, in a way that nobody knows. */
function watched(process: AttachedProcess) {
  const cut = process.ended.then(({ code }) => code === null);
  // The end of a connection comes to each of its channels in its own time.
  return { process, isCut: () => Promise.race([cut, sleep(CUT_KNOWN_AFTER_MS, false, { ref: false })]) };
}

async function answerOf(
  { stdout, stderr, ended }: AttachedProcess,
  signal: AbortSignal,
): Promise<{ readonly answer: ListenerAnswer; readonly stderr: string }> {
  let written = '';
  let errorText = '';
  return new Promise((resolve) => {
    const finish = (answer: ListenerAnswer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve({ answer, stderr: errorText });
    };
    const giveUp = () =>
      finish({ kind: 'no-answer', why: `It did not answer within ${LISTEN_MS / 1_000} s.` });
    const timer = setTimeout(giveUp, LISTEN_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    stdout.on('data', (chunk: Buffer) => {
      written += chunk.toString('latin1');
      const answer = parseListener(written);
      if (answer !== null) finish(answer);
    });
    stderr.on('data', (chunk: Buffer) => {
      errorText = `${errorText}${chunk.toString('utf8')}`.slice(-2_000);
    });
    void ended.then(({ code }) =>
      finish(code === null ? { kind: 'no-answer', why: CUT } : { kind: 'failed' }),
    );
  });
}

async function forwardingFinding(machine: Machine, port: number): Promise<Finding> {
  const forward = await machine.forward(port);
  if (!forward.ok) {
    if (forward.error.code === 'unreachable') return notAnswered(forward.error);
    return bad(`A port could not be forwarded: ${forward.error.message}`, TODO);
  }
  try {
    const greeting = await readGreeting(forward.value.localPort);
    return greeting.includes(LISTENER_GREETING)
      ? good('A program that listens there was reached from here.')
      : bad(
          'A program that listens there could not be reached from here: the ssh server forbids forwarding, or a firewall is on the loopback.',
          TODO,
        );
  } finally {
    forward.value.dispose();
  }
}

const TODO =
  'Ask for `AllowTcpForwarding local` in /etc/ssh/sshd_config there (and no `PermitOpen`, `DisableForwarding` or "no-port-forwarding" in authorized_keys). Until then model servers on this machine cannot be reached from here.';

/** What a program on that port of this computer sends until it closes the connection, or until the time is over. */
async function readGreeting(port: number): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(CALL_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      received = `${received}${chunk.toString('latin1')}`.slice(0, 200);
      if (received.includes(LISTENER_GREETING)) socket.destroy();
    });
    // Its reason is of no use: what counts is whether the word came.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}
