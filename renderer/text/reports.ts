import type { OpenedBundle } from '../../preload/contract/report';

export function openedBundleText({
  name,
  studyIds,
  reproductionIds,
  tables,
  differing,
}: OpenedBundle): string {
  const counted = (value: number, one: string, many: string): string =>
    `${value} ${value === 1 ? one : many}`;
  const contents = [
    ...(studyIds.length > 0 ? [counted(studyIds.length, 'study', 'studies')] : []),
    ...(reproductionIds.length > 0 ? [counted(reproductionIds.length, 'reproduction', 'reproductions')] : []),
  ].join(' and ');
  const checked =
    tables === 0
      ? ''
      : differing.length === 0
        ? ` Recomputed ${counted(tables, 'table', 'tables')} from its journals: identical to the byte.`
        : ` Recomputed from its journals, these tables differ from the bundle's: ${differing.join(', ')}.`;
  return `Opened ${name}: ${contents}, read-only.${checked}`;
}
