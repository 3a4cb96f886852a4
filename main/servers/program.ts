import { randomInt } from 'node:crypto';
import type { Refusal, ServerLaunch, ServerView } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { JobSpec } from '../jobs';
import { type Machine, PORT_RANGE, portsScript, readFreePorts } from '../machines';
import { ENGINES, type EngineKind } from './logic/engines';
import { environmentLines } from './logic/environment-lines';
import { commandWith, gpuIdsOf, type LearnerRuntime, namedPort, replicaName } from './logic/launch-command';
import {
  type LaunchNotes,
  launchKey,
  MODEL_SERVER_PURPOSE,
  NODE_FILE,
  NODE_LINE,
  PORT_FILE,
  readPortFile,
  STAGES_FILE,
  writeNotes,
} from './logic/launch-notes';

/** Ports tried per attempt: nearly always the first is free. */
const PORT_CANDIDATES = 16;

/** What differs between kinds of servers: how one is started and reached. */
export type Program = {
  readonly kind: ServerView['kind'];
  readonly model: string;
  readonly maxInFlight: number;
  readonly machineId: string;
  /** Milliseconds that every answer is held back on purpose. */
  readonly latencyMs: number;
  readonly notes: LaunchNotes;
  readonly serves:
    | { readonly kind: 'own'; readonly knownProblemId: string | null }
    | {
        readonly kind: 'launch';
        readonly launch: ServerLaunch;
        readonly engine: EngineKind;
        readonly replica: number;
        readonly port: number;
      };
};

/** Reads from a job's notes what it serves. */
export function programOf(notes: LaunchNotes, machineId: string): Program {
  const { serves } = notes;
  if (serves.kind === 'own') {
    const { spec, knownProblemId } = serves;
    return {
      kind: spec.kind,
      model: spec.model,
      maxInFlight: spec.maxInFlight,
      machineId,
      latencyMs: spec.latencyMs,
      notes,
      serves: { kind: 'own', knownProblemId },
    };
  }
  const { launch } = serves;
  return {
    kind: launch.engine,
    model: launch.model,
    maxInFlight: launch.maxInFlight,
    machineId,
    latencyMs: 0,
    notes,
    serves: { ...serves, engine: ENGINES[launch.engine] },
  };
}

/** A launch has one model; an engine that lists others than its own may also know it by another name. */
export function hasOneModel({ serves }: Program): boolean {
  return serves.kind === 'launch' && !serves.engine.listsItsModel;
}

/** Which of its launch's servers it is, from 0. */
export function replicaOf({ serves }: Program): number {
  return serves.kind === 'launch' ? serves.replica : 0;
}

/** A job to start, and the notes that it carries. */
export type ServerJob = { readonly spec: JobSpec; readonly notes: LaunchNotes };

/** The port that an engine was given; one of our own servers writes it to its port file. null: not yet. */
export function listenerOf(
  program: Program,
  portFile: string | null,
): { readonly port: number; readonly pid: number | null } | null {
  if (program.serves.kind === 'launch') return { port: program.serves.port, pid: null };
  return readPortFile(portFile ?? '');
}

export { PORT_FILE };

/** Free ports on the machine: the one that the launch sets, or random ones. */
export async function findPorts(
  machine: Machine,
  launch: ServerLaunch,
  replica: number,
): Promise<Result<readonly [number, ...number[]], Refusal>> {
  const named = namedPort(launch, replica);
  if (!named.ok) return named;
  const candidates = named.value === null ? randomPorts() : [named.value];
  const probe = await machine.run(portsScript(candidates));
  if (!probe.ok) return probe;
  const [first, ...others] = readFreePorts(probe.value.stdout);
  if (first !== undefined) return ok([first, ...others]);
  const where = machine.spec.name;
  return named.value === null
    ? failed({
        code: 'unavailable',
        message: `No free port was found on ${where} between ${PORT_RANGE.from} and ${PORT_RANGE.to}.`,
      })
    : failed({
        code: 'conflict',
        message: `Port ${named.value} on ${where} is taken by another program. Set another port in the launch, or none to use any free port.`,
      });
}

function randomPorts(): readonly number[] {
  const ports = new Set<number>();
  while (ports.size < PORT_CANDIDATES) ports.add(randomInt(PORT_RANGE.from, PORT_RANGE.to + 1));
  return [...ports];
}

/** The job that runs one server of a launch. */
export function launchJob(
  launch: ServerLaunch,
  instance: {
    readonly replica: number;
    readonly port: number;
    readonly serverId: string | null;
    readonly learner: LearnerRuntime | null;
    /** Folder of programs that the workbench has installed; null: none. */
    readonly installed: string | null;
  },
  owner: string | null,
): ServerJob {
  const { replica, port, serverId, learner, installed } = instance;
  const key = launchKey(launch);
  const notes: LaunchNotes = { key, owner, serverId, serves: { kind: 'launch', launch, replica, port } };
  const gpuIds = gpuIdsOf(launch, replica);
  return {
    notes,
    spec: {
      machineId: launch.machineId,
      name: replicaName(launch, replica),
      purpose: MODEL_SERVER_PURPOSE,
      command: { kind: 'line', line: commandWith(launch, port, learner) },
      setUp: `${NODE_LINE}\n${environmentLines(launch.environment, installed)}`,
      freshFiles: [NODE_FILE, STAGES_FILE],
      env: launch.env,
      resources: { gpus: launch.gpus, gpuIds: gpuIds === null ? null : [...gpuIds] },
      notes: { ...writeNotes(notes) },
    },
  };
}
