/** The values that a setting takes, as entered. */
export type ValueList = { readonly id: string; readonly values: string };

/** Said of a list without a value. */
export const NO_VALUES = 'Enter values with commas between.';

/** The values of each list, entered with commas between, without empty ones; `empty`: ids of lists without any. */
export function readLists(lists: readonly ValueList[]): {
  readonly fields: readonly { readonly id: string; readonly values: readonly string[] }[];
  readonly empty: readonly string[];
} {
  const fields = lists.map(({ id, values }) => {
    const trimmed = values.split(',').map((value) => value.trim());
    return { id, values: trimmed.filter((value) => value !== '') };
  });
  return { fields, empty: fields.flatMap(({ id, values }) => (values.length === 0 ? [id] : [])) };
}

/** Without the lists of settings that are not offered now. */
export function listsInUse(
  lists: readonly ValueList[],
  settings: readonly { readonly id: string }[],
): readonly ValueList[] {
  return lists.filter((list) => settings.some(({ id }) => id === list.id));
}
