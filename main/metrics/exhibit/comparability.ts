import type {
  CountedConfig,
  ExhibitConfiguration,
  MetricName,
  SearchOptions,
} from '../../../preload/contract';
import { testsName } from '../../../preload/contract/plans';
import { assertNever, canonicalJson, counted } from '../../base';
import type { ExhibitInput } from './exhibit-input';

const POCKET =
  "Pocket scale: small policies on generated problems (short list programs) replace the paper's models and benchmark: a value of ours says nothing about the paper's.";

const DESK =
  "Desk scale: a small language model answers in the place of the paper's: a value says nothing about the paper's.";

const AT_HAND =
  "Runs at hand: models, problems and search are those of their study or training, not the paper's, so a value says nothing about the paper's.";

/** What a value measures; this decides which parts of a search it depends on. */
export type ValueKind = MetricName | 'diversity' | 'learning';

/**
 * Why a value cannot be compared with the paper's, a sentence for each reason: scale, excluded problems, another N,
 * another search. `problems`: number of counted problems, null if the value is not over problems; `runs`: all runs of
 * its configuration.
 */
export function comparability(
  { exhibit, scale }: Pick<ExhibitInput, 'exhibit' | 'scale'>,
  configuration: ExhibitConfiguration,
  measured: ValueKind,
  runs: readonly CountedConfig[],
  problems: number | null,
): string[] {
  // A table of a lab's own may have no paper beside it.
  const { cells, series } = exhibit;
  if (scale === 'own')
    return [...cells, ...series].some(({ reference }) => reference.length > 0) ? [AT_HAND] : [];
  // An exhibit says nothing of desk scale: what the paper did stands there as well.
  const specified = exhibit.scales[scale === 'desk' ? 'paper' : scale];
  const sentences = scale === 'paper' ? [] : [scale === 'pocket' ? POCKET : DESK];
  if (specified === null) return sentences;
  if (problems !== null && problems !== specified.benchmark.problems) {
    sentences.push(
      `It covers ${counted(problems, 'problem')}; the exhibit has ${specified.benchmark.problems}.`,
    );
  }
  const other = runs.find((run) => run.scale !== scale);
  if (other !== undefined) sentences.push(`One of its runs has the scale "${other.scale}".`);
  const otherTests = new Set(runs.flatMap((run) => (run.tests === undefined ? [] : testsName(run))));
  for (const tests of otherTests)
    sentences.push(`It was graded again by other tests (${tests}) than its benchmark's own.`);
  const wanted = { ...specified.search, ...configuration.search } as SearchOptions;
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

/** Fewer samples make an estimate noisier, not biased. Without samples, first attempts come from the tree. */
function samplesDifferences(search: SearchOptions, wanted: SearchOptions): string[] {
  if (search.samplesPerAgent > 0 || wanted.samplesPerAgent === 0) return [];
  return ['Its first attempts come from the tree; the exhibit requires independent samples.'];
}

const TREE_PARTS = ['strategy', 'score', 'tie', 'feedback', 'rewardModel', 'grading'] as const;
const PART_LABELS: Record<(typeof TREE_PARTS)[number], string> = {
  strategy: 'strategy',
  score: 'node score',
  tie: 'tie-breaking',
  feedback: 'feedback',
  rewardModel: 'reward model',
  grading: 'grading rules',
};

function treeDifferences(search: SearchOptions, wanted: SearchOptions): string[] {
  const sentences: string[] = [];
  if (search.nodes !== wanted.nodes) {
    sentences.push(`Its trees have ${counted(search.nodes, 'node')}; the exhibit's have ${wanted.nodes}.`);
  }
  const parts = TREE_PARTS.filter((part) => canonicalJson(search[part]) !== canonicalJson(wanted[part]));
  if (parts.length > 0) {
    const names = parts.map((part) => PART_LABELS[part]).join(', ');
    sentences.push(`Its search settings differ from the exhibit's: ${names}.`);
  }
  return sentences;
}
