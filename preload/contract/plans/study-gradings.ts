import type { Analysis } from '../analysis';
import type { CountedConfig } from '../folds/run-view';
import type { RegradeFacts } from '../regrade';
import type { RunConfig } from '../run';
import type { Study } from '../study';
import { withMethodNote } from './method-notes';

type Graded = Pick<Study, 'regrades' | 'countedRegrade'>;

/** Beside how many were graded again, which is fewer than a study has. */
export const EQUAL_ONCE = 'Equal programs of a problem are graded once.';

/** The re-grade that counts; null: the first grading does. */
export function countedRegrade({ regrades = [], countedRegrade }: Graded): RegradeFacts | null {
  return regrades.find(({ id }) => id === countedRegrade) ?? null;
}

/** A run of the study with the tests whose verdicts count, where these are not its benchmark's own. */
export function countedConfig(study: Graded, config: RunConfig): CountedConfig {
  const tests = countedRegrade(study)?.tests.find(({ benchmarkId }) => benchmarkId === config.benchmarkId);
  return tests === undefined || tests.testsDigest === config.benchmarkDigest
    ? config
    : { ...config, tests: { id: tests.testsId, digest: tests.testsDigest } };
}

/** "fixed 3f2a91c0". */
export function testsName({ benchmarkId, benchmarkDigest, tests }: CountedConfig): string {
  const { id, digest } = tests ?? { id: benchmarkId, digest: benchmarkDigest };
  return `${id} ${digest.slice(0, 8)}`;
}

/** Beside verdicts of different tests. `values`: the tests, each with its runs or rows. */
export function differentTestsSentence(noun: 'runs' | 'rows', values: string): string {
  return `The ${noun} were graded by different tests: ${values}. A program can pass one and fail the other, so differences are only between ${noun} of the same tests. To compare all, re-grade their studies with the same tests.`;
}

/** "tests fixed (3f2a91c0)", or "its own tests" where these were run. */
function testsText(tests: RegradeFacts['tests']): string {
  const others = tests.filter(({ benchmarkDigest, testsDigest }) => benchmarkDigest !== testsDigest);
  if (others.length === 0) return 'the same tests';
  return `tests ${others.map(({ testsId, testsDigest }) => `${testsId} (${testsDigest.slice(0, 8)})`).join(', ')}`;
}

/** "re-graded on 2026-11-28 with tests fixed (3f2a91c0), Python 3.11.2"; null: "as first graded". */
export function gradingText(regrade: RegradeFacts | null): string {
  if (regrade === null) return 'as first graded';
  const { at, tests, python, grading } = regrade;
  const mode = grading === null ? '' : `, ${grading === 'as-program' ? 'as a program' : 'as published'}`;
  return `re-graded on ${at.slice(0, 10)} with ${testsText(tests)}, Python ${python}${mode}`;
}

/** How a re-grade ran the programs otherwise than the search did, whatever tests it ran; null: no difference is known. */
export function differsSentence({ differs = [] }: RegradeFacts, named = ''): string | null {
  return differs.length === 0
    ? null
    : `The re-grade${named} did not run the programs as the search's own grading did: ${differs.join('; ')}. A verdict can have changed by that alone.`;
}

/** Which grading counts, for the study's tables; none: there is only one. `isNamed`: tables of several studies. */
export function gradingSentences(
  study: Graded & Pick<Study, 'name'>,
  isNamed = false,
): readonly { readonly short: string; readonly long: string }[] {
  if ((study.regrades ?? []).length === 0) return [];
  const counted = countedRegrade(study);
  const whose = isNamed ? ` of "${study.name}"` : '';
  const named = isNamed ? `: ${study.name}` : '';
  if (counted === null) {
    return [
      {
        short: `As first graded${named}`,
        long: `Private verdicts${whose} count as first graded; re-grades of the study do not count.`,
      },
    ];
  }
  const changed = `${counted.changed} private ${counted.changed === 1 ? 'verdict differs' : 'verdicts differ'} from the first grading`;
  const differs = differsSentence(counted, whose);
  return [
    {
      short: `Re-graded${named}`,
      long: `Private verdicts${whose} count as ${gradingText(counted)}: ${changed}. The search had its own verdicts, which stay as they were.`,
    },
    ...(differs === null ? [] : [{ short: `Not re-graded as the search was${named}`, long: differs }]),
  ];
}

/** An analysis that says which grading of these studies counts. */
export function withGradings<A extends Pick<Analysis, 'sentences' | 'chips' | 'method' | 'methodNotes'>>(
  analysis: A,
  studies: readonly (Graded & Pick<Study, 'name'>)[],
): A {
  const sentences = studies.flatMap((study) => gradingSentences(study, studies.length > 1));
  if (sentences.length === 0) return analysis;
  const short = new Map(sentences.map((one) => [one.long, one.short]));
  return {
    ...withMethodNote(analysis, 'Grading', [...short.keys()]),
    sentences: [...analysis.sentences, ...short.keys()],
    chips: [
      ...(analysis.chips ?? []),
      ...[...short.values()].map((text) => ({ kind: 'limit' as const, text })),
    ],
  };
}
