import { dirname, join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile } from '../storage';
import { curvesFile } from './logic/export/curves-file';
import { type ExportedFile, eventFiles } from './logic/export/event-file';
import type { ExportedRun } from './logic/export/exported-run';
import { offlineRun } from './logic/export/offline-run';

export type CurveFormat = 'csv' | 'tensorboard' | 'wandb';

export type ExportedCurves = { readonly path: string; readonly files: string[]; readonly bytes: number };

const filesOf: Readonly<
  Record<CurveFormat, (run: ExportedRun) => readonly ExportedFile<string | Uint8Array>[]>
> = {
  csv: curvesFile,
  tensorboard: eventFiles,
  wandb: offlineRun,
};

/** Writes a training's curves below a folder; files of the same run there are replaced, others are left alone. */
export async function exportCurves(
  run: ExportedRun,
  format: CurveFormat,
  folder: string,
): Promise<Result<ExportedCurves, Refusal>> {
  if (run.curves.length === 0) {
    const message = `"${run.name}" has no curves yet, so there is nothing to export.`;
    return failed({ code: 'conflict', message, hint: 'Export it again after its first step.' });
  }
  const files = filesOf[format](run);
  const paths = files.map(({ path }) => join(folder, path));
  try {
    for (const [at, { bytes }] of files.entries()) {
      const path = paths[at] ?? '';
      await makeFolder(dirname(path));
      await replaceFile(path, bytes);
    }
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `Cannot write to ${folder}: ${reasonOf(error)}.`,
      hint: 'Choose another folder.',
    });
  }
  return ok({
    path: folder,
    files: paths,
    bytes: files.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0),
  });
}
