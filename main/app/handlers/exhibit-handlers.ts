import {
  type Exhibit,
  type ExhibitProblem,
  exhibitSchema,
  type StudyView,
} from '../../../preload/contract/index';
import { ok, parsedJson } from '../../base/index';
import type { ExhibitLibrary } from '../../exhibits/index';
import type { ReproductionService } from '../../plans/index';
import type { StudyService } from '../../studies/index';
import type { TrainingService } from '../../trainings/index';
import type { Handlers } from '../dispatch';
import type { FillExhibit } from '../exhibit-filling';
import { lineTrainingProblems } from '../filling-lines';

/** Exhibits as files; reproductions fill them. */
export function exhibitHandlers({
  exhibits,
  fillExhibit,
  studies,
  trainings,
}: {
  readonly exhibits: ExhibitLibrary;
  readonly fillExhibit: FillExhibit;
  readonly studies: Pick<StudyService, 'list'>;
  readonly trainings: Pick<TrainingService, 'list'>;
}): Handlers {
  return {
    'exhibit.fill': fillExhibit,
    'exhibit.list': async () => {
      const { exhibits: entries, problems } = await exhibits.list();
      return ok({
        exhibits: [...entries],
        problems: problems.map(({ file, problems: all }) => ({ file, problems: [...all] })),
      });
    },
    'exhibit.text': async ({ exhibitId }) => {
      const text = await exhibits.text(exhibitId);
      return text.ok ? ok({ text: text.value }) : text;
    },
    'exhibit.check': async ({ text }) => {
      const problems = exhibits.check(text);
      const exhibit = exhibitSchema.safeParse(parsedJson(text)).data;
      if (problems.length > 0 || exhibit === undefined) return ok({ problems: [...problems] });
      return ok({
        problems: [
          ...unknownStudies(exhibit, studies.list()),
          ...lineTrainingProblems(exhibit, trainings.list()),
        ],
      });
    },
    'exhibit.save': ({ text }) => exhibits.save(text),
    'exhibit.remove': ({ exhibitId }) => exhibits.remove(exhibitId),
    'exhibit.set-values': ({ exhibitId, values }) => exhibits.setValues(exhibitId, values),
    'exhibit.import-values': ({ exhibitId, text }) => exhibits.importValues(exhibitId, text),
    'exhibit.remove-value': ({ exhibitId, at }) => exhibits.removeValue(exhibitId, at),
  };
}

/** Studies at hand that a correct exhibit names, and that are not here. */
function unknownStudies({ configurations }: Exhibit, studies: readonly StudyView[]): ExhibitProblem[] {
  return configurations.flatMap(({ study }, at): ExhibitProblem[] => {
    if (study === undefined) return [];
    const path = `configurations[${at}].study`;
    const found = studies.find((view) => view.study.id === study.id)?.study;
    if (found === undefined) {
      return [
        {
          path: `${path}.id`,
          message: `There is no study "${study.id}". Its id is at the end of its address.`,
        },
      ];
    }
    const names = [...new Set(found.runs.map(({ configuration }) => configuration))];
    if (names.includes(study.configuration)) return [];
    return [{ path: `${path}.configuration`, message: `"${found.name}" has: ${names.join(', ')}.` }];
  });
}

/** Reproductions of exhibits, and what they have measured. */
export function reproductionHandlers({
  reproductions,
}: {
  readonly reproductions: ReproductionService;
}): Handlers {
  return {
    'exhibit.result': ({ exhibitId, scale, reproductionId }) =>
      reproductions.result(exhibitId, scale, reproductionId),
    'reproduction.list': async () => ok([...reproductions.list()]),
    'reproduction.plan': (request) => reproductions.plan(request),
    'reproduction.start': (request) => reproductions.start(request),
    'reproduction.pause': ({ reproductionId }) => reproductions.pause(reproductionId),
    'reproduction.resume': ({ reproductionId }) => reproductions.resume(reproductionId),
    'reproduction.retry': ({ reproductionId, stepId }) => reproductions.retry(reproductionId, stepId),
    'reproduction.move': ({ reproductionId, stepId, machineId }) =>
      reproductions.move(reproductionId, stepId, machineId),
    'reproduction.remove': ({ reproductionId }) => reproductions.remove(reproductionId),
    'reproduction.decisions': ({ reproductionId }) => reproductions.decisions(reproductionId),
  };
}
