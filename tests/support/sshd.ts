import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually';
import type { NetworkNamespace } from './network-namespace';

const run = promisify(execFile);
const PROGRAM = '/usr/sbin/sshd';
const isRoot = process.getuid?.() === 0;

/** False: the tests that need a server skip. */
export const hasSshd = process.platform === 'linux' && existsSync(PROGRAM);
/**
 * A login by password, and a login shell of the test's choice, need an account of their own. Root gives the server a
 * view of the file system in which /etc/passwd and its like are other files: the real ones are never touched.
 */
export const hasSshdAccounts = hasSshd && isRoot && existsSync('/usr/bin/unshare');

/** An sshd that is not root's can give no pty: it may not hand the device to the group of terminals. */
export const hasSshdPty = hasSshd && isRoot;

export type SshdOptions = {
  /** Its name in the client's config; "lab" when left out. */
  readonly host?: string;
  /** `key` when left out; the others ask for `password` (needs `hasSshdAccounts`). */
  readonly login?: 'key' | 'password' | 'keyboard-interactive';
  readonly password?: string;
  /** Absolute path (needs `hasSshdAccounts`); the user's own when left out. */
  readonly loginShell?: string;
  /** Ordinary users with accounts of their own (needs `hasSshdAccounts`); the client logs in as the first of them. */
  readonly users?: readonly { readonly name: string; readonly id: number }[];
  /** Files of the home folder by name, e.g. ".bashrc". */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** False: the server forbids forwarding. */
  readonly forwarding?: boolean;
  /** Another server through which the client goes. */
  readonly via?: Sshd;
  /** False: the client does not know the host key yet. */
  readonly knownHost?: boolean;
  /** More lines of the server's config. */
  readonly serverLines?: readonly string[];
  /** Where it runs instead of on loopback. */
  readonly network?: NetworkNamespace;
  /** More lines of the client's config of this host, before the usual ones: the first value of an option counts. */
  readonly clientLines?: readonly string[];
};

/** A real sshd on loopback. Whoever starts it stops it. */
export type Sshd = {
  readonly host: string;
  readonly user: string;
  readonly port: number;
  /** Holds all its files; no space in it (ssh does not quote its config's path for a jump). */
  readonly folder: string;
  /** The home folder of who logs in; has spaces in its path. */
  readonly home: string;
  /** The client's config; names this host and those it goes through. */
  readonly configPath: string;
  /** `-F` and the config, for the client. */
  readonly sshArgs: readonly string[];
  /** This host's lines of a client's config, to put several hosts into one. */
  readonly clientConfig: string;
  readonly knownHostsPath: string;
  /** The server's own log. */
  readonly log: () => Promise<string>;
  /** Process numbers of the sessions' server processes. */
  readonly sessions: () => Promise<readonly number[]>;
  /** KILL to the processes of all sessions; the server goes on and takes new ones. */
  readonly killSessions: () => Promise<void>;
  /** Stops server and sessions in their tracks, as a machine that hangs does. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Ends the server and all sessions, as a machine that goes down does; `start` brings it back on the same port. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  /** Gives the server another host key, for connections from now on. */
  readonly changeHostKey: () => Promise<void>;
  /** Ends all and removes the files. */
  readonly stop: () => Promise<void>;
};

/** Starts Debian's sshd with keys, config and (as root) accounts of its own on a free port of loopback. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const host = options.host ?? 'lab';
  const login = options.login ?? 'key';
  const user = options.users?.[0]?.name ?? userInfo().username;
  const folder = await mkdtemp('/tmp/m2sshd-');
  const at = (name: string) => join(folder, name);
  const home = hasSshdAccounts ? at('home of a user') : userInfo().homedir;
  const port = await freePort();
  const net = options.network ?? null;
  const address = net?.address ?? '127.0.0.1';

  await mkdir(home, { recursive: true });
  if (hasSshdAccounts) {
    for (const [name, text] of Object.entries(options.homeFiles ?? {})) {
      await mkdir(join(home, name, '..'), { recursive: true });
      await writeFile(join(home, name), text, { mode: 0o755 });
    }
  } else if (options.homeFiles || options.loginShell || options.users || login !== 'key') {
    throw new Error('This server needs accounts of its own: skip the test unless hasSshdAccounts');
  }
  await makeKey(at('host_key'));
  await makeKey(at('user_key'));
  await writeFile(at('authorized_keys'), await readFile(at('user_key.pub')));
  await writeFile(
    at('sshd_config'),
    [
      ...(options.serverLines ?? []),
      `Port ${port}`,
      `ListenAddress ${address}`,
      `HostKey ${at('host_key')}`,
      `PidFile ${at('sshd.pid')}`,
      `AuthorizedKeysFile ${at('authorized_keys')}`,
      'StrictModes no',
      'PermitRootLogin yes',
      'MaxStartups 100',
      'PrintMotd no',
      `PubkeyAuthentication ${login === 'key' ? 'yes' : 'no'}`,
      `PasswordAuthentication ${login === 'password' ? 'yes' : 'no'}`,
      `KbdInteractiveAuthentication ${login === 'keyboard-interactive' ? 'yes' : 'no'}`,
      `UsePAM ${login === 'keyboard-interactive' ? 'yes' : 'no'}`,
      `AllowTcpForwarding ${options.forwarding === false ? 'no' : 'yes'}`,
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n'),
  );
  for (const { name, id } of options.users ?? []) {
    // The server reads the keys as the user who logs in.
    await chmod(folder, 0o755);
    await mkdir(at(`home of ${name}`));
    await chown(at(`home of ${name}`), id, id);
  }
  const accounts = hasSshdAccounts ? await makeAccounts(folder, home, options) : [];

  const knownHostsPath = at('known_hosts');
  if (options.knownHost !== false) {
    const [type, key] = (await readFile(at('host_key.pub'), 'utf8')).split(' ');
    await writeFile(knownHostsPath, `[${address}]:${port} ${type} ${key}\n`);
  }
  const clientConfig = [
    `Host ${host}`,
    ...(options.clientLines ?? []),
    `HostName ${address}`,
    `Port ${port}`,
    `User ${user}`,
    `IdentityFile ${at('user_key')}`,
    'IdentitiesOnly yes',
    'IdentityAgent none',
    `UserKnownHostsFile ${knownHostsPath}`,
    'GlobalKnownHostsFile /dev/null',
    'ConnectTimeout 10',
    ...(options.via ? [`ProxyJump ${options.via.host}`] : []),
    '',
  ].join('\n  ');
  const configPath = at('client_config');
  await writeFile(configPath, `${clientConfig}\n${options.via?.clientConfig ?? ''}`);

  let server: ReturnType<typeof spawn> | null = null;
  const up = async () => {
    // sshd refuses to start as root without this folder, which its package's service makes.
    if (isRoot) await mkdir('/run/sshd', { recursive: true });
    // A test process that is killed takes its servers along.
    const bound = existsSync('/usr/bin/setpriv') ? '/usr/bin/setpriv --pdeathsig KILL ' : '';
    const command = `exec ${bound}${PROGRAM} -D -f ${at('sshd_config')} -E ${at('log')}`;
    const [program = '', ...args] = [
      ...(net?.enter ?? []),
      ...(hasSshdAccounts ? ['unshare', '--mount'] : []),
      ...['sh', '-c', [...accounts, command].join(' && ')],
    ];
    server = spawn(program, args, { stdio: 'ignore' });
    await eventually(`sshd on port ${port} (${folder}/log)`, () => answers(address, port));
  };
  const tree = async () => (server?.pid === undefined ? [] : await serversBelow(server.pid));
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended by itself.
      }
    }
  };
  const down = async () => {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    const pids = await tree();
    signal([server.pid, ...pids], 'SIGKILL');
    await ended;
  };

  await up();
  return {
    host,
    user,
    port,
    folder,
    home,
    configPath,
    sshArgs: ['-F', configPath],
    clientConfig,
    knownHostsPath,
    log: () => readFile(at('log'), 'utf8'),
    sessions: tree,
    killSessions: async () => signal(await tree(), 'SIGKILL'),
    freeze: async () => signal([server?.pid ?? 0, ...(await tree())].filter(Boolean), 'SIGSTOP'),
    thaw: async () => signal([...(await tree()), server?.pid ?? 0].filter(Boolean), 'SIGCONT'),
    down,
    up,
    changeHostKey: async () => {
      await makeKey(at('new_key'));
      await rename(at('new_key'), at('host_key'));
      await rename(at('new_key.pub'), at('host_key.pub'));
      // The server reads its keys again and restarts in the same process.
      signal([server?.pid ?? 0].filter(Boolean), 'SIGHUP');
      await eventually('sshd with its new key', async () => {
        const { stdout } = await run('ssh-keyscan', ['-p', String(port), address]).catch(() => ({
          stdout: '',
        }));
        const key = (await readFile(at('host_key.pub'), 'utf8')).split(' ')[1] ?? '';
        return stdout.includes(key);
      });
    },
    stop: async () => {
      await down();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One client config that names all these hosts; `ssh -F` its path. */
export async function joinedConfig(path: string, servers: readonly Sshd[]): Promise<readonly string[]> {
  await writeFile(path, '');
  for (const server of servers) await appendFile(path, `${server.clientConfig}\n`);
  return ['-F', path];
}

async function makeKey(path: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', path]);
}

/** Files of accounts in which this user has the wanted home, shell and password; answers what binds them in place. */
async function makeAccounts(folder: string, home: string, options: SshdOptions): Promise<readonly string[]> {
  const bind = (name: string, target: string) => `mount --bind ${join(folder, name)} ${target}`;
  const { username } = userInfo();
  const change = async (path: string, name: string, edit: (fields: string[]) => string[]) => {
    const lines = (await readFile(path, 'utf8')).split('\n');
    const changed = lines.map((line) =>
      line.startsWith(`${username}:`) ? edit(line.split(':')).join(':') : line,
    );
    await writeFile(join(folder, name), changed.join('\n'), { mode: 0o600 });
  };
  await change('/etc/passwd', 'passwd', (fields) => [
    ...fields.slice(0, 5),
    home,
    options.loginShell ?? fields[6] ?? '/bin/sh',
  ]);
  for (const { name, id } of options.users ?? [])
    await appendFile(
      join(folder, 'passwd'),
      `${name}:*:${id}:${id}::${join(folder, `home of ${name}`)}:/bin/sh\n`,
    );
  await chmod(join(folder, 'passwd'), 0o644);
  // Mounts of this view alone: none of them is seen outside.
  const binds = ['mount --make-rprivate /', bind('passwd', '/etc/passwd')];
  if (options.password === undefined) return binds;
  const { stdout } = await run('openssl', ['passwd', '-6', options.password]);
  await change('/etc/shadow', 'shadow', (fields) => [fields[0] ?? '', stdout.trim(), ...fields.slice(2)]);
  const rules = [
    'auth required pam_unix.so',
    'account required pam_unix.so',
    'session required pam_permit.so',
  ];
  await writeFile(join(folder, 'pam'), `${rules.join('\n')}\n`);
  return [...binds, bind('shadow', '/etc/shadow'), bind('pam', '/etc/pam.d/sshd')];
}

/** A loopback port without a listener. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

async function answers(address: string, port: number): Promise<boolean> {
  const probe = createConnection(port, address);
  try {
    // The greeting, not only an open port: then the server has read its keys.
    await Promise.race([
      once(probe, 'data'),
      once(probe, 'close').then(() => Promise.reject(new Error('closed'))),
    ]);
    return true;
  } catch {
    return false;
  } finally {
    probe.destroy();
  }
}

/** The sshd processes below one: the sessions, without what runs in them. */
async function serversBelow(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const match = /^\d+ \(sshd\) . (\d+) /.exec(stat);
    if (match !== null) parents.set(Number(name), Number(match[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}
