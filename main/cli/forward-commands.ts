import { forwardAddress, type PortForward } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { connectedMachine } from './connect-machine';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { findJob } from './job-lookup';
import { columns } from './report';

/** Milliseconds between two looks at a port that a command keeps forwarded. */
const WATCH_EVERY_MS = 300;

export const forwardCommands: readonly CommandSpec[] = [
  {
    usage: 'forward <machine> <port>',
    about: 'forward a port there to this computer: machines forward gpu1 6006',
    details: `Prints the address for the browser of this computer; nobody else can reach it over the
network. Usual ports: TensorBoard 6006, Ray 8265, Jupyter 8888. If a window has the data
folder open, that window keeps the port forwarded and the command ends; else the command
keeps it until Ctrl+C. It also ends when the machine is disconnected, and that of a job
with the job. After a cut connection it works again at the same address.`,
    options: [
      option('--job <job>', 'a port of this job; on a Slurm cluster, of the node that runs it'),
      option('--local-port <n>', 'the port here (default: the same number if it is free, else any)'),
      option('--close', 'close it again'),
      JSON_OPTION,
    ],
    run: forwardPort,
  },
  {
    usage: 'forwards',
    about: 'list the ports that are forwarded to this computer',
    options: [JSON_OPTION],
    run: listForwards,
  },
];

async function forwardPort(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const port = portNamed(options.word(1, 'The port'));
  const word = options.text('job');
  const job = word === undefined ? null : await findJob(workbench, word);
  if (job !== null && !job.ok) return printRefusal(job.error);
  const jobId = job?.value.id ?? null;
  if (options.flag('close')) return closeForward(workbench, { machineId, port, jobId });
  const localPort = options.count('local-port', 1, 65_535) ?? null;
  const connected = await connectedMachine(workbench, machineId);
  if (typeof connected === 'number') return connected;
  const opened = await ask(workbench, 'machine.forward', { machineId, port, jobId, localPort });
  if (!opened.ok) return printRefusal(opened.error);
  if (options.flag('json')) printJson(opened.value);
  else process.stdout.write(`${forwardAddress(opened.value)}\n`);
  if (workbench.outlivesCommand) return EXIT.done;
  printStatus('Forwarded until Ctrl+C, as no window has the data folder open.');
  return keepForward(workbench, opened.value.id);
}

/** Until it is closed elsewhere or Ctrl+C. */
async function keepForward(workbench: Host, forwardId: string): Promise<number> {
  let interrupted = false;
  let printed: string | null = null;
  const interrupt = (): void => {
    interrupted = true;
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    for (;;) {
      const list = await ask(workbench, 'machine.forwards', {});
      if (!list.ok) return printRefusal(list.error);
      const forward = list.value.find(({ id }) => id === forwardId);
      if (forward === undefined) {
        printStatus('The port is no longer forwarded.');
        return EXIT.done;
      }
      if (interrupted) {
        await ask(workbench, 'machine.closeForward', { forwardId });
        return EXIT.stopped;
      }
      if (forward.brokenBy !== printed && forward.brokenBy !== null) printStatus(forward.brokenBy);
      printed = forward.brokenBy;
      await new Promise((done) => setTimeout(done, WATCH_EVERY_MS));
    }
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

async function closeForward(
  workbench: Host,
  target: Pick<PortForward, 'machineId' | 'port' | 'jobId'>,
): Promise<number> {
  const list = await ask(workbench, 'machine.forwards', {});
  if (!list.ok) return printRefusal(list.error);
  const forward = list.value.find(
    ({ machineId, port, jobId }) =>
      machineId === target.machineId && port === target.port && jobId === target.jobId,
  );
  if (forward === undefined)
    return printRefusal({
      code: 'not-found',
      message: `Port ${target.port} of ${target.machineId} is not forwarded.`,
      hint: 'See what is with: mars2 machines forwards',
    });
  const closed = await ask(workbench, 'machine.closeForward', { forwardId: forward.id });
  return closed.ok ? EXIT.done : printRefusal(closed.error);
}

async function listForwards(workbench: Host, options: CliOptions): Promise<number> {
  const list = await ask(workbench, 'machine.forwards', {});
  if (!list.ok) return printRefusal(list.error);
  if (options.flag('json')) return printJson(list.value);
  if (list.value.length === 0) {
    printStatus('No port is forwarded. Forward one with: mars2 machines forward MACHINE PORT');
    return EXIT.done;
  }
  const rows = list.value.map((forward) => [
    forward.machineId,
    forward.node === null ? String(forward.port) : `${forward.port} of ${forward.node}`,
    forwardAddress(forward),
    forward.jobId?.slice(0, 8) ?? '-',
    forward.brokenBy ?? 'open',
  ]);
  process.stdout.write(`${columns(['machine', 'port', 'address here', 'job', 'state'], rows).join('\n')}\n`);
  return EXIT.done;
}

function portNamed(word: string): number {
  const port = Number(word);
  if (!/^\d{1,5}$/.test(word) || port < 1 || port > 65_535)
    throw new UsageError(`The port is a whole number from 1 to 65535, not "${word}".`);
  return port;
}
