import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { z } from 'zod';
import type { MachineService, Refusal } from '../../../preload/contract/index';
import { failed, ok, parsedJson, printableText, shellWords } from '../../base/index';
import {
  type AsyncResult,
  contentName,
  findNode,
  type Machine,
  MIN_NODE_VERSION,
} from '../../machines/index';
import { versionGap } from '../logic/other-version';
import type { ReportProgress } from '../long-tasks';
import { programScript } from './logic/service-script';
import { fetchPackage, KNOWN_SYSTEMS, nativePackages } from './native-packages';
import { gatherProgram } from './program-files';

/** The service of a machine starts within two minutes, or says so. */
const START_MS = 180_000;
const ASK_MS = 30_000;

/**
 * Our program on the machine, in `service.json` of our folder there. Anybody who can write there could run programs
 * anyway.
 */
const installedSchema = z.object({
  /** Name of the program's folder below tools/. */
  program: z.string().regex(/^workbench-[\w.-]{1,100}$/),
  version: z.string().max(100),
  /** Path of Node. */
  node: z.string().regex(/^\/[^\0\n]{1,1000}$/),
});
type Installed = z.infer<typeof installedSchema>;
type InstalledService = Extract<MachineService, { kind: 'installed' }>;

/** What `mars2 service status --json` prints, of any version. */
const statusSchema = z.object({
  running: z.boolean(),
  startsWithComputer: z.enum(['systemd', 'cron']).nullable(),
  dataFolder: z.string().max(4_096),
  openBy: z
    .object({
      version: z.string().max(100),
      pid: z.number().int().positive(),
      startedAt: z.string().max(100),
      host: z.string().max(255),
      unfinished: z.array(z.string().max(1_000)).max(10_000),
    })
    .nullable(),
});

/** This program, which is copied to machines. */
export type OwnProgram = { readonly project: string; readonly version: string };

/** Whether a background service of ours is on the machine, and whether it runs. */
export async function readMachineService(machine: Machine): AsyncResult<MachineService> {
  const installed = await readInstalled(machine);
  if (!installed.ok) return installed;
  return installed.value === null ? ok({ kind: 'none' }) : readStatus(machine, installed.value);
}

async function readStatus(machine: Machine, installed: Installed): AsyncResult<InstalledService> {
  const end = await runOnMachine(machine, installed, ['service', 'status', '--json'], ASK_MS);
  if (!end.ok) return end;
  const status = statusSchema.safeParse(parsedJson(end.value.stdout));
  if (!status.success) return failed(unclearFailure(machine, end.value));
  const { running, startsWithComputer, dataFolder, openBy } = status.data;
  return ok({
    kind: 'installed',
    version: installed.version,
    startsWithComputer,
    dataFolder,
    running: running && openBy !== null ? openBy : null,
  });
}

/**
 * Copies this program to the machine where it is not there yet, and starts it as a service; one of another version gives
 * its work to this one. No root is needed. `registers`: it starts with the machine.
 */
export async function startMachineService(
  machine: Machine,
  { project, version }: OwnProgram,
  { registers }: { readonly registers: boolean },
  report: ReportProgress,
): AsyncResult<MachineService> {
  const { name } = machine.spec;
  const before = await readInstalled(machine);
  if (!before.ok) return before;
  const isGoingOn = before.value !== null && (await isRunning(machine, before.value));
  // This program could not read all that the newer one has written.
  if (isGoingOn && before.value !== null && versionGap(before.value.version, version) === 'newer')
    return failed(isNewer(name, before.value.version, version));
  const step = (activity: string, done: number): void => report({ activity, done, total: 4, unit: 'steps' });
  step(`looking for Node on ${name}`, 0);
  const system = await systemOf(machine);
  if (!system.ok) return system;
  const home = await machine.home();
  if (!home.ok) return home;
  const isLikeThis = system.value === SYSTEM_HERE;
  const packages = await nativePackages(system.value);
  const download = (what: keyof typeof packages) =>
    fetchPackage(packages[what], () => step(`downloading ${packages[what].name} for ${name}`, 0));
  const node = await nodeOn(machine, home.value, () =>
    isLikeThis ? nodeToCopy(process, () => download('node')) : download('node'),
  );
  if (!node.ok) return node;
  const terminals = isLikeThis ? null : await download('terminals');
  if (terminals?.ok === false) return terminals;
  step(`copying the workbench to ${name}`, 1);
  const other = terminals === null ? null : { name: packages.terminals.name, folder: terminals.value };
  const files = await gatherProgram(project, other);
  const program = `workbench-${version}-${files.digest.slice(0, 12)}`;
  try {
    const uploaded = await machine.upload(files.folder, join(home.value, 'tools', program));
    if (!uploaded.ok) return uploaded;
  } finally {
    await files.dispose();
  }
  step(`starting the service on ${name}`, 2);
  const installed: Installed = { program, version, node: node.value };
  const word = isGoingOn && before.value?.program !== program ? 'restart' : 'start';
  const flags = word === 'start' && !registers ? ['--temporary'] : [];
  const started = await runOnMachine(machine, installed, ['service', word, ...flags], START_MS);
  if (!started.ok) return started;
  if (started.value.code !== 0) return failed(unclearFailure(machine, started.value));
  const noted = await machine.writeText(join(home.value, 'service.json'), `${JSON.stringify(installed)}\n`);
  if (!noted.ok) return noted;
  step(`asking the service on ${name}`, 3);
  return readStatus(machine, installed);
}

/** Ends it, and nothing starts it again; jobs continue by themselves. */
export async function stopMachineService(machine: Machine): AsyncResult<MachineService> {
  const installed = await readInstalled(machine);
  if (!installed.ok) return installed;
  if (installed.value === null) return ok({ kind: 'none' });
  const end = await runOnMachine(machine, installed.value, ['service', 'stop'], START_MS);
  if (!end.ok) return end;
  return end.value.code === 0
    ? readStatus(machine, installed.value)
    : failed(unclearFailure(machine, end.value));
}

/** A connection to the service, through the machine's own; ends with either. */
export async function connectToService(machine: Machine): AsyncResult<Duplex> {
  const installed = await readInstalled(machine);
  if (!installed.ok) return installed;
  const home = await machine.home();
  if (!home.ok) return home;
  if (installed.value === null) return failed(noService(machine.spec.name));
  const words = [cliOf(home.value, installed.value), 'service', 'connect'];
  const attached = await machine.spawn(installed.value.node, words);
  if (!attached.ok) return attached;
  const { stdin, stdout, stderr, ended, kill } = attached.value;
  stderr.resume();
  const stream = Duplex.from({ readable: stdout, writable: stdin });
  stream.once('close', kill);
  void ended.then(() => stream.destroy());
  return ok(stream);
}

export const noService = (name: string): Refusal => ({
  code: 'conflict',
  message: `No background service runs on ${name}.`,
  hint: `Start it on the machine's page, or in a terminal: mars2 service start --service ${shellWords([name])}`,
});

const isNewer = (machine: string, there: string, own: string): Refusal => ({
  code: 'conflict',
  message: `The background service on ${machine} is version ${there}, newer than this workbench (${own}). It goes on as it is.`,
  hint: `Use the workbench of version ${there}, or end the service there first.`,
});

const cliOf = (home: string, { program }: Installed): string =>
  join(home, 'tools', program, 'out', 'main', 'cli.js');

async function readInstalled(machine: Machine): AsyncResult<Installed | null> {
  if (machine.spec.kind === 'local') return failed(IS_HERE);
  const home = await machine.home();
  if (!home.ok) return home;
  const text = await machine.readText(join(home.value, 'service.json'));
  if (!text.ok) return text;
  const installed = installedSchema.safeParse(parsedJson(text.value ?? ''));
  return ok(installed.success ? installed.data : null);
}

async function runOnMachine(
  machine: Machine,
  installed: Installed,
  words: readonly string[],
  timeoutMs: number,
): ReturnType<Machine['run']> {
  const home = await machine.home();
  if (!home.ok) return home;
  return machine.run(programScript([installed.node, cliOf(home.value, installed), ...words]), { timeoutMs });
}

async function isRunning(machine: Machine, installed: Installed): Promise<boolean> {
  const found = await readStatus(machine, installed);
  return found.ok && found.value.running !== null;
}

/** Node's own names of systems and processors, by those of `uname`. */
const SYSTEMS: Readonly<Record<string, string>> = { Linux: 'linux', Darwin: 'darwin' };
const PROCESSORS: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64', arm64: 'arm64' };

const SYSTEM_HERE = `${process.platform}-${process.arch}`;

/** System and processor of a machine on which our program runs, e.g. "linux-x64". */
async function systemOf(machine: Machine): AsyncResult<string> {
  const end = await machine.run('uname -s; uname -m');
  if (!end.ok) return end;
  const [system = '', processor = ''] = end.value.stdout.slice(0, 200).split('\n');
  const found = `${SYSTEMS[system] ?? system}-${PROCESSORS[processor] ?? processor}`;
  if (found === SYSTEM_HERE || KNOWN_SYSTEMS.includes(found)) return ok(found);
  return failed({
    code: 'unavailable',
    message: `${machine.spec.name} is ${printableText(system)} on ${printableText(processor)}: the background service runs on machines like this computer (${SYSTEM_HERE}) and on ${KNOWN_SYSTEMS.join(', ')}.`,
    hint: 'Choose another machine, or leave the service on this computer: mars2 service start',
  });
}

/**
 * The Node that may be copied to a machine: the one that runs this process; in Electron, which needs a desktop's libraries,
 * the one of the npm that has started it, else, e.g. in an installed workbench, one that is downloaded.
 */
export async function nodeToCopy(
  { execPath, versions, env }: Pick<NodeJS.Process, 'execPath' | 'versions' | 'env'>,
  download: () => AsyncResult<string>,
): AsyncResult<string> {
  if (versions.electron === undefined) return ok(execPath);
  const { npm_node_execpath: ofNpm } = env;
  return ofNpm === undefined ? download() : ok(ofNpm);
}

/** A Node that is new enough: one of the machine's, else a copy of `own`, which this computer has or fetches. */
export async function nodeOn(
  machine: Machine,
  home: string,
  own: () => AsyncResult<string>,
): AsyncResult<string> {
  const found = await findNode(machine, 'The background service needs');
  if (found.ok || found.error.code === 'unreachable') return found;
  const fetched = await own();
  if (!fetched.ok)
    return failed({ ...found.error, message: `${found.error.message} ${fetched.error.message}` });
  const digest = await contentName([fetched.value]);
  const path = join(home, 'tools', `node-${digest}`, 'node');
  const uploaded = await machine.upload(fetched.value, path);
  if (!uploaded.ok) return uploaded;
  const tried = await machine.run(shellWords([path, '-p', 'process.versions.node']));
  if (!tried.ok) return tried;
  const isNew = Number.parseInt(tried.value.stdout, 10) >= MIN_NODE_VERSION;
  // e.g. its C library is older than ours needs.
  return tried.value.code === 0 && isNew ? ok(path) : found;
}

function unclearFailure(
  machine: Machine,
  { code, stderr }: { readonly code: number; readonly stderr: string },
): Refusal {
  const lastOutput = stderr
    .replace(/[\p{Cc}]+/gu, ' ')
    .trim()
    .slice(-600);
  return {
    code: 'unavailable',
    message: `The background service on ${machine.spec.name} did not answer as expected (exit code ${code})${lastOutput === '' ? '' : `: ${lastOutput}`}`,
    hint: 'Its output is in service.log of its data folder there.',
  };
}

const IS_HERE: Refusal = {
  code: 'conflict',
  message: 'This computer has a background service of its own.',
  hint: 'Settings > Background service, or in a terminal: mars2 service start',
};
