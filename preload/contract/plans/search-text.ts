import type { SearchOptions } from '../strategy';
import { answerText } from './answer-rule';
import { type MethodOptions, methodOf, PRESETS, type SearchMethod } from './presets';
import { STRATEGIES, strategyFields } from './strategy-fields';

/** The parts of a search method, each also named where it is off. */
function methodParts({ strategy, score, tie, feedback, guided }: SearchMethod): ReadonlyMap<string, string> {
  return new Map([
    ...strategyFields(strategy).map(({ key, text }) => [key, text] as const),
    ['feedback', FEEDBACK_TEXT[feedback]],
    ['reward', guided ? 'a reward model' : 'no reward model'],
    ['score', score === 'all' ? 'all-or-nothing score' : 'partial credit'],
    ['tie', `${tie} on ties`],
  ]);
}

const FEEDBACK_TEXT: Readonly<Record<SearchOptions['feedback'], string>> = {
  verdicts: 'verdict feedback',
  errors: 'error feedback',
  marti: "MARTI's prompts",
};

/** With more differing parts than this it is another method, not a variant. */
const MAX_CHANGED = 2;

/**
 * The name of a search method: that of its preset, or the nearest preset with what differs ("MARS²-T+, no reward
 * model"), so that the rows of an ablation have different names. Far from all presets it is "MCTS (UCT), changed".
 */
export function methodTitle(search: MethodOptions): string {
  const own = methodParts(methodOf(search));
  let best: { readonly name: string; readonly changed: readonly string[] } | null = null;
  for (const { name, method } of PRESETS) {
    if (method.strategy.kind !== search.strategy.kind) continue;
    const preset = methodParts(method);
    const changed = [...own].flatMap(([part, values]) => (preset.get(part) === values ? [] : [values]));
    if (changed.length === 0) return name;
    if (best === null || changed.length < best.changed.length) best = { name, changed };
  }
  const { name, changed } = best ?? { name: search.strategy.kind, changed: [] };
  return `${name}, ${changed.length > MAX_CHANGED ? 'changed' : changed.join(', ')}`;
}

/** The same for somebody who does not know the name: "MARS²-T, partial credit (AB-MCTS-A: Beta beliefs, ...; answer: the latest ...)". */
export function searchInFull(search: SearchOptions): string {
  const title = methodTitle(search);
  const parts = methodParts(methodOf(search));
  // A variant is named by what is changed; of one that is far from all presets everything is.
  const shown = title.endsWith(', changed')
    ? [...parts.values()]
    : strategyFields(search.strategy).map(({ text }) => text);
  const { name } = STRATEGIES[search.strategy.kind];
  const meaning = [...(title.startsWith(name) ? [] : [name]), shown.join(', ')].filter((part) => part !== '');
  const meaningText = meaning.length === 0 ? '' : `${meaning.join(': ')}; `;
  return `${title} (${meaningText}answer: ${answerText(search)})`;
}
