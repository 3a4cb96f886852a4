import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type MachineSpec, slurmDefaultsSchema } from '../../preload/contract';
import { eventually } from './eventually';

const run = promisify(execFile);

/** Why these tests cannot run here; null when they can. To be shown in the name of the skipped suite. */
export function whySlurmIsMissing(): string | null {
  if (process.getuid?.() !== 0) return 'they start Slurm as root, and this user is not';
  const missing = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'setpriv'].filter((name) => !isOnPath(name));
  return missing.length === 0 ? null : `${missing.join(', ')} not installed (Debian: slurm-wlm, munge)`;
}

/** A cluster whose login node is this computer. */
export const CLUSTER_HERE: Extract<MachineSpec, { kind: 'slurm' }> = {
  kind: 'slurm',
  id: 'cluster',
  name: 'Cluster',
  host: null,
  defaults: slurmDefaultsSchema.parse({}),
};

export type SlurmBench = {
  /** Its slurm.conf: what Slurm's programs find the cluster by, as SLURM_CONF. */
  readonly conf: string;
  /** Runs a program of Slurm's against it. */
  readonly slurm: (program: string, ...args: string[]) => Promise<string>;
  /** The whole of slurmctld's memory of jobs is on disk: it may be stopped and started as after an update. */
  readonly stopController: () => Promise<void>;
  readonly startController: () => Promise<void>;
  /** slurmctld stands still, as on a machine that hangs: it takes questions and answers none. */
  readonly freezeController: () => void;
  readonly thawController: () => void;
  /** As if the node had lost power: slurmd, its step daemons and all processes of jobs are killed. */
  readonly killNode: () => Promise<void>;
  readonly startNode: () => Promise<void>;
  /** Ends every job and process of the cluster and removes its folder. */
  readonly dispose: () => Promise<void>;
};

/**
 * A real Slurm of one node on loopback, from daemons of our own: munged, slurmctld and slurmd with a folder, ports and
 * key of their own, untouched by the packages' services. The node claims eight cores and two GPUs of the type
 * `pretend`: device files that are copies of /dev/null, so what Slurm does with GPUs is real, and what they compute is
 * not. Accounting is off, as without slurmdbd.
 */
export async function openSlurm(options: { readonly forgetJobsAfterS?: number } = {}): Promise<SlurmBench> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'slurm-test-'));
  // munged refuses a socket that others could not reach.
  await chmod(folder, 0o755);
  const at = (name: string) => join(folder, name);
  for (const name of ['munge', 'state', 'spool', 'gpus']) await mkdir(at(name), { mode: 0o755 });
  await writeFile(at('munge/key'), randomBytes(128), { mode: 0o600 });
  const gpuFiles = await makeGpuFiles(at('gpus'));
  const [controllerPort, nodePort] = [await freePort(), await freePort()];
  const conf = at('slurm.conf');
  await writeFile(
    conf,
    `ClusterName=pretend
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmctldParameters=allow_user_triggers
SlurmdParameters=config_overrides
AuthInfo=socket=${at('munge/socket')}
SlurmUser=root
SlurmdUser=root
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}
SlurmctldPidFile=${at('slurmctld.pid')}
SlurmdPidFile=${at('slurmd.pid')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=2
SlurmdTimeout=20
MessageTimeout=3
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
MinJobAge=${options.forgetJobsAfterS ?? 600}
MaxArraySize=501
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
GresTypes=gpu
NodeName=node1 NodeAddr=127.0.0.1 NodeHostname=${hostname()} Port=${nodePort} CPUs=8 RealMemory=1000 Gres=gpu:pretend:2
PartitionName=main Nodes=node1 Default=YES MaxTime=2-00:00:00
PartitionName=short Nodes=node1 MaxTime=00:30:00 DefaultTime=00:10:00
PartitionName=urgent Nodes=node1 MaxTime=01:00:00 PriorityTier=10
`,
  );
  const gpus = gpuFiles ? `File=${at('gpus')}/[0-1]` : 'Count=2';
  await writeFile(at('gres.conf'), `NodeName=node1 Name=gpu Type=pretend ${gpus}\n`);
  const env = { ...process.env, SLURM_CONF: conf };
  const slurm = async (program: string, ...args: string[]) =>
    (await run(program, args, { env, timeout: 60_000 })).stdout;

  const daemons = new Map<string, ChildProcess>();
  const start = (name: string, args: readonly string[]) => {
    const log = openSync(at(`${name}.log`), 'a');
    // Foreground, so that we know its process; a session of its own, so that a Ctrl-C at the tests is not its end.
    // Should the tests be killed, the kernel ends it too.
    const command = ['--pdeathsig', 'SIGKILL', programPath(name), ...args];
    const daemon = spawn('setpriv', command, { env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    daemons.set(name, daemon);
  };
  const stop = async (name: string, signal: NodeJS.Signals) => {
    const daemon = daemons.get(name);
    daemons.delete(name);
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill(signal);
    // A controller that waits for a dead node does not listen for long.
    const force = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(force);
  };
  const startController = async () => {
    start('slurmctld', ['-D']);
    await eventually('an answer of slurmctld', () =>
      slurm('scontrol', 'ping').then((text) => / is UP/.test(text), nothing),
    );
  };
  const startNode = async () => {
    start('slurmd', ['-D', '-N', 'node1']);
    await eventually('a node that takes jobs', () =>
      slurm('sinfo', '--noheader', '-o', '%t').then((text) => /^(idle|mix|alloc)\s/.test(text), nothing),
    );
  };
  /** Step daemons and the processes of jobs: all carry our slurm.conf in their environment. */
  const killJobs = async () => {
    for (const pid of await processesWith(`SLURM_CONF=${conf}`, [...daemons.values()])) endProcess(pid);
  };
  const dispose = async () => {
    // TERM lets it end its own helper process.
    await stop('slurmctld', 'SIGTERM');
    await stop('slurmd', 'SIGKILL');
    try {
      await eventually('the end of all processes of jobs', async () => {
        await killJobs();
        return (await processesWith(`SLURM_CONF=${conf}`, [])).length <= daemons.size;
      });
    } finally {
      await stop('munged', 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  };

  try {
    start('munged', [
      '--foreground',
      `--key-file=${at('munge/key')}`,
      `--socket=${at('munge/socket')}`,
      `--pid-file=${at('munge/pid')}`,
      `--log-file=${at('munge/log')}`,
      `--seed-file=${at('munge/seed')}`,
    ]);
    await eventually('a credential of munged', () =>
      run('munge', ['--socket', at('munge/socket'), '--no-input']).then(() => true, nothing),
    );
    await startController();
    await startNode();
  } catch (error) {
    const logs = await Promise.all(
      ['munged', 'slurmctld', 'slurmd'].map((name) => readFile(at(`${name}.log`), 'utf8').catch(() => '')),
    );
    await dispose();
    throw new Error(`Slurm did not start:\n${logs.join('\n').slice(-3_000)}`, { cause: error });
  }
  return {
    conf,
    slurm,
    stopController: () => stop('slurmctld', 'SIGTERM'),
    startController,
    freezeController: () => void daemons.get('slurmctld')?.kill('SIGSTOP'),
    thawController: () => void daemons.get('slurmctld')?.kill('SIGCONT'),
    killNode: async () => {
      await stop('slurmd', 'SIGKILL');
      await killJobs();
    },
    startNode,
    dispose,
  };
}

const nothing = () => null;

/** Two character devices that swallow everything; false where this user may not make devices (some containers). */
async function makeGpuFiles(folder: string): Promise<boolean> {
  try {
    for (const name of ['0', '1']) await run('mknod', [join(folder, name), 'c', '1', '3']);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A free port has no number');
  return address.port;
}

/** Where daemons live that a user's PATH often leaves out. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

function programPath(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...DAEMON_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? name;
}

function isOnPath(name: string): boolean {
  return isProgram(programPath(name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path.includes('/');
  } catch {
    return false;
  }
}

/** Processes with this entry in their environment, but the given ones and ourselves. */
async function processesWith(entry: string, except: readonly ChildProcess[]): Promise<readonly number[]> {
  const spared = new Set([process.pid, ...except.map((child) => child.pid)]);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || spared.has(pid)) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(entry)) found.push(pid);
  }
  return found;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
