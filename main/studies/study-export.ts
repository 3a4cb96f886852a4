import { join, resolve } from 'node:path';
import type { Analysis, CheckedPayload, Refusal, RunView, Value } from '../../preload/contract/index';
import { assertNever, type CsvFile, failed, hideTokens, ok, type Result } from '../base/index';
import { makeUserFolder, replaceUserFile, writeReasonOf } from '../storage/index';
import { breakdownsCsv, curvesCsv, pairsCsv, partPairsCsv, tableCsv } from './logic/csv';
import { martiCsv, nodesCsv } from './logic/nodes-csv';

type ExportRequest = Pick<CheckedPayload<'export.write'>, 'kind' | 'path'>;

/** The data to export, computed only when it is needed. */
export type ExportSource = {
  readonly analysis: () => Promise<Analysis>;
  /** In the order of the study's runs. */
  readonly views: () => Promise<readonly RunView[]>;
};

async function filesOf(
  { kind, path }: ExportRequest,
  source: ExportSource,
): Promise<ReadonlyMap<string, CsvFile>> {
  const target = resolve(path);
  switch (kind) {
    case 'table':
      return new Map([[target, tableCsv(await source.analysis())]]);
    case 'curves':
      return new Map([[target, curvesCsv(await source.analysis())]]);
    case 'pairs':
      return new Map([[target, pairsCsv(await source.analysis())]]);
    case 'breakdowns':
      return new Map([[target, breakdownsCsv(await source.analysis())]]);
    case 'breakdown-pairs':
      return new Map([[target, partPairsCsv(await source.analysis())]]);
    case 'nodes':
      return new Map([[target, nodesCsv(await source.views())]]);
    case 'marti': {
      const { publicScores, privateScores } = martiCsv(await source.views());
      return new Map([
        [join(target, 'all_public_scores.csv'), publicScores],
        [join(target, 'all_private_scores.csv'), privateScores],
      ]);
    }
    default:
      return assertNever(kind);
  }
}

/** Writes a CSV file; `marti` writes two of them into the folder `path`, made where it is missing. */
export async function exportStudy(
  request: ExportRequest,
  source: ExportSource,
): Promise<Result<Value<'export.write'>, Refusal>> {
  const target = resolve(request.path);
  const files = await filesOf(request, source);
  let rows = 0;
  let bytes = 0;
  try {
    if (request.kind === 'marti') await makeUserFolder(target);
    for (const [path, file] of files) {
      const text = hideTokens(file.text);
      await replaceUserFile(path, text);
      rows += file.rows;
      bytes += Buffer.byteLength(text);
    }
  } catch (error) {
    return failed({
      code: 'bad-input',
      message: `The CSV could not be written to ${target}: ${writeReasonOf(target, error)}.`,
      hint: 'Choose a folder that exists and that you may write to.',
    });
  }
  return ok({ path: target, rows, bytes });
}
