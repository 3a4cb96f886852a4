import type { OpenedBundle, WrittenReport } from '../../preload/contract/report';
import { plural } from '../widgets/format';

/** "Exported 2 files and their manifests, the first of them /results/table.csv". */
export function exportedText(files: WrittenReport['files']): string {
  const manifests = files.filter(({ path }) => path.endsWith('manifest.json')).length;
  const own = files.length - manifests;
  const whose = own === 1 ? 'its' : 'their';
  const rest = manifests === 0 ? '' : ` and ${whose} manifest${manifests === 1 ? '' : 's'}`;
  return `Exported ${plural(own, 'file')}${rest}, the first of them ${files[0]?.path}`;
}

/** The same while files are written. */
export const EXPORTING_TEXT =
  'Once their folder is chosen, the files are written, which can take a minute. You may close this: they are written all the same.';

/** What the export dialog says below the ticks. */
export function exportFilesText(ticked: number): string {
  if (ticked === 0) return 'Tick a table or a figure.';
  if (ticked === 1) return '1 file. Its name and folder are asked next.';
  return `${ticked} files. Their folder is asked next; files of the same name there are replaced.`;
}

export function openedBundleText({
  name,
  studyIds,
  reproductionIds,
  experimentIds = [],
  tables,
  differing,
}: OpenedBundle): string {
  const contents = [
    ...(studyIds.length > 0 ? [plural(studyIds.length, 'study', 'studies')] : []),
    ...(reproductionIds.length > 0 ? [plural(reproductionIds.length, 'reproduction')] : []),
    ...(experimentIds.length > 0 ? [plural(experimentIds.length, 'experiment')] : []),
  ].join(' and ');
  const checked =
    tables === 0
      ? ''
      : differing.length === 0
        ? ` Recomputed ${plural(tables, 'table')} from its journals: identical to the byte.`
        : ` Recomputed from its journals, these tables differ from the bundle's: ${differing.join(', ')}.`;
  return `Opened ${name}: ${contents}, read-only.${checked}`;
}
