import type { ModelTraining, TrainingRequest, Writer } from '../../../preload/contract';
import {
  evaluationSampling,
  samplingDifferences,
  TESTED_VLLM,
  trainingSampling,
  VLLM_ADAPTER_RANKS,
  WRITER_NAMES,
} from '../../../preload/contract/plans';
import { choiceProblems, measurementNotes } from './measurement-notes';
import { ggufAgents } from './model-checks';
import { checkpointNotes, graderNotes, type OwnProgram, startOf } from './own-program';
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
    notes: [
      ...measurementNotes(spec),
      ...learnerNotes(spec),
      ...samplingNotes(spec),
      ...checkpointNotes(spec),
      ...graderNotes(request),
    ],
    problems: [...methodProblems(spec), ...choiceProblems(spec), ...problems],
  };
}

function learnerNotes(spec: ModelTraining): string[] {
  const { agents, lora, objective, oldFrom } = spec;
  const hasReference = objective.kl.coefficient > 0;
  const isOne = agents.length === 1;
  const learners = `${isOne ? 'One learner' : `${agents.length} learners`} (PyTorch) on this machine`;
  return [
    ...(spec.writer === undefined
      ? [`${learners}, which also ${isOne ? 'writes' : 'write'} the answers: right for small models.`]
      : writerNotes(spec.writer, learners)),
    lora === null
      ? `All weights are trained in float32${hasReference ? ', beside a frozen copy for the divergence' : ''}.`
      : `Adapters of rank ${lora.rank} are trained; the model itself stays as it is, and is the reference of the divergence.`,
    oldFrom === 'recomputed'
      ? 'Ratios compare with log-probabilities that the learner computes at the update.'
      : 'Ratios compare with the log-probabilities reported while writing.',
    ...(hasReference ? [] : ['Without a divergence from the reference: not as in the papers.']),
    'After a kill the training continues from its last saved update with the same updates, to rounding.',
  ];
}

/** Notes about an engine beside the learners, and about untested settings. */
function writerNotes({ engine, publish, memoryShare }: Writer, learners: string): string[] {
  const name = WRITER_NAMES[engine];
  const how = {
    restart: 'It is started anew on each round’s weights',
    reload: 'It reads each round’s weights into the running process, and drops its cache',
    adapter: 'It takes each round’s adapter under a new name',
  }[publish];
  return [
    `${learners}; ${name} writes the answers, a process for each agent, on the same devices (on GPUs ${Math.round(memoryShare * 100)} % of the memory).`,
    `${how}; that its answers follow the learner is proven after each round (docs/training.md, "Engines that write").`,
    engine === 'vllm'
      ? `Tried with vLLM ${TESTED_VLLM} on processors, in all three ways; sleeping on GPUs is written from its documentation.`
      : 'SGLang is written from its documentation (0.5.23) and tried with a stand-in only: nobody has run it yet.',
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

function methodProblems({ agents, method, evaluation, processes, writer, lora }: ModelTraining): string[] {
  const problems: string[] = [];
  if (new Set(agents.map(({ id }) => id)).size !== agents.length) {
    problems.push('Two agents have the same id. Give each its own.');
  }
  const sharesTrees = method === 'heter-mars2' || method === 'mixed-groups';
  if (sharesTrees && agents.length < 2) {
    problems.push('This method needs two or more agents that share their trees: add another agent.');
  }
  if (processes > 1 && writer === undefined) {
    problems.push(
      'A learner of several processes cannot write answers. Choose an engine that writes them (--writer vllm), or set processes to 1.',
    );
  }
  if (writer !== undefined) problems.push(...writerProblems(writer, { lora, agents }));
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

const LARGEST_ADAPTER_RANK = Math.max(...VLLM_ADAPTER_RANKS);

function writerProblems(
  { engine, publish }: Writer,
  { lora, agents }: Pick<ModelTraining, 'lora' | 'agents'>,
): string[] {
  const problems: string[] = [];
  if (publish === 'adapter' && lora === null) {
    problems.push(
      'All weights are trained: there is no adapter to publish. Choose --publish restart or reload.',
    );
  }
  if (publish === 'reload' && lora !== null) {
    problems.push(
      'Adapters are trained: --publish reload reads all weights. Choose --publish adapter or restart.',
    );
  }
  if (engine === 'sglang' && lora !== null) {
    problems.push(
      'Adapters are written with by vLLM only. Choose --writer vllm, or train all weights (--lora off).',
    );
  }
  if (lora !== null && lora.rank > LARGEST_ADAPTER_RANK) {
    problems.push(`vLLM takes adapters up to rank ${LARGEST_ADAPTER_RANK}. Choose a smaller --lora.`);
  }
  const files = ggufAgents({ agents });
  if (files.length > 0) {
    problems.push(
      `${files.join(', ')}: an engine cannot take over weights that were trained from a GGUF file. Name a folder of transformers.`,
    );
  }
  return problems;
}
