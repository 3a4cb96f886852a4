import type { Rollout } from '../../../../preload/contract';

/** Longer texts are cut: a page shows about twenty at a time. */
const LONGEST_TEXT = 40_000;

/** Separates prompt and answer in Qwen's chat template without special tokens. */
const TURN = '\nassistant\n';

/**
 * Parses MARTI's text `train/agent_<i>/generated_samples`: "Sample:", the whole sequence, "Reward: 0.5000". It names
 * neither the problem nor the position in the tree.
 */
export function generatedSample(text: string, agentId: string, step: number): Rollout {
  const [, body = text, reward] = /^Sample:\s*\n([\s\S]*?)\n\s*Reward: (\S+)\s*$/.exec(text) ?? [];
  const turn = body.indexOf(TURN);
  const value = Number(reward ?? Number.NaN);
  return {
    agentId,
    step,
    problemId: '',
    node: null,
    parent: null,
    prompt: turn === -1 ? '' : shortened(body.slice(0, turn)),
    answer: shortened(turn === -1 ? body : body.slice(turn + TURN.length)),
    reward: null,
    shapedReward: Number.isFinite(value) ? value : null,
    advantage: null,
  };
}

export function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}\n...`;
}
