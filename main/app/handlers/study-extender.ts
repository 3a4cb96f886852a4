import {
  arePapersProblems,
  type Benchmark,
  type Refusal,
  type RunConfig,
  type Study,
} from '../../../preload/contract/index';
import { failed, ok } from '../../base/index';
import { extendedStudy, takenBack } from '../../studies/index';
import type { Handlers } from '../dispatch';
import { launchDeskModel, launchScale } from '../launch-scale';
import { withAgentNames } from './agent-names';
import { promptFormatsProblem, withTemplateDigests } from './prompt-formats';
import type { problemOf as ConfigurationsProblem, StudyHandlerDeps } from './study-handlers';

/** The handler of `study.extend`. */
export function studyExtender(
  deps: Pick<StudyHandlerDeps, 'registry' | 'studies' | 'studyDeps' | 'trainings' | 'exhibitOf' | 'papers'>,
  problemOf: typeof ConfigurationsProblem,
): NonNullable<Handlers['study.extend']> {
  const { registry, studies, trainings, exhibitOf } = deps;
  const { library, now } = deps.studyDeps;
  return async ({ studyId, apply, takeBack, ...parts }, by) => {
    const found = studies.results.study(studyId);
    if (!found.ok) return found;
    const exhibit = exhibitOf(studyId);
    if (exhibit !== null) {
      return failed({
        code: 'conflict',
        message: `This study measures "${exhibit}", whose cells have a plan of their own.`,
        hint: 'Measure the exhibit again with more seeds, or create a study with the same settings.',
      });
    }
    const at = new Date(now()).toISOString();
    if (takeBack) {
      if (Object.values(parts).some((part) => part !== undefined)) return failed(TAKE_BACK_ALONE);
      const taken = await studies.extend(studyId, (study, facts) => takenBack(study, { at, by, ...facts }), {
        apply,
      });
      return taken.ok ? ok({ extension: taken.value.extension, programs: taken.value.programs }) : taken;
    }
    const [first] = found.value.runs as [RunConfig];
    const stored = await library.find(first.benchmarkId);
    if (!stored.ok) return stored;
    const benchmark = stored.value;
    if (!isOf(found.value, benchmark)) {
      return failed({
        code: 'conflict',
        message: `The benchmark ${benchmark.id} differs from the one that this study began with.`,
        hint: 'Import the same file again, or create a new study.',
      });
    }
    const { launches } = registry.read();
    const { configurations } = withTemplateDigests(
      withAgentNames({ configurations: parts.configurations ?? [] }, library.recordings(), launches),
    );
    const problem = problemOf({ configurations, search: first.search }, benchmark, library.recordings());
    if (problem !== null) return failed(problem);
    const outline = await library.outline(benchmark.id);
    if (!outline.ok) return outline;
    const launchOf = (launchId: string) => launches.find(({ id }) => id === launchId);
    const papers = await deps.papers();
    const context = {
      ...{ benchmark, problems: outline.value, at, by },
      launchScale: (id: string) => launchScale(launchOf(id), trainings.list()),
      deskModel: (id: string) => launchDeskModel(launchOf(id), trainings.list()),
      arePapers: (ids: readonly string[]) =>
        arePapersProblems(papers, { benchmark, problems: outline.value }, ids),
    };
    const next = (study: Study, facts: { readonly hasResults: boolean }) =>
      extendedStudy(study, { ...parts, configurations }, { ...context, ...facts });
    const tried = next(found.value, { hasResults: false });
    const formatProblem = tried.ok ? await promptFormatsProblem(tried.value.study, library, launches) : null;
    if (formatProblem !== null) return failed(formatProblem);
    const extended = await studies.extend(studyId, next, { apply });
    if (!extended.ok) return extended;
    const { extension, programs } = extended.value;
    return ok({ extension, programs });
  };
}

const TAKE_BACK_ALONE: Refusal = {
  code: 'bad-input',
  message: 'An extension is taken back, or something is added: not both at once.',
};

function isOf({ runs }: Study, { digest }: Benchmark): boolean {
  return runs.every(({ benchmarkDigest }) => benchmarkDigest === digest);
}
