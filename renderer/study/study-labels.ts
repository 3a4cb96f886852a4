import type { Study } from '../../preload/contract/study';

/** What to call each study in a list to choose from: its name, with its id where the name does not tell it apart. */
export function studyLabels(studies: readonly Pick<Study, 'id' | 'name'>[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { name } of studies) times.set(name, (times.get(name) ?? 0) + 1);
  return studies.map(({ id, name }) => ((times.get(name) ?? 0) > 1 ? `${name} (${id})` : name));
}
