import { ok } from '../../base/index';
import type { ExhibitLibrary } from '../../exhibits/index';
import type { Handlers } from '../dispatch';

/** Exhibits as files; reproductions fill them. */
export function exhibitHandlers({ exhibits }: { readonly exhibits: ExhibitLibrary }): Handlers {
  return {
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
