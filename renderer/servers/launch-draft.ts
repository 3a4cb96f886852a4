import type { Engine, Environment, ServerLaunch } from '../../preload/contract/launch';
import type { MachineView } from '../../preload/contract/machine';
import {
  extraProblems,
  LAUNCH_PRESETS,
  type LaunchPreset,
  launchFromPreset,
  plainId,
} from '../../preload/contract/plans/index';
import { type GpuFields, gpuFieldsOf, readGpus } from '../shared/machines/resource-fields';
import { hasNoGpus } from '../text/gpus';
import { plural } from '../widgets/format';
import { wholeNumber } from '../widgets/typed-numbers';
import { readVariables, type VariableRow, variableRows } from '../widgets/variables';

/** A launch as typed in the form. */
export type LaunchDraft = GpuFields & {
  /** Of the saved launch; null: new. */
  readonly id: string | null;
  readonly name: string;
  readonly engine: Engine;
  readonly machineId: string;
  readonly environmentKind: Environment['kind'];
  readonly environmentLocation: string;
  readonly weights: string;
  /** Empty: the last part of the weights' name. */
  readonly model: string;
  /** Empty: the model's maximum. */
  readonly contextTokens: string;
  /** Percent of each GPU. */
  readonly memoryShare: string;
  readonly extraArguments: string;
  readonly environment: readonly VariableRow[];
  /** null: the generated command. */
  readonly commandLine: string | null;
  /** Empty: a free port. */
  readonly port: string;
  readonly replicas: string;
  readonly maxInFlight: string;
};

export type LaunchField =
  | 'name'
  | 'machine'
  | 'environmentLocation'
  | 'weights'
  | 'model'
  | 'gpus'
  | 'contextTokens'
  | 'memoryShare'
  | 'environment'
  | 'commandLine'
  | 'extraArguments'
  | 'port'
  | 'replicas'
  | 'maxInFlight';
/** missing: shown after the first try to save; wrong: shown at once. */
export type LaunchError = {
  readonly at: LaunchField;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
export type CheckedLaunch = {
  readonly errors: readonly LaunchError[];
  readonly warnings: readonly string[];
  /** null while there are errors. */
  readonly launch: ServerLaunch | null;
};

/** The initial form: the papers' smallest model on this machine; without GPUs llama.cpp, whose weights the user names. */
export function firstLaunch(machines: readonly MachineView[], machineId: string): LaunchDraft {
  const [preset] = LAUNCH_PRESETS;
  const machine = machines.find(({ spec }) => spec.id === machineId) ?? null;
  const empty = emptyLaunch(machineId);
  if (hasNoGpus(machine)) return { ...empty, engine: 'llama-cpp', gpuMode: 'none' };
  return preset === undefined ? empty : withLaunchPreset(empty, preset, machine);
}

function emptyLaunch(machineId: string): LaunchDraft {
  return {
    id: null,
    name: '',
    engine: 'vllm',
    machineId,
    environmentKind: 'path',
    environmentLocation: '',
    weights: '',
    model: '',
    gpuMode: 'any',
    gpus: '1',
    gpuIds: [],
    contextTokens: '',
    memoryShare: '90',
    extraArguments: '',
    environment: [],
    commandLine: null,
    port: '',
    replicas: '1',
    maxInFlight: '64',
  };
}

export function draftOfLaunch(launch: ServerLaunch): LaunchDraft {
  return {
    id: launch.id,
    name: launch.name,
    engine: launch.engine,
    machineId: launch.machineId,
    environmentKind: launch.environment.kind,
    environmentLocation: launch.environment.kind === 'path' ? '' : launch.environment.place,
    weights: launch.weights,
    model: launch.model,
    ...gpuFieldsOf(launch),
    contextTokens: launch.contextTokens === null ? '' : String(launch.contextTokens),
    memoryShare: String(Math.round(launch.memoryShare * 100)),
    extraArguments: launch.extraArguments,
    environment: variableRows(launch.env),
    commandLine: launch.commandLine,
    port: launch.port === null ? '' : String(launch.port),
    replicas: String(launch.replicas),
    maxInFlight: String(launch.maxInFlight),
  };
}

/** A new launch with the same settings. Its port is free to choose: the servers of both could not share one. */
export function copyOfLaunch(draft: LaunchDraft): LaunchDraft {
  return { ...draft, id: null, name: `${draft.name.trim()} (copy)`, port: '' };
}

/** Applies a model preset, sized for the machine's GPUs, if it has any; keeps machine, engine and environment. */
export function withLaunchPreset(
  draft: LaunchDraft,
  preset: LaunchPreset,
  machine: MachineView | null,
): LaunchDraft {
  const memoryMib = machine?.gpus?.gpus[0]?.memoryTotalMib ?? null;
  const { machineId, engine, environmentKind, environmentLocation, id } = draft;
  const memoryGib = memoryMib === null ? null : memoryMib / 1_024;
  const launch = launchFromPreset(preset, { id: id ?? 'new', machineId, memoryGib }, engine);
  const gpus: Partial<GpuFields> = hasNoGpus(machine) ? { gpuMode: 'none' } : {};
  return { ...draftOfLaunch(launch), ...gpus, id, environmentKind, environmentLocation };
}

/** The typed model name, or the default: "Qwen3-8B" of "Qwen/Qwen3-8B" and "/models/Qwen3-8B/". */
export function modelName(draft: Pick<LaunchDraft, 'model' | 'weights'>): string {
  const typed = draft.model.trim();
  if (typed !== '') return typed;
  const last =
    draft.weights
      .trim()
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  return last.replace(/\.(gguf|safetensors|bin)$/i, '');
}

/** A unique id: the name in lower case with dashes, plus a number if taken. */
export function launchId(name: string, existingIds: readonly string[]): string {
  const base = plainId(name.normalize('NFKD'), { most: 50 }) || 'server';
  let id = base;
  for (let number = 2; existingIds.includes(id) || id === 'new'; number++) id = `${base}-${number}`;
  return id;
}

/** Checks the form before main does. */
export function checkLaunch(
  draft: LaunchDraft,
  machine: MachineView | null,
  existingIds: readonly string[],
): CheckedLaunch {
  const errors: LaunchError[] = [];
  const addError = (at: LaunchField, message: string, kind: LaunchError['kind'] = 'wrong'): void => {
    errors.push({ at, kind, message });
  };
  const integer = (at: LaunchField, text: string, bounds: readonly [number, number]): number => {
    const read = wholeNumber(text, bounds);
    if (read.ok) return read.value;
    addError(at, read.message);
    return bounds[0];
  };
  if (machine === null) addError('machine', 'Choose a machine.', 'missing');
  if (draft.weights.trim() === '') {
    addError(
      'weights',
      'Enter the weights: a folder or file on the machine, or a name on the Hugging Face hub.',
      'missing',
    );
  }
  const environment = draft.environmentLocation.trim();
  if (draft.environmentKind !== 'path' && environment === '') {
    addError('environmentLocation', ENVIRONMENT_QUESTIONS[draft.environmentKind], 'missing');
  }
  const model = modelName(draft);
  if (model === '' && draft.weights.trim() !== '')
    addError('model', 'Enter a model name for requests.', 'missing');
  const name = draft.name.trim() === '' ? model : draft.name.trim();
  if (name.length > 80) addError('name', 'At most 80 characters.');
  const { gpus, gpuIds, error: gpuError } = readGpus(draft, machine?.spec.kind === 'slurm');
  if (gpuError !== null) errors.push(gpuError);
  const replicas = integer('replicas', draft.replicas, [1, 64]);
  if (gpuIds !== null && gpus % replicas !== 0) {
    addError('replicas', `${plural(gpus, 'GPU')} cannot be split evenly over ${replicas} replicas.`);
  }
  const { env, errors: variableErrors } = readVariables(draft.environment);
  for (const message of variableErrors) addError('environment', message);
  if (draft.commandLine !== null && draft.commandLine.trim() === '') {
    addError('commandLine', 'Enter a command, or use the generated one.');
  } else if (
    draft.commandLine !== null &&
    !draft.commandLine.includes('{port}') &&
    (draft.port.trim() === '' || replicas > 1)
  ) {
    addError(
      'commandLine',
      'Write {port} where the command takes its port, so that a free one can be filled in.',
    );
  }
  const [extraProblem] = draft.commandLine === null ? extraProblems(draft.extraArguments) : [];
  if (extraProblem !== undefined) addError('extraArguments', extraProblem);
  const share = integer('memoryShare', draft.memoryShare, [5, 99]);
  const launch: ServerLaunch = {
    id: draft.id ?? launchId(name, existingIds),
    name: name === '' ? 'server' : name,
    engine: draft.engine,
    machineId: draft.machineId,
    environment:
      draft.environmentKind === 'path'
        ? { kind: 'path' }
        : { kind: draft.environmentKind, place: environment },
    weights: draft.weights.trim(),
    model,
    gpus: gpuIds === null ? gpus : gpus / replicas,
    gpuIds,
    contextTokens:
      draft.contextTokens.trim() === ''
        ? null
        : integer('contextTokens', draft.contextTokens, [256, 10_000_000]),
    memoryShare: share / 100,
    extraArguments: draft.extraArguments.trim(),
    env,
    commandLine: draft.commandLine === null ? null : draft.commandLine.trim(),
    port: draft.port.trim() === '' ? null : integer('port', draft.port, [1_024, 65_535]),
    replicas,
    maxInFlight: integer('maxInFlight', draft.maxInFlight, [1, 4_096]),
  };
  return { errors, warnings: warningsOf(draft, machine), launch: errors.length > 0 ? null : launch };
}

const ENVIRONMENT_QUESTIONS: Readonly<Record<Exclude<Environment['kind'], 'path'>, string>> = {
  venv: 'Enter the folder that contains bin/activate.',
  conda: 'Enter the conda environment, by name or folder.',
  module: 'Enter the modules, as for module load.',
};

function warningsOf(draft: LaunchDraft, machine: MachineView | null): readonly string[] {
  const warnings: string[] = [];
  for (const name of readVariables(draft.environment).secrets) {
    warnings.push(
      `${name} looks like a secret and would be stored readable with the launch. Put it into a file on the machine that the shell reads.`,
    );
  }
  const connection = machine?.connection.kind;
  if (machine !== null && (connection === 'unreachable' || connection === 'off')) {
    warnings.push(`${machine.spec.name} is not connected, so its GPUs are not known.`);
  }
  if (machine !== null && hasNoGpus(machine) && draft.gpuMode !== 'none') {
    const needsGpu = draft.engine === 'vllm' || draft.engine === 'sglang';
    warnings.push(
      `${machine.spec.name} has no GPU, so this server cannot start there. Choose another machine, or none under GPUs${needsGpu ? ' and an engine that needs none, such as llama.cpp' : ''}.`,
    );
  }
  if (draft.gpuMode === 'none' && (draft.engine === 'vllm' || draft.engine === 'sglang')) {
    warnings.push('This engine needs GPUs; without one it may not start.');
  }
  return warnings;
}
