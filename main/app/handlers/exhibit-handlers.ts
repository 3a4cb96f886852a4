import { ok } from '../../base/index';
import type { ExhibitLibrary } from '../../exhibits/index';
import type { ReproductionService } from '../../plans/index';
import type { Handlers } from '../dispatch';
import type { FillExhibit } from '../exhibit-filling';

/** Exhibits as files; reproductions fill them. */
export function exhibitHandlers({
  exhibits,
  fillExhibit,
}: {
  readonly exhibits: ExhibitLibrary;
  readonly fillExhibit: FillExhibit;
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
    'exhibit.check': async ({ text }) => ok({ problems: [...exhibits.check(text)] }),
    'exhibit.save': ({ text }) => exhibits.save(text),
    'exhibit.remove': ({ exhibitId }) => exhibits.remove(exhibitId),
  };
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
