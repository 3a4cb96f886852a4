import { basename, dirname, join, resolve } from 'node:path';
import {
  type CheckedPayload,
  gradingSentence,
  type Refusal,
  type ReportSource,
  type Value,
} from '../../preload/contract/index';
import { failed, ok, type Result, shellWords } from '../base/index';
import { reasonOf, replaceUserFile } from '../storage/index';
import type { BundleDeps } from './deps';
import { digestOfFile, type FileDigest } from './file-digests';
import { damageIn } from './intact';
import { COMMAND, manifestBytes, manifestName, manifestOf } from './manifest';
import { resolveSource } from './report-source';

type CsvRequest = CheckedPayload<'export.write'>;

/** What MARTI's kind writes into its folder. */
const MARTI_FILES = ['all_private_scores.csv', 'all_public_scores.csv'];

/** Writes one of a study's CSV files with its manifest. Refused where a journal is damaged. */
export async function writeCsv(
  request: CsvRequest,
  deps: BundleDeps,
): Promise<Result<Value<'export.write'>, Refusal>> {
  const { studyId, kind } = request;
  const source: ReportSource = { kind: 'study', studyId };
  const content = resolveSource(source, deps);
  if (!content.ok) return content;
  const damage = await damageIn(
    content.value.runs.map(({ runId }) => runId),
    deps,
  );
  if (damage !== null) return failed(damage);
  const written = await deps.studies.exportCsv(request);
  if (!written.ok) return written;
  const target = resolve(request.path);
  const isFolder = kind === 'marti';
  const folder = isFolder ? target : dirname(target);
  const files: FileDigest[] = [];
  for (const name of isFolder ? MARTI_FILES : [basename(target)]) {
    const digest = await digestOfFile(join(folder, name));
    if (digest !== null) files.push({ name, bytes: digest.bytes, sha256: digest.sha256 });
  }
  const analysis = kind === 'nodes' || isFolder ? null : await deps.studies.analysis(studyId);
  const study = deps.registry.read().studies.find((record) => record.study.id === studyId)?.study;
  const gradings = study === undefined ? [] : [gradingSentence(study)?.long ?? ''];
  const command = [...COMMAND, 'export', studyId, '--what', kind, '--out'];
  const manifest = await manifestOf(
    {
      source,
      content: content.value,
      command: shellWords([...command, isFolder ? 'DIR' : 'FILE']),
      files,
      methods: analysis?.ok ? [analysis.value.method] : gradings,
    },
    deps,
  );
  try {
    await replaceUserFile(join(folder, manifestName(target, isFolder)), manifestBytes(manifest));
  } catch (error) {
    return failed({ code: 'bad-input', message: `The manifest could not be written: ${reasonOf(error)}.` });
  }
  return ok(written.value);
}
