import { CURVE_COLUMNS, curveRows } from '../../../../preload/contract/plans';
import { csvFile } from '../../../base';
import type { ExportedFile } from './event-file';
import { type ExportedRun, shortId } from './exported-run';

/** One CSV file of all curves, a row a point; its name has the scale. */
export function curvesFile(run: ExportedRun): readonly ExportedFile<string>[] {
  const { text } = csvFile(CURVE_COLUMNS, curveRows(run.curves));
  return [{ path: `curves-${shortId(run)}.${run.scale}.csv`, bytes: text }];
}
