import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { shellWords } from '../../base/index';
import { ownNodeRuntime } from '../node-runtime';

/** How the service's program is started. */
export type ServiceProgram = {
  /** Node, or Electron as Node. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** The terminal program as the service of a data folder, run by this process's own Node. */
export function serviceProgram(project: string, dataDir: string): ServiceProgram {
  return {
    ...ownNodeRuntime(process),
    args: [join(project, 'out', 'main', 'cli.js'), 'service', 'run', '--data', dataDir],
  };
}

/** The service's output. */
export const serviceLog = (dataDir: string): string => join(dataDir, 'service.log');

/** The name of a data folder's service: each folder may have one. */
export const serviceName = (dataDir: string): string =>
  `mars2-workbench-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`;

/**
 * A unit for systemd that belongs to this user. Only the service itself is stopped with the unit: jobs that it started
 * stay in its control group, and continue.
 */
export function systemdUnit({ command, args, env }: ServiceProgram, dataDir: string): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `Environment=${systemdQuoted(`${name}=${value}`)}`,
  );
  return [
    '[Unit]',
    `Description=MARS² Workbench, ${printable(dataDir).replaceAll('%', '%%')}`,
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${[command, ...args].map((word) => systemdQuoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    ...variables,
    // As without systemd, and where the texts of the workbench say.
    `StandardOutput=append:${serviceLog(dataDir).replaceAll('%', '%%')}`,
    'StandardError=inherit',
    'Restart=on-failure',
    'RestartSec=5',
    'KillMode=process',
    'TimeoutStopSec=60',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** In quotes, as systemd reads them; `%` begins a specifier there. */
function systemdQuoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `"${escaped}"`;
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** A user's table of cron with our line in place of an earlier one; `command` null: without it. */
export function crontabWith(table: string, name: string, command: string | null): string {
  const mark = `# ${name}`;
  const others = table.split('\n').filter((line) => line !== '' && !line.endsWith(mark));
  // Every few minutes rather than once: cron has no word for "after it was killed". It ends at once where the service runs.
  const own =
    command === null ? [] : [`*/5 * * * * ${command.replaceAll('%', '\\%')} >/dev/null 2>&1 ${mark}`];
  return [...others, ...own].map((line) => `${line}\n`).join('');
}

/** The line of cron, or of a shell, that starts the service where it does not run. */
export function startLine({ command, args, env }: ServiceProgram): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return shellWords(variables.length === 0 ? [command, ...args] : ['env', ...variables, command, ...args]);
}

/**
 * Runs the service's program (its arguments but the first) again when it was killed. After an end of its own with an error,
 * e.g. because a window has the data folder open, it waits longer; after a regular end it is done. A program that ends
 * before it has ever made the file $1, in which a workbench says where it answers, is not started again: who has asked for
 * it is told.
 */
export const SUPERVISOR = `
note=$1 worked=
shift
trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
while :; do
  "$@" &
  child=$!
  wait "$child"; code=$?
  while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
  [ "$code" -eq 0 ] && exit 0
  [ ! -e "$note" ] || worked=yes
  [ -n "$worked" ] || exit "$code"
  if [ "$code" -gt 128 ]; then sleep 1; else sleep 30; fi
done
`;
