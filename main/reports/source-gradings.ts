import { countedRegrade, gradingSentences, gradingText } from '../../preload/contract/plans/index';
import type { ReportDeps } from './deps';
import { listedStudies } from './listed-studies';
import type { SourceContent } from './report-source';

/** Which grading of the studies behind a source counts; null: each has only one. */
export function gradingsOf(
  { runs }: Pick<SourceContent, 'runs'>,
  deps: ReportDeps,
): { readonly notes: readonly string[]; readonly grading: string | null } {
  const chosen = new Set(runs.map(({ runId }) => runId));
  const studies = listedStudies(deps).filter((study) => study.runs.some(({ id }) => chosen.has(id)));
  const notes = new Set(
    studies.flatMap((study) => gradingSentences(study, studies.length > 1).map(({ long }) => long)),
  );
  const texts = studies.map((study) => gradingText(countedRegrade(study)));
  const [text = '', ...others] = new Set(texts);
  const all = others.length === 0 ? text : texts.map((one, at) => `${studies[at]?.name}: ${one}`).join('; ');
  return { notes: [...notes], grading: notes.size === 0 ? null : all };
}
