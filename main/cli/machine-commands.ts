import { type Gpu, LOCAL_MACHINE } from '../../preload/contract/index';
import { plainId, sshNameProblem } from '../../preload/contract/plans/index';
import { cleanCommand } from './clean-command';
import { type CliOptions, UsageError } from './cli-options';
import { connectedMachine } from './connect-machine';
import { fileCommands } from './file-commands';
import { forwardCommands } from './forward-commands';
import { type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { liveTerminal } from './live-terminal';
import { printMachines } from './machine-report';
import { prepareMachine } from './prepare-machine';
import { columns } from './report';

export const machineCommands: CommandGroup = {
  name: 'machines',
  about: 'computers that run jobs: their GPUs, reservations, shells',
  commands: [
    {
      usage: 'list',
      about: 'list machines with their GPUs',
      options: [JSON_OPTION],
      run: listMachines,
    },
    { usage: 'hosts', about: 'list the hosts of your ssh config', run: listHosts },
    {
      usage: 'add <host>',
      about: 'add a host of your ssh config, or user@host; with --slurm also "local" (this login node)',
      options: [
        option('--id <id>', 'its id in the workbench (default: from the host name)'),
        option('--name <text>', 'its name on screen (default: the host)'),
        option('--slurm', 'it is the login node of a Slurm cluster'),
        option('--partition <name>', 'Slurm: default partition'),
        option('--account <name>', 'Slurm: default account'),
        option('--minutes <n>', 'Slurm: default time limit, 1 to 43200 (default: 1440)'),
        option('--slurm-options <text>', 'Slurm: further options of sbatch'),
        JSON_OPTION,
      ],
      run: addMachine,
    },
    {
      usage: 'probe <machine>',
      about: 'connect and read its GPUs and facts',
      options: [JSON_OPTION],
      run: probeMachine,
    },
    {
      usage: 'cluster <machine>',
      about: 'list partitions and free GPUs of a Slurm cluster',
      options: [JSON_OPTION],
      run: showCluster,
    },
    ...forwardCommands,
    ...fileCommands,
    { usage: 'shell <machine>', about: 'open a shell there', run: openShell },
    {
      usage: 'reserve <machine> <gpu>',
      about: 'reserve a GPU, for the lab to see; --minutes 0 cancels',
      details: 'GPU: its number in "mars2 machines list", or its id (there with --json).',
      options: [
        option('--minutes <n>', 'for how long, 0 to 43200 (default: 240)'),
        option('--note <text>', 'shown with the reservation'),
        JSON_OPTION,
      ],
      run: reserveGpu,
    },
    {
      usage: 'prepare <machine>',
      about: 'make the Python environment that trainings of language models need there',
      details: `It is a job, which continues when you leave; its log lists the downloads and their sizes
first. The path of the environment's Python is printed at the end; trainings there use it
unless they name another. A second run finds it ready.
Without a GPU some 0.3 GB are downloaded and 1.3 GB stay on disk; with CUDA 3 and 7 GB.`,
      options: [
        option('--learner', 'PyTorch, transformers and peft, in the versions that were tested'),
        option('--python <path>', 'the Python 3.11 or newer that it stands on (default: one is found)'),
        JSON_OPTION,
      ],
      run: prepareMachine,
    },
    cleanCommand,
    {
      usage: 'remove <machine>',
      about: 'remove a machine from the list',
      options: [option('--anyway', 'even while jobs of it are running or waiting')],
      run: removeMachine,
    },
  ],
};

async function removeMachine(workbench: Host, options: CliOptions): Promise<number> {
  const removed = await ask(workbench, 'machine.remove', {
    machineId: options.word(0, 'The machine'),
    anyway: options.flag('anyway'),
  });
  return removed.ok ? EXIT.done : printRefusal(removed.error);
}

async function reserveGpu(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const word = options.word(1, 'The GPU');
  const probed = await ask(workbench, 'machine.probe', { machineId });
  if (!probed.ok) return printRefusal(probed.error);
  const reserved = await ask(workbench, 'machine.reserve', {
    machineId,
    gpuId: parseGpuId(word, probed.value.gpus?.gpus ?? []),
    minutes: options.count('minutes', 0, 43_200) ?? 240,
    note: options.text('note') ?? '',
  });
  return reserved.ok ? printMachines(workbench, [reserved.value], options) : printRefusal(reserved.error);
}

/** A number is the one that `machines list` shows; anything else is an id. */
export function parseGpuId(word: string, gpus: readonly Pick<Gpu, 'id' | 'index'>[]): string {
  return gpus.find(({ index }) => String(index) === word)?.id ?? word;
}

async function listHosts(workbench: Host): Promise<number> {
  const hosts = await ask(workbench, 'machine.hosts', {});
  if (!hosts.ok) return printRefusal(hosts.error);
  for (const { host, isAdded } of hosts.value) process.stdout.write(`${host}${isAdded ? '  (added)' : ''}\n`);
  return EXIT.done;
}

async function listMachines(workbench: Host, options: CliOptions): Promise<number> {
  // This computer needs no connection: it is looked at now. A failure leaves what is known.
  await ask(workbench, 'machine.probe', { machineId: LOCAL_MACHINE });
  const list = await ask(workbench, 'machine.list', {});
  return list.ok ? printMachines(workbench, list.value, options) : printRefusal(list.error);
}

async function addMachine(workbench: Host, options: CliOptions): Promise<number> {
  const host = options.word(0, 'The host of the ssh config');
  const problem = sshNameProblem(host);
  if (problem !== null) throw new UsageError(problem);
  const id = options.text('id') ?? idOf(host);
  const name = options.text('name') ?? host;
  const isSlurm = options.flag('slurm');
  const added = await ask(workbench, 'machine.add', {
    id,
    name,
    ...(isSlurm
      ? {
          kind: 'slurm',
          // Who sits at the login node itself needs no ssh to it.
          host: host === LOCAL_MACHINE ? null : host,
          defaults: {
            partition: options.text('partition') ?? '',
            account: options.text('account') ?? '',
            minutes: options.count('minutes', 1, 43_200) ?? 1_440,
            options: options.text('slurm-options') ?? '',
          },
        }
      : { kind: 'ssh', host }),
  });
  if (!added.ok) return printRefusal(added.error);
  const code = await waitAndPrint(workbench, id, options);
  if (code !== EXIT.done)
    printStatus(`${id} is in the list now. To take it out: mars2 machines remove ${id}`);
  return code;
}

async function probeMachine(workbench: Host, options: CliOptions): Promise<number> {
  return waitAndPrint(workbench, options.word(0, 'The machine'), options);
}

async function showCluster(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const read = await ask(workbench, 'machine.cluster', { machineId });
  if (!read.ok) return printRefusal(read.error);
  if (options.flag('json')) return printJson(read.value);
  const { name, version, partitions, accounts } = read.value;
  const rows = partitions.map(
    ({ name: partition, isDefault, isOpen, maxMinutes, nodes, idleNodes, gpus }) => [
      `${partition}${isDefault ? ' (default)' : ''}${isOpen ? '' : ' (closed)'}`,
      `${idleNodes} of ${nodes}`,
      gpus.map(({ type, free, total }) => `${free} of ${total}${type === '' ? '' : ` ${type}`}`).join(', ') ||
        '-',
      maxMinutes === null ? 'no limit' : `${maxMinutes} min`,
    ],
  );
  process.stdout.write(
    `${name}, Slurm ${version}\n${columns(['partition', 'idle nodes', 'free GPUs', 'longest job'], rows).join('\n')}\n`,
  );
  if (accounts.length > 0) process.stdout.write(`accounts: ${accounts.join(', ')}\n`);
  return EXIT.done;
}

async function openShell(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  if (!process.stdin.isTTY) throw new UsageError('A shell needs a terminal: start it from one.');
  const { columns: width = 80, rows = 24 } = process.stdout;
  const opened = await ask(workbench, 'terminal.open', { machineId, columns: width, rows });
  if (!opened.ok) return printRefusal(opened.error);
  const terminalId = opened.value.view.id;
  const code = await liveTerminal(workbench, terminalId);
  await ask(workbench, 'terminal.close', { terminalId });
  return code ?? EXIT.failed;
}

/** Waits until the machine is connected or says why not, then looks at it. */
async function waitAndPrint(workbench: Host, machineId: string, options: CliOptions): Promise<number> {
  const connected = await connectedMachine(workbench, machineId, (view) =>
    printMachines(workbench, [view], options),
  );
  if (typeof connected === 'number') return connected;
  const probed = await ask(workbench, 'machine.probe', { machineId });
  return probed.ok ? printMachines(workbench, [probed.value], options) : printRefusal(probed.error);
}

/** A name for the machine from its host: "user@gpu1.lab" is "gpu1-lab". */
function idOf(host: string): string {
  const id = plainId(host.split('@').at(-1) ?? host, { most: 40 });
  if (id === '') throw new UsageError(`"${host}" gives no id for the machine: set one with --id.`);
  return id;
}
