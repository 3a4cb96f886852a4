import type { ModelTraining, TrainingRequest } from '../../../preload/contract';
import { LOCAL_MACHINE } from '../../../preload/contract';
import { samplingDifferences } from '../../../preload/contract/plans';
import { shellWords } from '../../base';
import { evaluationSampling, trainingSampling } from './agent-sampling';
import type { PreparedTraining } from './prepared';

export type ModelProgram = {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  readonly resourcesDir: string;
  readonly checkpointsDir: string;
  /** The training's own folder, with its spec.json and its problems. */
  readonly folder: string;
  readonly allowsUnsandboxed: boolean;
};

/** A training of language models as a job. `problems`: what its benchmarks say against it. */
export function prepareModel(
  { machineId, resources }: TrainingRequest,
  spec: ModelTraining,
  program: ModelProgram,
  problems: readonly string[],
): PreparedTraining {
  const { node, script, folder, checkpointsDir, resourcesDir } = program;
  const isOnGpus = spec.device === 'cuda' || resources.gpus > 0;
  const gpus = isOnGpus ? spec.agents.length * spec.processes : 0;
  return {
    commandLine: `exec ${shellWords([
      node,
      script,
      ...['--spec', `${folder}/spec.json`, '--out', folder],
      ...['--checkpoints', checkpointsDir, '--resources', resourcesDir],
      ...(program.allowsUnsandboxed ? ['--allow-unsandboxed'] : []),
    ])}`,
    setUp: '',
    env: program.env,
    resources: { ...resources, gpus, gpuIds: gpus === resources.gpus ? resources.gpuIds : null },
    gpus,
    notes: [...learnerNotes(spec), ...samplingNotes(spec)],
    problems: [...methodProblems(machineId, spec), ...problems],
  };
}

function learnerNotes(spec: ModelTraining): string[] {
  const { agents, lora, objective, oldFrom } = spec;
  const hasReference = objective.kl.coefficient > 0;
  return [
    `${agents.length === 1 ? 'One learner' : `${agents.length} learners`} (PyTorch) on this machine, which also ${agents.length === 1 ? 'writes' : 'write'} the answers: right for small models; inference engines come later.`,
    lora === null
      ? `All weights are trained in float32${hasReference ? ', beside a frozen copy for the divergence' : ''}.`
      : `Adapters of rank ${lora.rank} are trained; the model itself stays as it is, and is the reference of the divergence.`,
    oldFrom === 'recomputed'
      ? 'The ratio’s old policy is scored by the learner at the update.'
      : 'The ratio’s old policy is what was reported while writing.',
    ...(hasReference ? [] : ['Without a divergence from the reference: not as in the papers.']),
    'After a kill the training continues from its last saved update with the same updates, to rounding.',
  ];
}

/** Where the evaluation's answers are drawn in another way than the training's. */
function samplingNotes(spec: ModelTraining): string[] {
  return spec.agents.flatMap((agent) => {
    const differences = samplingDifferences(trainingSampling(agent), evaluationSampling(spec, agent));
    if (differences.length === 0) return [];
    return [
      `${agent.id} is evaluated with another sampling than it is trained with: ${differences.join('; ')}.`,
    ];
  });
}

function methodProblems(
  machineId: string,
  { agents, method, evaluation, processes }: ModelTraining,
): string[] {
  const problems: string[] = [];
  if (machineId !== LOCAL_MACHINE) {
    problems.push('Trainings of language models run on this computer only, for now. Choose this computer.');
  }
  if (new Set(agents.map(({ id }) => id)).size !== agents.length) {
    problems.push('Two agents have the same id. Give each its own.');
  }
  const isTogether = method === 'heter-mars2' || method === 'mixed-groups';
  if (isTogether && agents.length < 2) {
    problems.push('This method needs two or more agents that share their trees: add another agent.');
  }
  if (processes > 1) {
    problems.push(
      'A learner of several processes cannot write answers, and inference engines come later. Set processes to 1.',
    );
  }
  const { sampling } = evaluation;
  const unsupported = (['minP', 'minTokens', 'stop', 'extra'] as const).filter(
    (setting) => sampling?.[setting] !== undefined,
  );
  if (unsupported.length > 0) {
    problems.push(
      `A learner does not write with ${unsupported.join(', ')}: leave them out of the evaluation.`,
    );
  }
  return problems;
}
