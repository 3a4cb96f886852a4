import type { Rollout } from '../../preload/contract/training';

/** Key of a rollout in its list. */
function rolloutKey({ agentId, step, problemId, node }: Rollout, position: number): string {
  return node === null
    ? `${agentId} ${step} ${problemId} #${position}`
    : `${agentId} ${step} ${problemId} ${node}`;
}

export type ListedRollout = { readonly key: string; readonly rollout: Rollout };

/** The rollouts with unique keys; duplicates are numbered. */
export function listedRollouts(rollouts: readonly Rollout[]): readonly ListedRollout[] {
  const seen = new Map<string, number>();
  return rollouts.map((rollout, position) => {
    const key = rolloutKey(rollout, position);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return { key: times === 1 ? key : `${key} (${times})`, rollout };
  });
}

/**
 * The rollout that this one refines; null: it is a first attempt, or its parent is not in the list. Rollouts of a tree
 * are adjacent, so with several trees of one problem the nearest match is the parent.
 */
export function parentOf(listed: readonly ListedRollout[], key: string): ListedRollout | null {
  const at = listed.findIndex((rollout) => rollout.key === key);
  const child = listed[at]?.rollout;
  if (child === undefined || child.parent === null || child.parent < 0) return null;
  let nearest: { readonly rollout: ListedRollout; readonly far: number } | null = null;
  for (const [position, rollout] of listed.entries()) {
    if (rollout.rollout.node !== child.parent || rollout.rollout.problemId !== child.problemId) continue;
    const far = Math.abs(position - at);
    if (nearest === null || far < nearest.far) nearest = { rollout, far };
  }
  return nearest?.rollout ?? null;
}

/** "first attempt", "refines node 3"; empty if unknown. */
export function parentText({ parent }: Rollout): string {
  if (parent === null) return '';
  return parent < 0 ? 'first attempt' : `refines node ${parent}`;
}

type AnswerPart = { readonly kind: 'prose' | 'code'; readonly text: string };

/** Splits a text into prose and fenced code blocks, of which the last may be cut off. An empty block counts as prose. */
export function answerParts(answer: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  const fence = /(?<![^\n])```[^\n]*\n([\s\S]*?)(?:^```[ \t]*$|(?![\s\S]))/gm;
  let from = 0;
  const addText = (text: string): void => {
    if (text.trim() !== '') parts.push({ kind: 'prose', text: text.trim() });
  };
  for (const match of answer.matchAll(fence)) {
    const code = (match[1] ?? '').replace(/\n$/, '');
    if (code.trim() === '') continue;
    addText(answer.slice(from, match.index));
    parts.push({ kind: 'code', text: code });
    from = match.index + match[0].length;
  }
  addText(answer.slice(from));
  return parts;
}
