import { basename, dirname, join, resolve } from 'node:path';
import type { CheckedPayload, Refusal, ReportSource, Value } from '../../preload/contract/index';
import { failed, ok, type Result, shellWords } from '../base/index';
import { reasonOf, replaceUserFile } from '../storage/index';
import type { BundleDeps } from './deps';
import { damageIn } from './intact';
import { digestOfFile, type FileDigest, manifestBytes, manifestOf } from './manifest';
import { resolveSource } from './report-source';

type CsvRequest = CheckedPayload<'export.write'>;

/** Names of the files that a request writes, in the folder of their manifest. */
function fileNames({ kind }: CsvRequest, target: string): readonly string[] {
  return kind === 'marti' ? ['all_private_scores.csv', 'all_public_scores.csv'] : [basename(target)];
}

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
  const folder = kind === 'marti' ? target : dirname(target);
  const files: FileDigest[] = [];
  for (const name of fileNames(request, target)) {
    const digest = await digestOfFile(join(folder, name));
    if (digest !== null) files.push({ name, bytes: digest.bytes, sha256: digest.sha256 });
  }
  const analysis = kind === 'nodes' || kind === 'marti' ? null : await deps.studies.analysis(studyId);
  const command = ['npm', 'run', '-s', 'cli', '--', 'export', studyId, '--what', kind, '--out'];
  const manifest = await manifestOf(
    {
      source,
      content: content.value,
      command: shellWords([...command, kind === 'marti' ? 'DIR' : 'FILE']),
      files,
      methods: analysis?.ok ? [analysis.value.method] : [],
    },
    deps,
  );
  const path = kind === 'marti' ? join(target, 'manifest.json') : `${target}.manifest.json`;
  try {
    await replaceUserFile(path, manifestBytes(manifest));
  } catch (error) {
    return failed({ code: 'bad-input', message: `The manifest could not be written: ${reasonOf(error)}.` });
  }
  return ok(written.value);
}
