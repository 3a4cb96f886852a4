import {
  type Analysis,
  type CheckedPayload,
  type GpuDayRequest,
  type ServerLaunch,
  type ServerSpec,
  serverLaunchSchema,
} from '../../../../preload/contract';
import {
  heterogeneousTeam,
  homogeneousTeam,
  mars2Search,
  plainId,
  singleTeam,
  urlServer,
  VLLM_PROCESSOR_ENV,
  wholePrompts,
} from '../../../../preload/contract/plans';
import { shellWord } from '../../../base';

/** Names under which the one server answers: by the model as it is, and by its adapter of the step "adapter". */
const [BASE, TRAINED] = ['model', 'trained'] as const;
/** For the prompts of LiveCodeBench, with an earlier program and its failures, beside the answer. */
const PROMPT_ROOM = 4_096;
const NODES = 8;
const SAMPLES = 2;

/** One vLLM server for all teams: two do not fit a machine with one GPU. `adapter`: folder of the trained adapter there. */
export function teamLaunch(
  request: GpuDayRequest,
  { vllm, gpus, adapter }: { readonly vllm: string; readonly gpus: number; readonly adapter: string },
): ServerLaunch {
  const contextTokens = request.maxTokens + PROMPT_ROOM;
  const command = [
    // As the writers of trainings are started; builds of vLLM for processors have no command "vllm serve".
    `${shellWord(vllm)} -m vllm.entrypoints.openai.api_server --model ${shellWord(request.model)}`,
    `--served-model-name ${BASE} --host 127.0.0.1 --port {port}`,
    `--max-model-len ${contextTokens}`,
    `--enable-lora --max-lora-rank 16 --lora-modules ${shellWord(`${TRAINED}=${adapter}`)}`,
    ...(gpus === 0 ? ['--enforce-eager', ...wholePrompts(contextTokens)] : []),
  ];
  return serverLaunchSchema.parse({
    id: `gpu-day-${plainId(request.machineId)}`.slice(0, 60),
    name: 'GPU day',
    engine: 'vllm',
    machineId: request.machineId,
    weights: request.model,
    model: BASE,
    gpus: gpus === 0 ? 0 : 1,
    commandLine: command.join(' '),
    env: gpus === 0 ? VLLM_PROCESSOR_ENV : {},
  });
}

/** The model alone, in two roles, and beside its trained adapter, by MARS²-T with 8 nodes per tree. */
export function teamStudy(
  request: GpuDayRequest,
  name: string,
  baseUrl: string,
): CheckedPayload<'study.create'> {
  const [base, trained] = [urlServer(baseUrl, BASE), urlServer(baseUrl, TRAINED)] as [ServerSpec, ServerSpec];
  const teams = [
    { configuration: 'Single', team: singleTeam(base) },
    { configuration: 'Homogeneous', team: homogeneousTeam(base) },
    { configuration: 'Heterogeneous', team: heterogeneousTeam([base, trained]) },
  ];
  return {
    name,
    benchmarkId: request.benchmarkId,
    problems: request.problems,
    includeExcluded: false,
    needsPublicTests: false,
    configurations: teams.map(({ configuration, team }) => ({
      configuration,
      team: {
        ...team,
        agents: team.agents.map((agent) => ({
          ...agent,
          sampling: {
            ...agent.sampling,
            maxTokens: request.maxTokens,
            contextTokens: request.maxTokens + PROMPT_ROOM,
            thinking: false,
          },
        })),
      },
    })),
    search: mars2Search({ nodes: NODES, batch: 4, samplesPerAgent: SAMPLES }),
    seeds: [1],
  };
}

/** "Single pass@1" and so on, as shares. */
export function teamValues({ rows }: Pick<Analysis, 'rows'>): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap(({ configuration, cells }) =>
      cells.map(({ metric, value }) => [`${configuration} ${metric}`, value]),
    ),
  );
}
