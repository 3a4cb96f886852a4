import type { MartiTraining, TrainingRequest } from '../../../../preload/contract';
import { homePath } from '../home-path';

/** Paths of a MARTI training on its machine, with placeholders for the home folder (home-path.ts). */
export type MartiPaths = {
  readonly checkout: string;
  readonly data: string;
  readonly output: string;
  /** The working copy of the code that runs. */
  readonly code: string;
  readonly logs: string;
  readonly tensorboard: string;
  /** Folder of this training's event files in `tensorboard`. */
  readonly runName: string;
  readonly workflow: string;
  readonly evaluation: string;
  /** Final weights, which all agents overwrite. */
  readonly final: string;
  /** Of one agent, by its index. */
  readonly agentFinal: (agent: number) => string;
  readonly agentCheckpoints: (agent: number) => string;
};

export function martiPaths(
  spec: Pick<MartiTraining, 'checkout' | 'data' | 'output'>,
  trainingId: string,
): MartiPaths {
  const output = homePath(spec.output);
  return {
    checkout: homePath(spec.checkout),
    data: homePath(spec.data),
    output,
    code: `${output}/code`,
    logs: `${output}/logs`,
    tensorboard: `${output}/tensorboard`,
    runName: `training-${trainingId}`,
    workflow: `${output}/workflow`,
    evaluation: `${output}/evaluation`,
    final: `${output}/final`,
    agentFinal: (agent) => `${output}/final/agent${agent}`,
    agentCheckpoints: (agent) => `${output}/checkpoints/agent${agent}`,
  };
}

/** Whether both are MARTI trainings that write to the same folder of the same machine. */
export function shareOutput(first: TrainingRequest, second: TrainingRequest): boolean {
  return (
    first.machineId === second.machineId &&
    first.spec.kind === 'marti' &&
    second.spec.kind === 'marti' &&
    homePath(first.spec.output) === homePath(second.spec.output)
  );
}

/** Two trainings that write to the same folder would mistake each other's checkpoints for their own. */
export function outputConflicts(
  request: TrainingRequest,
  running: readonly { readonly order: TrainingRequest }[],
): string[] {
  const { spec } = request;
  const other = spec.kind === 'marti' ? running.find(({ order }) => shareOutput(order, request)) : undefined;
  if (other === undefined || spec.kind !== 'marti') return [];
  const { name } = other.order;
  return [`The training "${name}" is running and writes to ${spec.output} too. Choose another folder.`];
}
