import { z } from 'zod';
import type { DoctorCheck } from '../../../../preload/contract';
import { counted, SET_UP_FAILED, setUpLines, setUpScript, shellWord, shellWords } from '../../../base';
import { bad, type Finding, good, type ScriptOutput, sizeText, unknown, warning } from './finding';

/** The question to a learner's environment. Paths are absolute there. */
export type LearnerQuestion = {
  /** Python that is to have torch and transformers: a path or a name on PATH. */
  readonly python: string;
  /** Folder that holds the package mars2_learner. */
  readonly program: string;
  /** Where trainings write: its disk is asked about. */
  readonly folder: string;
  /** Lines for a POSIX shell that run before it, e.g. variables; empty: none. */
  readonly setUp: string;
};

/** Loading torch from a slow network disk takes minutes. */
export const LEARNER_SECONDS = 300;

/** A script for a POSIX shell that lets the learner check itself; its output is for `learnerChecks`. */
export function learnerScript({ python, program, folder, setUp }: LearnerQuestion): string {
  return setUpScript([
    `cd ${shellWord(folder)} || exit 1`,
    ...setUpLines(setUp),
    `echo "${GPUS}$(nvidia-smi -L 2>/dev/null </dev/null | grep -c '^GPU ')"`,
    // Our own package alone, as in a training; and no compiled files next to the sources.
    `export PYTHONPATH=${shellWord(program)} PYTHONDONTWRITEBYTECODE=1`,
    `exec ${shellWords([python, '-m', 'mars2_learner', 'check', '--json'])} </dev/null`,
  ]);
}

const GPUS = '@mars2-gpus@';
/** A shell's exit codes for a program that is absent, or is no program. */
const NO_PROGRAM = [126, 127];
const GIB_BYTES = 2 ** 30;
/** Adapters, optimiser states and exports of a small model fit in it; those of a large one do not. */
const ENOUGH_DISK_BYTES = 20 * GIB_BYTES;
/** torch itself and a model of some hundred million weights in float32 with its optimiser. */
const ENOUGH_MEMORY_BYTES = 6 * GIB_BYTES;

const byteCount = z.number().nonnegative();
const missingSchema = z.object({ missing: z.array(z.string().max(200)).min(1).max(50) });
const foundSchema = z.object({
  versions: z.record(z.string().max(50), z.string().max(100).nullable()),
  devices: z.array(z.object({ name: z.string().max(200), memory_bytes: byteCount })).max(64),
  cores: z.number().int().nonnegative(),
  memory_bytes: byteCount,
  free_disk_bytes: byteCount,
  step: z.object({
    device: z.string().max(50),
    seconds: z.number().nonnegative(),
    error: z.string().nullable(),
  }),
});
type Found = z.infer<typeof foundSchema>;

/** The findings about a machine whose learner checked itself, or why it could not. */
export function learnerChecks(
  { code, stdout, stderr }: ScriptOutput,
  question: {
    readonly python: string;
    /** The id of the machine, for the command that prepares it. */
    readonly machineId: string;
    /** On a cluster the login node was asked, which has no GPUs as a rule. */
    readonly isLoginNode: boolean;
    /** Is a GGUF file to be trained? */
    readonly needsGguf?: boolean;
  },
): readonly DoctorCheck[] {
  const { python, machineId, needsGguf = false } = question;
  const prepare = `Make an environment with the packages: \`mars2 machines prepare ${machineId} --learner\`.`;
  const answer = jsonIn(stdout);
  const missing = missingSchema.safeParse(answer);
  if (missing.success) return [packages(missingFinding(missing.data.missing, python, prepare))];
  const report = foundSchema.safeParse(answer);
  if (!report.success) return [packages(failure({ code, stderr }, python, prepare))];
  if (needsGguf && !report.data.versions.gguf) return [packages(missingFinding(['gguf'], python, prepare))];
  const gpus = Number(new RegExp(`^${GPUS}(\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  return [
    packages(packagesFinding(report.data, python)),
    { id: 'learner-devices', title: 'Learner: devices', ...devicesFinding(report.data, gpus, question) },
    { id: 'learner-memory', title: 'Learner: memory', ...memoryFinding(report.data) },
    { id: 'learner-disk', title: 'Learner: disk', ...diskFinding(report.data) },
    { id: 'learner-step', title: 'Learner: one step', ...stepFinding(report.data) },
  ];
}

function packages(finding: Finding): DoctorCheck {
  return { id: 'learner', title: 'Learner', ...finding };
}

/** The last line that is JSON; start-up files and libraries may print around it. */
function jsonIn(stdout: string): unknown {
  for (const line of stdout.split('\n').reverse()) {
    if (!line.startsWith('{')) continue;
    try {
      return JSON.parse(line);
    } catch {
      // Not ours: the next line above.
    }
  }
  return null;
}

/** The learner says "pip install torch". */
function missingFinding(missing: readonly string[], python: string, prepare: string): Finding {
  const names = missing.map((advice) => advice.replace(/^pip install /, '')).filter(isPackage);
  const pip = `\`${shellWords([python, '-m', 'pip', 'install', ...names])}\``;
  return bad(`${python} has no ${names.join(', ')}.`, `${prepare} Or install them for this Python: ${pip}.`);
}

/** Their names go into a command that is shown. */
function isPackage(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}

function failure(
  { code, stderr }: Pick<ScriptOutput, 'code' | 'stderr'>,
  python: string,
  prepare: string,
): Finding {
  const lines = stderr.trim().split('\n');
  const reason = (lines.at(-1) ?? '').trim().slice(0, 500);
  if (code === SET_UP_FAILED) return bad(`The set-up failed: ${reason}`, 'Run its lines there by hand.');
  if (NO_PROGRAM.includes(code)) {
    return bad(`There is no Python at ${python}.`, `Name one that is there with --python. ${prepare}`);
  }
  const why = reason === '' ? `It ended with code ${code}.` : reason;
  return bad(`The learner does not start with ${python}: ${why}`, prepare);
}

function packagesFinding({ versions }: Found, python: string): Finding {
  const installed = Object.entries(versions).flatMap(([name, version]) =>
    version === null ? [] : [`${name} ${version}`],
  );
  const gguf = versions.gguf ? '' : '; without gguf, which only a GGUF file as a model needs';
  return good(`${installed.join(', ')} in ${python}${gguf}.`);
}

function devicesFinding(
  { devices, cores }: Found,
  gpus: number,
  { python, isLoginNode }: { readonly python: string; readonly isLoginNode: boolean },
): Finding {
  if (devices.length > 0) {
    return good(`${devices.map((device) => `${device.name}, ${size(device.memory_bytes)}`).join('; ')}.`);
  }
  if (gpus > 0) {
    return warning(
      `The driver has ${gpus} GPU${gpus === 1 ? '' : 's'}, but torch sees none.`,
      `Install a build of torch for the driver's CUDA version; what it was built for: \`${shellWords([python, '-c', 'import torch; print(torch.version.cuda)'])}\`.`,
    );
  }
  if (isLoginNode) return unknown('The login node has no GPU; the nodes that run jobs were not asked.');
  return good(`No GPU; ${counted(cores, 'core')}, enough for small models.`);
}

function memoryFinding({ memory_bytes: memory }: Found): Finding {
  if (memory >= ENOUGH_MEMORY_BYTES) return good(`${size(memory)}.`);
  return warning(`Only ${size(memory)}.`, 'Train adapters of a very small model, or choose another machine.');
}

function diskFinding({ free_disk_bytes: free }: Found): Finding {
  if (free >= ENOUGH_DISK_BYTES) return good(`${size(free)} free where trainings are saved.`);
  return warning(
    `Only ${size(free)} free where trainings are saved.`,
    "Free space there, or train adapters: a checkpoint of all weights is 12 bytes per parameter and the model's own size.",
  );
}

function stepFinding({ step }: Found): Finding {
  if (step.error === null) {
    return good(`A tiny model made a step on ${step.device} in ${step.seconds.toFixed(2)} s.`);
  }
  return bad(
    `A step of a tiny model on ${step.device} failed: ${step.error.slice(0, 500)}`,
    'Choose another device for the training, or a build of torch that fits the driver (`nvidia-smi` names its CUDA version).',
  );
}

function size(bytes: number): string {
  return sizeText(bytes / 1_024);
}
