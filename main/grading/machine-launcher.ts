import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type AttachedProcess, contentName, type Machine } from '../machines';
import { type LaunchedRunner, type Launcher, NOBODY, probeLaunch, type RunnerChild } from './launcher';
import { hostScript, openRunnerScript, ownFolderScript, packagesScript } from './logic/machine-scripts';
import { featuresOf, type SandboxPlan, sandboxArguments } from './logic/sandbox-arguments';
import { sandboxRefusal } from './logic/sandbox-refusal';
import { PYTHON_PROBE, type PythonInterpreter, parsePythonProbe, requiredPaths } from './python-interpreter';
import { PACKAGES_PROBE, type PythonPackages, parsePackages } from './python-packages';
import { PACKAGES_FOLDER } from './runner-folder';
import { processBaseOf } from './task-count';

/** Folder of root's copy of the runner: the user nobody cannot read root's home. */
const ROOT_TOOLS = '/var/tmp/mars2-tools';
/** As root: drops its privileges, then executes the program that follows. */
const AS_NOBODY = `import os, sys; os.setgroups([]); os.setgid(${NOBODY}); os.setuid(${NOBODY}); os.execv(sys.argv[1], sys.argv[1:])`;

/** The machine's answer: one line of JSON, printed by its Python. */
const hostSchema = z.object({
  python: z.string(),
  bwrap: z.string().nullable(),
  version: z.string(),
  kernel: z.string(),
  uid: z.number().int(),
  tasks: z.number().int(),
  cores: z.number().int().positive(),
  packageManager: z.string().nullable(),
  /** The user's home, where bubblewrap can cover it. */
  hidden: z.array(z.string()),
  entries: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('link'), path: z.string(), target: z.string() }),
      z.object({ kind: z.literal('folder'), path: z.string() }),
    ]),
  ),
});

const HOST_PROBE = `
import json, os, shutil, subprocess
def tasks(uid):
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat("/proc/" + name).st_uid == uid:
                count += len(os.listdir("/proc/%s/task" % name))
        except OSError:
            pass
    return count
def hidden():
    home = path = os.path.realpath(os.path.expanduser("~"))
    if not os.path.isdir(home):
        return []
    while os.getuid() == 0 and path != "/":
        if not os.stat(path).st_mode & 1:
            return []
        path = os.path.dirname(path)
    return [home]
def entry(path):
    if os.path.islink(path):
        return {"kind": "link", "path": path, "target": os.readlink(path)}
    return {"kind": "folder", "path": path} if os.path.isdir(path) else None
bwrap = shutil.which("bwrap", path="/usr/bin:" + os.environ.get("PATH", ""))
managers = ["/usr/bin/apt-get", "/usr/bin/dnf", "/usr/bin/pacman", "/usr/bin/zypper"]
print(json.dumps({
    "python": PYTHON,
    "bwrap": bwrap,
    "version": subprocess.run([bwrap, "--version"], stdout=subprocess.PIPE).stdout.decode() if bwrap else "",
    "kernel": os.uname().release,
    "uid": os.getuid(),
    "tasks": tasks(${NOBODY} if os.getuid() == 0 else os.getuid()),
    "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
    "hidden": hidden(),
    "packageManager": next((m for m in managers if os.path.exists(m)), None),
    "entries": [e for e in map(entry, ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]) if e],
}))
`;

/** A launcher whose sandboxes run on another machine. */
export async function machineLauncher(
  machine: Machine,
  resourcesDir: string,
): Promise<Result<Launcher, Refusal>> {
  const where = `on ${machine.spec.name}`;
  const probed = await machine.run(
    hostScript(PYTHON_PROBE, HOST_PROBE.replace('PYTHON,', 'os.environ["PYTHON"],')),
  );
  if (!probed.ok) return probed;
  if (probed.value.code === 3) return failed(refusalOn(where, { kind: 'no-python' }, null, true));
  const host = parsed(probed.value.stdout);
  const python = host === null ? null : parsePythonProbe(host.python);
  if (host === null) {
    const stderr = probed.value.stderr.trim().slice(-500);
    return failed({ code: 'unavailable', message: `Grading ${where} could not be prepared: ${stderr}` });
  }
  const isRoot = host.uid === 0;
  if (python === null) return failed(refusalOn(where, { kind: 'no-python' }, host.packageManager, isRoot));
  if (host.bwrap === null) return failed(refusalOn(where, { kind: 'no-bwrap' }, host.packageManager, isRoot));
  const packages = await machine.run(packagesScript(python.path, PACKAGES_PROBE));
  if (!packages.ok) return packages;
  const available = parsePackages(python.path, packages.value.stdout);
  const folder = await uploadRunner(machine, resourcesDir, isRoot, python, available);
  if (!folder.ok) return folder;

  const plan = {
    python: python.path,
    pythonFolders: requiredPaths(python),
    runnerFolder: folder.value,
    rootEntries: host.entries,
    hidden: host.hidden,
    features: featuresOf(host.version),
  };
  let problem: string | null = null;
  for (const kind of ['shared', 'nested', 'single'] as const) {
    if (kind === 'shared' && !plan.features.sizedTmp) continue;
    const launch = launchOn(machine, { ...plan, way: kind }, { ...host, bwrap: host.bwrap });
    problem = await probeLaunch(launch);
    if (problem === null) {
      const reason = `It is the first on ${machine.spec.name} that can grade: the system's own, or else the first on the search path.`;
      const choice = { path: python.path, reason };
      const common = { python: python.version, choice, packages: available.packages, cores: host.cores };
      return ok({ ...common, kind, launch, dispose: async () => undefined });
    }
  }
  const broken = { kind: 'broken-sandbox', detail: problem ?? '', python: python.path } as const;
  return failed(refusalOn(where, broken, host.packageManager, isRoot));
}

function launchOn(
  machine: Machine,
  plan: SandboxPlan,
  host: { readonly bwrap: string; readonly uid: number; readonly kernel: string; readonly tasks: number },
): Launcher['launch'] {
  const command = [host.bwrap, ...sandboxArguments(plan)];
  const [program, ...args] =
    host.uid === 0 ? [plan.python, '-I', '-S', '-c', AS_NOBODY, ...command] : command;
  const ours = plan.way === 'nested' ? 2 : 1;
  return async (): Promise<LaunchedRunner> => {
    const child = await machine.spawn(program ?? '', args);
    if (!child.ok) throw new Error(child.error.message);
    return {
      process: asRunner(child.value),
      isReadyEachTime: plan.way === 'nested',
      processBase: processBaseOf(ours, host.kernel, () => host.tasks),
      stop: () => child.value.kill(),
      cleanUp: async () => undefined,
    };
  };
}

function asRunner(child: AttachedProcess): RunnerChild {
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    onError: () => undefined, // its end reports it
    onClose: (listener) => void child.ended.then(({ code }) => listener(code, null)),
  };
}

/** Uploads a copy of the runner, named by its digest, and compiles it for that Python for speed. */
async function uploadRunner(
  machine: Machine,
  resourcesDir: string,
  isRoot: boolean,
  python: PythonInterpreter,
  { paths }: PythonPackages,
): Promise<Result<string, Refusal>> {
  const source = join(resourcesDir, 'grader', 'mars2_grader');
  const home = isRoot ? await rootToolsFolder(machine) : await machine.home();
  if (!home.ok) return home;
  const folder = `${home.value}/tools/grader-${await digestOf(source)}-${python.version}`;
  const uploaded = await machine.upload(source, `${folder}/mars2_grader`);
  if (!uploaded.ok) return uploaded;
  const links = paths.map((path) => [path, basename(path)] as const);
  const opened = await machine.run(
    openRunnerScript({ folder, packages: PACKAGES_FOLDER, links, python: python.path }),
  );
  return opened.ok ? ok(folder) : opened;
}

/** Sandboxes of root run as nobody, who cannot read root's home. Anybody could have made this folder first. */
async function rootToolsFolder(machine: Machine): Promise<Result<string, Refusal>> {
  const folder = ROOT_TOOLS;
  const made = await machine.run(ownFolderScript(folder));
  if (!made.ok) return made;
  if (made.value.code === 0) return ok(folder);
  const message = `${folder} on ${machine.spec.name} does not belong to root. Find out who made it, and remove it.`;
  return failed({ code: 'unavailable', message, hint: `ls -ld ${folder}` });
}

/** Digest of the names and contents of the runner's files. */
async function digestOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.py')).sort();
  return (await contentName(names.map((name) => join(folder, name)))).slice(0, 12);
}

function refusalOn(
  where: string,
  problem: Parameters<typeof sandboxRefusal>[0],
  packageManager: string | null,
  isRoot: boolean,
): Refusal {
  const refusal = sandboxRefusal(problem, { packageManager, isRoot });
  return {
    ...refusal,
    message: refusal.message.replace('on this computer', where).replace(/\.$/, ` (${where}).`),
  };
}

function parsed(text: string): z.infer<typeof hostSchema> | null {
  try {
    const read = hostSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
