import {
  lastAddition,
  type Refusal,
  type RunConfig,
  type RunView,
  type Study,
  type StudyExtension,
} from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import { refused } from './changed-limits';
import { type ExtendedStudy, type ExtensionContext, programsOf } from './extend-study';
import { decidingScale } from './new-study';

type TakeBackContext = Pick<ExtensionContext, 'at' | 'by' | 'hasResults'> & {
  /** What was searched of a run; null: it has not begun, or its journal cannot be read. */
  readonly viewOf: (run: RunConfig) => Promise<RunView | null>;
};

/**
 * The study without the seeds and configurations of its last extension, e.g. where a new agent does not answer. What was searched
 * to its end stays: leaving results out after they were seen would be a choice among them.
 */
export async function takenBack(
  study: Study,
  { at, by, hasResults, viewOf }: TakeBackContext,
): Promise<Result<ExtendedStudy, Refusal>> {
  const last = lastAddition(study);
  if (last === undefined)
    return refused(
      'No extension has added seeds or configurations that could be taken back.',
      'To undo a change of limits, set the old ones again; problems that were added stay.',
    );
  const isAdded = ({ configuration, seed }: RunConfig): boolean =>
    last.configurations.includes(configuration) || last.seeds.includes(seed);
  const runs = study.runs.filter((run) => !isAdded(run));
  const views = await Promise.all(study.runs.filter(isAdded).map(viewOf));
  if (views.every((view) => view?.finished))
    return refused(
      'What its last extension added is searched to its end, so it is not taken back.',
      'Compare the configurations of your choice under Compare.',
    );
  const isSearched = views.some((view) =>
    [...(view?.trees.values() ?? [])].some(({ nodes }) => nodes.length > 0),
  );
  const extension: StudyExtension = {
    ...{ at, afterResults: hasResults, problems: 0, nodes: null },
    ...{ seeds: last.seeds, configurations: last.configurations },
    ...(last.agents !== undefined && { agents: last.agents }),
    takesBack: isSearched ? 'searched' : 'unsearched',
    ...(by !== undefined && { by }),
  };
  const isRescaled = study.runs.some(({ scale }) => !runs.some((run) => run.scale === scale));
  return ok({
    study: {
      ...study,
      ...(isRescaled && { scale: decidingScale(runs.map((run) => run.scale)) }),
      runs,
      extensions: [...(study.extensions ?? []), extension],
    },
    extension,
    programs: programsOf(runs) - programsOf(study.runs),
  });
}
