import type { Rollout } from '../../../../preload/contract';

/** Longer ones are cut: a chart's page shows some twenty at a time. */
const LONGEST_TEXT = 40_000;

/** Between prompt and answer, as chat templates write it once special tokens are left out (Qwen). */
const TURN = '\nassistant\n';

/**
 * MARTI's text `train/agent_<i>/generated_samples`: "Sample:", the whole sequence, "Reward: 0.5000". Which problem it
 * is of, and where in its tree, is not told.
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
