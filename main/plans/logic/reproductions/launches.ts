import { PAPER_CONTEXT_TOKENS, type PaperSettings, type ServerLaunch } from '../../../../preload/contract';
import { canonicalJson, deriveSeed } from '../../../base';
import { MEMORY_SHARE } from './gpu-needs';

/** Ids of launches have at most 60 characters; the rest distinguishes launches of one model. */
const LONGEST_WORD = 48;

/**
 * vLLM with these weights. Its id is computed from all settings that affect its answers, so that the same plan finds
 * the same launch again, and never a different one. `weights`: "" if `origin` is not trained yet.
 */
export function plannedLaunch(
  server: {
    readonly word: string;
    readonly title: string;
    readonly weights: string;
    readonly origin: string;
  },
  where: {
    readonly machineId: string;
    readonly gpus: number;
    readonly environment: PaperSettings['environment'];
  },
): ServerLaunch {
  const { word, title, weights, origin } = server;
  const launch = {
    name: title.slice(0, 80),
    engine: 'vllm' as const,
    machineId: where.machineId,
    environment: where.environment,
    weights,
    model: word.slice(0, 200),
    gpus: where.gpus,
    gpuIds: null,
    contextTokens: PAPER_CONTEXT_TOKENS,
    memoryShare: MEMORY_SHARE,
    extraArguments: '',
    env: {},
    commandLine: null,
    port: null,
    replicas: 1,
    maxInFlight: 64,
  };
  const plain = word.replaceAll('+', '-').slice(0, LONGEST_WORD);
  return {
    id: `${plain}-${deriveSeed(origin, canonicalJson(launch)).toString(36)}`,
    ...launch,
  };
}
