import type { Analysis } from '../analysis';

/** An analysis whose method says this, too. */
export function withMethodNote<A extends Pick<Analysis, 'method' | 'methodNotes'>>(
  analysis: A,
  topic: string,
  lines: readonly string[],
): A {
  return {
    ...analysis,
    method: [analysis.method, ...lines].join(' '),
    methodNotes: [...analysis.methodNotes, { topic, lines: [...lines] }],
  };
}
