import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { crontabWith, type ServiceProgram, serviceName, startLine, systemdUnit } from './start-files';
import { runTool } from './system-tool';

/** What starts the service again with the computer; null: nothing does. */
export type Registration = 'systemd' | 'cron' | null;

/** What starts the service of this data folder with the computer. */
export async function registrationOf(dataDir: string): Promise<Registration> {
  if (existsSync(unitPath(dataDir))) return 'systemd';
  const table = await readCrontab();
  return table?.includes(`# ${serviceName(dataDir)}`) ? 'cron' : null;
}

/** Lets systemd or cron start the service with the computer, and answers which. */
export async function register(dataDir: string, program: ServiceProgram): Promise<Registration> {
  const name = serviceName(dataDir);
  const environment = await runTool('systemctl', ['--user', 'show-environment']);
  if (environment?.code === 0) {
    const path = unitPath(dataDir);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, systemdUnit(program, dataDir));
    await runTool('systemctl', ['--user', 'daemon-reload']);
    const enabled = await runTool('systemctl', ['--user', 'enable', `${name}.service`]);
    // Without it a user's services end with the last login.
    await runTool('loginctl', ['enable-linger', userInfo().username]);
    if (enabled?.code === 0) return 'systemd';
    await rm(path, { force: true });
  }
  return (await writeCrontab(dataDir, startLine({ ...program, args: startArguments(program.args) })))
    ? 'cron'
    : null;
}

/** Cron starts it as a person would, so that it gets its supervisor again. */
function startArguments(args: readonly string[]): readonly string[] {
  return args.map((word, at) => (word === 'run' && args[at - 1] === 'service' ? 'start' : word));
}

/** Nothing starts the service with the computer any more. */
export async function unregister(dataDir: string): Promise<void> {
  const path = unitPath(dataDir);
  if (existsSync(path)) {
    await runTool('systemctl', ['--user', 'disable', `${serviceName(dataDir)}.service`]);
    await rm(path, { force: true });
    await runTool('systemctl', ['--user', 'daemon-reload']);
  }
  await writeCrontab(dataDir, null);
}

/** False: this computer has no cron for this user. */
async function writeCrontab(dataDir: string, line: string | null): Promise<boolean> {
  const before = await readCrontab();
  if (before === null) return false;
  const after = crontabWith(before, serviceName(dataDir), line);
  if (after === before) return true;
  return (await runTool('crontab', ['-'], { input: after }))?.code === 0;
}

/** null: it cannot be read, so it must not be replaced. */
async function readCrontab(): Promise<string | null> {
  const table = await runTool('crontab', ['-l']);
  if (table === null) return null;
  if (table.code === 0) return table.stdout;
  // A user without a table gets an error, too.
  return /no crontab|no such file/i.test(table.stderr) ? '' : null;
}

const unitPath = (dataDir: string): string =>
  join(
    process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
    'systemd',
    'user',
    `${serviceName(dataDir)}.service`,
  );
