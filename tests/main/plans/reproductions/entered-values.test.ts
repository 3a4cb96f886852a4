import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ok } from '../../../../main/base';
import { createExhibitLibrary } from '../../../../main/exhibits';
import type { Reproduction } from '../../../../main/plans/logic/reproductions/record';
import { takeEnteredValues } from '../../../../main/plans/reproductions/entered-values';
import { enteredValueSchema } from '../../../../preload/contract';
import { hasEntered } from '../../../../preload/contract/plans';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

const BUILT_IN = join(import.meta.dirname, '../../../../resources/exhibits');
const ID = 'mars2-systems';

test('values that were entered or removed while it was closed are taken at the opening; else no exhibit is read there', async () => {
  const library = createExhibitLibrary({ builtInFolder: BUILT_IN, ownFolder: await temporaryFolder() });
  const { exhibit } = await unwrap(library.get(ID));
  const cell = exhibit.cells.find(({ reference }) => reference.length > 0);
  const at = { kind: 'cell' as const, row: cell?.row ?? '', column: cell?.column ?? '' };
  let record = { id: 'first', readOnly: false, order: { exhibitId: ID }, exhibit } as Reproduction['record'];
  const list = vi.spyOn(library, 'list');
  const opened = async () => {
    const taken = takeEnteredValues(
      {
        store: {
          list: () => [{ record } as Reproduction],
          change: async (_id, next) => {
            record = next(record);
            return ok(record);
          },
        },
        exhibits: library,
        onError: ({ error }) => {
          throw error;
        },
      },
      () => undefined,
    );
    await taken.isTaken();
    taken.dispose();
  };

  await opened();
  expect(list).not.toHaveBeenCalled();

  const value = enteredValueSchema.parse({ at, value: 74.3, page: 7, where: 'Table 3' });
  await unwrap(library.setValues(ID, [value]));
  await opened();
  expect(hasEntered(record.exhibit)).toBe(true);

  await unwrap(library.removeValue(ID, at));
  await opened();
  expect(record.exhibit).toEqual(exhibit);
});
