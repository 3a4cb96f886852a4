import type { ModelTraining, TrainingRequest } from '../../../preload/contract';
import { evaluationSampling, samplingDifferences, trainingSampling } from '../../../preload/contract/plans';
import { choiceProblems, measurementNotes } from './measured-before';
import { type OwnProgram, startOf } from './own-program';
import type { PreparedTraining } from './prepared';

/** A training of language models as a job of its machine. `problems`: what its benchmarks say against it. */
export function prepareModel(
  request: TrainingRequest,
  spec: ModelTraining,
  program: OwnProgram,
  problems: readonly string[],
): PreparedTraining {
  const { resources } = request;
  const isOnGpus = spec.device === 'cuda' || resources.gpus > 0;
  const gpus = isOnGpus ? spec.agents.length * spec.processes : 0;
  return {
    ...startOf(request, program),
    resources: { ...resources, gpus, gpuIds: gpus === resources.gpus ? resources.gpuIds : null },
    gpus,
    notes: [...measurementNotes(spec), ...learnerNotes(spec), ...samplingNotes(spec)],
    problems: [...methodProblems(spec), ...choiceProblems(spec), ...problems],
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

function methodProblems({ agents, method, evaluation, processes }: ModelTraining): string[] {
  const problems: string[] = [];
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
