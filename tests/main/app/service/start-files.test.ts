import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitServiceLog, registrationOf, serviceLog, startService, stopService } from '../../../../main/app';
import { aesCipher, createServiceKeys } from '../../../../main/app/service/service-keys';
import {
  crontabWith,
  type ServiceProgram,
  serviceName,
  startLine,
  systemdUnit,
} from '../../../../main/app/service/start-files';
import { eventually } from '../../../support/eventually';
import { temporaryFolder } from '../../../support/temporary-folder';

const ODD = '/home/a lab/100% "mine" $HOME \\ \'x\'';
const program: ServiceProgram = { command: '/usr/bin/node', args: ['run it', ODD], env: { A: '1' } };

test('a unit of systemd quotes what it starts, restarts it, and leaves the jobs of its group alone', () => {
  const unit = systemdUnit(program, ODD);
  expect(unit).toContain(
    'ExecStart="/usr/bin/node" "run it" "/home/a lab/100%% \\"mine\\" $$HOME \\\\ \'x\'"\nEnvironment="A=1"\nStandardOutput=append:/home/a lab/100%% ',
  );
  expect(unit).toContain('/service.log\nStandardError=inherit\nRestart=on-failure');
  expect(unit).toContain('\nKillMode=process\n');
});

test('a line of cron survives its percent signs and the shell, and replaces just the one before', () => {
  const line = startLine({ ...program, command: '/bin/echo', env: {} });
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(`run it ${ODD}\n`);
  const mine = serviceName('/data');
  const first = crontabWith('MAILTO=me\n0 1 * * * backup\n', mine, startLine(program));
  expect(first).toMatch(/^MAILTO=me\n0 1 \* \* \* backup\n\*\/5 \* \* \* \* env A=1 .*100\\% /);
  const second = crontabWith(first, mine, 'other');
  expect(second).toBe(`MAILTO=me\n0 1 * * * backup\n*/5 * * * * other >/dev/null 2>&1 # ${mine}\n`);
  expect(crontabWith(second, serviceName('/else'), null)).toBe(second);
  expect(crontabWith(second, mine, null)).toBe('MAILTO=me\n0 1 * * * backup\n');
});

test('keys are encrypted with their own nonce, and a changed one is refused', () => {
  const cipher = aesCipher(Buffer.alloc(32, 7));
  const [one, two] = [cipher.encrypt('the key'), cipher.encrypt('the key')];
  expect(one.equals(two)).toBe(false);
  expect(cipher.decrypt(one)).toBe('the key');
  one[one.length - 1] = (one.at(-1) ?? 0) ^ 1;
  expect(() => cipher.decrypt(one)).toThrow();
  expect(() => aesCipher(Buffer.alloc(32, 8)).decrypt(two)).toThrow();
});

test('what the service prints is kept within limits, in the file that its processes have open', async () => {
  const dataDir = await temporaryFolder();
  const log = await open(serviceLog(dataDir), 'a');
  onTestFinished(() => log.close());
  await log.write('short\n');
  await limitServiceLog(dataDir);
  expect((await stat(serviceLog(dataDir))).size).toBe(6);
  await log.write('x'.repeat(5_000_001));
  await limitServiceLog(dataDir);
  await log.write('next\n');
  expect(await readFile(serviceLog(dataDir), 'utf8')).toBe('next\n');
  expect((await stat(`${serviceLog(dataDir)}.1`)).size).toBe(5_000_007);
});

/** Stand-ins for programs of the system that a test computer lacks; each notes what it was asked. */
async function withSystem(
  scripts: Readonly<Record<string, string>>,
): Promise<{ readonly asked: () => Promise<string> }> {
  const folder = await temporaryFolder();
  const notes = join(folder, 'asked');
  await writeFile(notes, '');
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >> '${notes}'\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', `${folder}:${process.env.PATH ?? ''}`);
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return { asked: () => readFile(notes, 'utf8') };
}

const HAS_KEYRING = ['secret-tool', 'gnome-keyring-daemon', 'dbus-daemon'].every(
  (name) => spawnSync('which', [name]).status === 0,
);

/** A keyring of GNOME that is unlocked, on a bus of its own; where there is none, a stand-in of secret-tool. */
async function withKeyring(): Promise<void> {
  const folder = await temporaryFolder();
  if (!HAS_KEYRING) {
    const kept = join(folder, 'kept');
    // What it does not have is an end with 1, without a word.
    const script = `case "$1" in lookup) [ -e '${kept}' ] && cat '${kept}' || exit 1 ;; store) cat >'${kept}' ;; esac`;
    return void (await withSystem({ 'secret-tool': script }));
  }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address']);
  // The keyring ends with it.
  onTestFinished(() => void bus.kill());
  const [address] = (await once(bus.stdout, 'data')) as [Buffer];
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', String(address).trim());
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder };
  execFileSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], { input: 'password', env });
  const store = ['store', '--label=probe', 'application', 'probe'];
  await eventually('the keyring', () => spawnSync('secret-tool', store, { input: 'x' }).status === 0);
}

const NO_KEYS = { value: async () => null, values: async () => [] };

test(`where the keyring answers (${HAS_KEYRING ? 'a real one' : 'a stand-in'}), keys are encrypted with a key that it keeps; where it does not, only their file protects them`, async () => {
  const folder = await temporaryFolder();
  const saved = async (dataDir: string) => {
    await mkdir(dataDir, { recursive: true });
    const keys = await createServiceKeys(dataDir, NO_KEYS);
    expect(await keys.save('lab', 'the value')).toMatchObject({ ok: true });
    return keys;
  };
  await withKeyring();
  const dataDir = join(folder, 'data');
  expect((await saved(dataDir)).keptIn).toContain('keyring');
  const file = join(dataDir, 'service-keys.json');
  expect(await readFile(file, 'utf8')).not.toContain(Buffer.from('the value').toString('base64'));
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await (await createServiceKeys(dataDir, NO_KEYS)).value('lab')).toBe('the value');
  await withSystem({ 'secret-tool': 'echo "Cannot autolaunch D-Bus" >&2; exit 1' });
  expect((await saved(join(folder, 'other'))).keptIn).toContain('only you can read');
  expect((await stat(join(folder, 'other', 'service-keys-plain.json'))).mode & 0o077).toBe(0);
});

/** A program that answers nothing: whoever starts the service would wait for it. */
const SILENT: ServiceProgram = {
  command: '/bin/sh',
  args: ['-c', 'echo started; exit 0', 'service', 'run'],
  env: {},
};

test('with systemd the service is its unit, enabled and with linger; stopping it removes the unit', async () => {
  const system = await withSystem({ systemctl: 'exit 0', loginctl: 'exit 0', crontab: 'exit 1' });
  const dataDir = join(await temporaryFolder(), 'data');
  void startService(dataDir, SILENT, { registers: true });
  const name = serviceName(dataDir);
  await eventually('the start of the unit', async () =>
    (await system.asked()).includes(`start ${name}.service`),
  );
  const asked = await system.asked();
  expect(asked).toContain(`systemctl --user enable ${name}.service`);
  expect(asked).toContain('loginctl enable-linger');
  expect(await registrationOf(dataDir)).toBe('systemd');
  await stopService(dataDir, { forGood: true });
  expect(await system.asked()).toContain(`systemctl --user disable ${name}.service`);
  expect(await registrationOf(dataDir)).toBeNull();
});

const failing = (script: string): ServiceProgram => ({
  command: '/bin/sh',
  args: ['-c', script, 'service', 'run'],
  env: {},
});

test.each([
  ['an error', 'echo "the port is taken"; echo "key=sk-abcdefghijklmnopqrstuvwx" >&2; exit 3', 'exit code 3'],
  ['a signal', 'echo "the port is taken"; kill -SEGV $$', 'signal 11'],
])(
  'a service that ends at once with %s is told at once, with its last lines, and not started again',
  async (_what, script, end) => {
    const dataDir = join(await temporaryFolder(), 'data');
    await mkdir(dataDir);
    await writeFile(serviceLog(dataDir), 'of the day before\n');
    const count = join(dataDir, 'count');
    const program = failing(`echo x >>'${count}'; ${script}`);
    const started = await startService(dataDir, program, { registers: false });
    expect(started).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    const { message, hint } = started.ok ? { message: '', hint: '' } : started.error;
    expect(message).toContain(`ended before it was ready (${end})`);
    expect(message).toContain('the port is taken');
    expect(message).not.toMatch(/of the day before|sk-abc/);
    expect(hint).toContain('service.log');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await readFile(count, 'utf8')).toBe('x\n');
  },
);

test('a data folder that cannot be written is a refusal that says so', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const started = await startService(join(folder, 'file', 'data'), SILENT, { registers: false });
  expect(started).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('nothing can be written in') },
  });
});

test('a unit of systemd that does not start is told, stopped and removed', async () => {
  const system = await withSystem({
    systemctl:
      'case "$2" in show) printf "ActiveState=activating\\nSubState=auto-restart\\nExecMainStatus=203\\n" ;; esac; exit 0',
    ...{ loginctl: 'exit 0', crontab: 'exit 1' },
  });
  const dataDir = join(await temporaryFolder(), 'data');
  const started = await startService(dataDir, SILENT, { registers: true });
  expect(started).toMatchObject({ ok: false, error: { message: expect.stringContaining('exit code 203') } });
  expect(await system.asked()).toContain(`stop ${serviceName(dataDir)}.service`);
  expect(await registrationOf(dataDir)).toBeNull();
});

test('a crontab that cannot be read is not replaced', async () => {
  const system = await withSystem({
    systemctl: 'exit 1',
    crontab: '[ "$1" = -l ] && { echo "cannot read the table: disk error" >&2; exit 1; }; exit 0',
  });
  const dataDir = join(await temporaryFolder(), 'data');
  void startService(dataDir, SILENT, { registers: true });
  await eventually('the program to have run', async () =>
    (await readFile(join(dataDir, 'service.log'), 'utf8').catch(() => '')).includes('started'),
  );
  expect(await system.asked()).not.toContain('crontab -\n');
  expect(await registrationOf(dataDir)).toBeNull();
});

test('without systemd the crontab gets one line that starts the service, kept beside all others, and loses it again', async () => {
  const folder = await temporaryFolder();
  const table = join(folder, 'table');
  await writeFile(table, '0 1 * * * backup\n');
  await withSystem({
    systemctl: 'exit 1',
    crontab: `if [ "$1" = -l ]; then cat '${table}'; else cat > '${table}'; fi`,
  });
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const starting = startService(dataDir, failing('echo "started $$"; exec sleep 300'), { registers: true });
  await eventually('the line of cron', async () =>
    (await readFile(table, 'utf8')).includes(serviceName(dataDir)),
  );
  expect(await readFile(table, 'utf8')).toContain("'service' 'start'".replaceAll("'", ''));
  expect(await registrationOf(dataDir)).toBe('cron');
  const log = await eventually('the program to run', async () => {
    const text = await readFile(serviceLog(dataDir), 'utf8').catch(() => '');
    return text.includes('started') ? text : null;
  });
  await stopService(dataDir, { forGood: true });
  expect(await readFile(table, 'utf8')).toBe('0 1 * * * backup\n');
  process.kill(Number(/started (\d+)/.exec(log)?.[1]), 'SIGKILL');
  expect(await starting).toMatchObject({ ok: false });
});

test('a start that fails leaves no line in the crontab', async () => {
  const folder = await temporaryFolder();
  const table = join(folder, 'table');
  await writeFile(table, '');
  const system = await withSystem({
    systemctl: 'exit 1',
    crontab: `if [ "$1" = -l ]; then cat '${table}'; else cat > '${table}'; fi`,
  });
  const dataDir = join(folder, 'data');
  expect(await startService(dataDir, failing('exit 1'), { registers: true })).toMatchObject({ ok: false });
  expect(await system.asked()).toContain('crontab -\n');
  expect(await readFile(table, 'utf8')).toBe('');
});
