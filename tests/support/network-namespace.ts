import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Root that may make namespaces; false: the tests that need one skip. */
export const canMakeNamespaces = process.getuid?.() === 0 && canMakeOne(['true']);

/** The same with iptables, for those in which packets are lost. */
export const hasNetworkNamespaces = canMakeNamespaces && canMakeOne(['iptables', '-S']);

/** A network of two: this computer and a namespace at `address`, with nothing else in it. */
export type NetworkNamespace = {
  readonly address: string;
  /** Words in front of a command that is to run in it. */
  readonly enter: readonly string[];
  /** From now on every packet that comes to it is lost, without a word to who sent it. */
  readonly loseAll: () => Promise<void>;
  readonly loseNone: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

export async function makeNamespace(): Promise<NetworkNamespace> {
  const id = randomBytes(3).toString('hex');
  const [name, ours, theirs] = [`m2-${id}`, `m2a-${id}`, `m2b-${id}`];
  // 198.18.0.0/15 is set aside for tests of networks (RFC 2544).
  const net = `198.18.${randomBytes(1)[0] ?? 0}.${4 * Math.floor((randomBytes(1)[0] ?? 0) / 4)}`;
  const [here, address] = [1, 2].map((last) => net.replace(/\d+$/, (first) => String(Number(first) + last)));
  const ip = (...args: string[]) => run('ip', args);
  const rule = (what: '-I' | '-D') =>
    run('ip', ['netns', 'exec', name, 'iptables', what, 'INPUT', '-j', 'DROP']);
  await ip('netns', 'add', name);
  try {
    await ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs);
    await ip('link', 'set', theirs, 'netns', name);
    await ip('addr', 'add', `${here}/30`, 'dev', ours);
    await ip('link', 'set', ours, 'up');
    await ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', theirs);
    await ip('-n', name, 'link', 'set', theirs, 'up');
    await ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch (error) {
    await ip('netns', 'del', name);
    throw error;
  }
  return {
    address: address ?? '',
    enter: ['ip', 'netns', 'exec', name],
    loseAll: async () => void (await rule('-I')),
    loseNone: async () => void (await rule('-D')),
    // Its end of the cable goes with it, and so does ours.
    remove: async () => void (await ip('netns', 'del', name)),
  };
}

/** `command` works in it. */
function canMakeOne(command: readonly string[]): boolean {
  const name = `m2-try-${process.pid}`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
    try {
      execFileSync('ip', ['netns', 'exec', name, ...command], { stdio: 'ignore' });
      return true;
    } finally {
      execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
    }
  } catch {
    return false;
  }
}
