import type { StudyWarning } from '../study';

/** Warnings with one text in every configuration (of two or more) become one about the study. */
export function withSharedWarnings(
  warnings: readonly StudyWarning[],
  configurations: readonly string[],
): StudyWarning[] {
  const having = new Map<string, Set<string>>();
  for (const { configuration, text } of warnings) {
    if (configuration === null) continue;
    having.set(text, (having.get(text) ?? new Set()).add(configuration));
  }
  const listed = new Set<string>();
  return warnings.flatMap((warning) => {
    const { id, configuration, text } = warning;
    const isShared = configurations.length > 1 && having.get(text)?.size === configurations.length;
    if (configuration === null || !isShared) return [warning];
    if (listed.has(text)) return [];
    listed.add(text);
    return [{ id: id.replace(`${configuration}: `, ''), configuration: null, text }];
  });
}
