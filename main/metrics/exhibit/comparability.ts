import type { ExhibitConfiguration, MetricName, RunConfig, SearchOptions } from '../../../preload/contract';
import { assertNever } from '../../base';
import { pluralize } from '../format';
import type { ExhibitInput } from './exhibit-input';

const POCKET =
  "Pocket scale: small policies on generated problems stand for the paper's models and benchmark, so the distance to its number says nothing.";

/** What of a search a value depends on. */
export type ValueKind = MetricName | 'diversity' | 'learning';

/**
 * Why a value may not be held against the paper's, each in a sentence: its scale, problems that do not count, another
 * N, another way of searching. `problems`: those that count, null where it is not of problems; `runs`: all of its configuration.
 */
export function comparability(
  { exhibit, scale }: Pick<ExhibitInput, 'exhibit' | 'scale'>,
  configuration: ExhibitConfiguration,
  measured: ValueKind,
  runs: readonly RunConfig[],
  problems: number | null,
): string[] {
  const asked = exhibit.scales[scale];
  const sentences = scale === 'pocket' ? [POCKET] : [];
  if (asked === null) return sentences;
  if (problems !== null && problems !== asked.benchmark.problems) {
    sentences.push(`${pluralize(problems, 'problem')} count; the exhibit is of ${asked.benchmark.problems}.`);
  }
  const other = runs.find((run) => run.scale !== scale);
  if (other !== undefined) sentences.push(`A run of it is of the scale "${other.scale}".`);
  const wanted = { ...asked.search, ...configuration.search } as SearchOptions;
  for (const { search } of runs) sentences.push(...searchDifferences(search, wanted, measured));
  return [...new Set(sentences)];
}

function searchDifferences(search: SearchOptions, wanted: SearchOptions, measured: ValueKind): string[] {
  switch (measured) {
    case 'learning':
      return [];
    case 'pass@1':
    case 'pass@10':
      return samplesDifferences(search, wanted);
    case 'pass@1(mcts)':
    case 'pass@n':
    case 'pass@n(public)':
    case 'diversity':
      return treeDifferences(search, wanted);
    default:
      return assertNever(measured);
  }
}

/** Fewer samples make an estimate less sure, not another one; none at all would come from the tree. */
function samplesDifferences(search: SearchOptions, wanted: SearchOptions): string[] {
  if (search.samplesPerAgent > 0 || wanted.samplesPerAgent === 0) return [];
  return ['Its first attempts are those of the tree, where the exhibit asks for some apart from it.'];
}

const TREE_PARTS = ['strategy', 'score', 'tie', 'feedback', 'rewardModel', 'grading'] as const;
const PART_WORDS: Record<(typeof TREE_PARTS)[number], string> = {
  strategy: 'strategy',
  score: 'node score',
  tie: 'choice between equals',
  feedback: 'feedback',
  rewardModel: 'reward model',
  grading: 'reading of verdicts',
};

function treeDifferences(search: SearchOptions, wanted: SearchOptions): string[] {
  const sentences: string[] = [];
  if (search.nodes !== wanted.nodes) {
    sentences.push(`Its trees have ${search.nodes} nodes; those of the exhibit ${wanted.nodes}.`);
  }
  const parts = TREE_PARTS.filter((part) => stable(search[part]) !== stable(wanted[part]));
  if (parts.length > 0) {
    const words = parts.map((part) => PART_WORDS[part]).join(', ');
    sentences.push(`It was searched in another way than the exhibit asks: ${words}.`);
  }
  return sentences;
}

/** Equal values give equal text, whatever the order of their fields. */
function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields.map(([key, inner]) => [key, stable(inner)]));
}
