import type { Analysis } from '../analysis';
import { hasOtherLimits } from '../folds/tree-limits';
import type { Study, StudyExtension } from '../study';
import { withMethodNote } from './method-notes';
import { counted } from './number-text';

/** What an extension adds: "2 seeds (2, 3), 20 problems, 20 nodes per tree instead of 10". */
export function extensionText(extension: StudyExtension): string {
  const { seeds, problems, nodes, configurations, agents = [], tokens, seconds } = extension;
  return [
    ...(seeds.length > 0 ? [`${counted(seeds.length, 'seed')} (${seeds.join(', ')})`] : []),
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(nodes === null ? [] : [`${counted(nodes.since, 'node')} per tree instead of ${nodes.before}`]),
    ...(tokens === undefined ? [] : [limitText(tokens, 'token')]),
    ...(seconds === undefined ? [] : [limitText(seconds, 'second')]),
    ...(configurations.length > 0
      ? [
          `${counted(configurations.length, 'configuration')} (${configurations.map((name) => `"${name}"`).join(', ')})`,
        ]
      : []),
    ...(agents.length > 0 ? [`${counted(agents.length, 'agent')} new to it (${agents.join(', ')})`] : []),
  ].join(', ');
}

function limitText({ before, since }: NonNullable<StudyExtension['tokens']>, unit: string): string {
  const earlier = before === null ? 'no limit' : before;
  if (since === null) return `no limit of ${unit}s per tree instead of at most ${earlier}`;
  return `at most ${counted(since, unit)} per tree instead of ${earlier}`;
}

/** What an extension does: adds, or takes back, something, or only sets other limits of trees. */
export function extensionKind({
  seeds,
  problems,
  configurations,
  takesBack,
}: StudyExtension): 'adds' | 'sets' | 'takes back' {
  if (takesBack !== undefined) return 'takes back';
  return seeds.length + problems + configurations.length > 0 ? 'adds' : 'sets';
}

/** The extensions that were not taken back. `countsSearched`: with those whose runs had written programs by then. */
export function standingExtensions(
  { extensions = [] }: Pick<Study, 'extensions'>,
  { countsSearched } = { countsSearched: false },
): readonly StudyExtension[] {
  const standing: StudyExtension[] = [];
  for (const extension of extensions) {
    if (extension.takesBack === undefined) standing.push(extension);
    else if (!(countsSearched && extension.takesBack === 'searched')) {
      const at = standing.findLastIndex(
        ({ seeds, configurations }) =>
          seeds.join() === extension.seeds.join() &&
          configurations.join() === extension.configurations.join(),
      );
      const taken = standing[at];
      if (taken === undefined) continue;
      // Its problems and limits, if it had any, stay.
      const { agents: _agents, ...rest } = { ...taken, seeds: [], configurations: [] };
      standing.splice(at, 1, ...(extensionText(rest) === '' ? [] : [rest]));
    }
  }
  return standing;
}

/** The last extension whose seeds and configurations stand, which can be taken back while it is not searched to its end. */
export function lastAddition(study: Pick<Study, 'extensions'>): StudyExtension | undefined {
  return standingExtensions(study).findLast(
    ({ seeds, configurations }) => seeds.length + configurations.length > 0,
  );
}

/** What an extension costs: "at most 120 programs to write". */
export function extensionCost(programs: number): string {
  if (programs === 0) return 'no programs more than planned before';
  const many = Math.abs(programs);
  const text = `${many.toLocaleString('en')} ${many === 1 ? 'program' : 'programs'}`;
  return programs > 0 ? `at most ${text} to write` : `at most ${text} fewer`;
}

/** Extensions after results, but for those that were taken back before they had written anything. */
function extensionsAfterResults(study: Pick<Study, 'extensions'>): readonly StudyExtension[] {
  return standingExtensions(study, { countsSearched: true }).filter(({ afterResults }) => afterResults);
}

/** How often the results of a study can have been looked at: once, and once before each extension that had results. */
export function looksAt(study: Pick<Study, 'extensions'>): number {
  return 1 + extensionsAfterResults(study).length;
}

/**
 * What a study's extensions mean for its intervals, short and long; null: it was never extended after results were there.
 */
export function looksSentence(
  study: Pick<Study, 'extensions'>,
): { readonly short: string; readonly long: string; readonly caution: string } | null {
  const looks = looksAt(study);
  if (looks === 1) return null;
  const added = extensionsAfterResults(study).map(
    (extension) => `${extension.at.slice(0, 10)}: ${extensionText(extension)}`,
  );
  const caution = `Intervals and p-values are those of a study that was planned so from the start: they do not account for looking ${looks} times, so intervals are too narrow and p-values too small.`;
  return {
    caution,
    short: `Intervals after looking ${looks} times`,
    long: `The study was ${hasOtherLimits(study) ? 'changed' : 'extended'} after its results could be seen (${added.join('; ')}). ${caution}`,
  };
}

/** An analysis that says what the extensions of these studies mean for its intervals. */
export function withLooks<
  A extends Pick<Analysis, 'sentences' | 'chips' | 'method' | 'methodNotes' | 'looks'>,
>(analysis: A, studies: readonly Pick<Study, 'extensions'>[]): A {
  const sentences = studies.flatMap((study) => looksSentence(study) ?? []);
  if (sentences.length === 0) return analysis;
  const method = new Set(sentences.map(({ short }) => `${short}, which they do not account for.`));
  return {
    ...withMethodNote(analysis, 'Extensions', [...method]),
    looks: Math.max(...studies.map(looksAt)),
    sentences: [...analysis.sentences, ...sentences.map(({ long }) => long)],
    chips: [
      ...(analysis.chips ?? []),
      ...sentences.map(({ short }) => ({ kind: 'limit' as const, text: short })),
    ],
  };
}

/** What more nodes take away for a while, and the way back; null: nothing. */
export function extensionNote({ nodes }: StudyExtension): string | null {
  if (nodes === null || nodes.since <= nodes.before) return null;
  return `A problem counts again once all its trees have ${nodes.since} nodes; until then the tables lack it. To see today's numbers again, extend it to ${nodes.before} nodes.`;
}
