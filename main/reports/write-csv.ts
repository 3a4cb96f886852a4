import { basename, dirname, join, resolve } from 'node:path';
import {
  type CheckedPayload,
  gradingSentences,
  type Refusal,
  type ReportSource,
  type Value,
} from '../../preload/contract/index';
import { failed, hideTokens, ok, type Result, shellWords } from '../base/index';
import { reasonOf, replaceUserFile, writeReasonOf } from '../storage/index';
import type { BundleDeps } from './deps';
import { digestOfFile, type FileDigest } from './file-digests';
import { journalsDamage } from './intact';
import { EXPERIMENT_METHOD } from './logic/experiment-measures';
import { COMMAND, manifestBytes, manifestName, manifestOf } from './manifest';
import { resolveSource } from './report-source';

type CsvRequest = CheckedPayload<'export.write'>;
type ExperimentCsvRequest = CheckedPayload<'experiment.export'>;

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
  const damage = await journalsDamage(
    content.value.runs.map(({ runId }) => runId),
    deps,
  );
  if (damage !== null) return failed(damage);
  const written = await deps.studies.exportCsv(request);
  if (!written.ok) return written;
  const target = resolve(request.path);
  const isFolder = kind === 'marti';
  const analysis = kind === 'nodes' || isFolder ? null : await deps.studies.analysis(studyId);
  const study = deps.registry.read().studies.find((record) => record.study.id === studyId)?.study;
  const gradings = study === undefined ? [] : gradingSentences(study).map(({ long }) => long);
  const command = [...COMMAND, 'export', studyId, '--what', kind, '--out'];
  const described = await describe(
    target,
    isFolder ? MARTI_FILES : null,
    {
      source,
      content: content.value,
      command: shellWords([...command, isFolder ? 'DIR' : 'FILE']),
      methods: analysis?.ok ? [analysis.value.method] : gradings,
    },
    deps,
  );
  return described.ok ? ok(written.value) : described;
}

/** Writes one of an experiment's CSV files with its manifest. Refused where what a training measured is damaged. */
export async function writeExperimentCsv(
  { experimentId, kind, path }: ExperimentCsvRequest,
  deps: BundleDeps,
): Promise<Result<Value<'experiment.export'>, Refusal>> {
  const source: ReportSource = { kind: 'experiment', experimentId };
  const content = resolveSource(source, deps);
  if (!content.ok) return content;
  const file = await deps.experiments.exportCsv(experimentId, kind);
  if (!file.ok) return file;
  const target = resolve(path);
  const text = hideTokens(file.value.text);
  try {
    await replaceUserFile(target, text);
  } catch (error) {
    return failed({
      code: 'bad-input',
      message: `The CSV could not be written to ${target}: ${writeReasonOf(target, error)}.`,
      hint: 'Choose a folder that exists and that you may write to.',
    });
  }
  const command = shellWords([
    ...COMMAND,
    'experiments',
    'export',
    experimentId,
    '--what',
    kind,
    '--out',
    'FILE',
  ]);
  const about = { source, content: content.value, command, methods: [EXPERIMENT_METHOD] };
  const described = await describe(target, null, about, deps);
  return described.ok
    ? ok({ path: target, rows: file.value.rows, bytes: Buffer.byteLength(text) })
    : described;
}

/** Writes the manifest of the file `target`, or of these in the folder `target`, which are all there. */
async function describe(
  target: string,
  inFolder: readonly string[] | null,
  about: Omit<Parameters<typeof manifestOf>[0], 'files'>,
  deps: BundleDeps,
): Promise<Result<null, Refusal>> {
  const folder = inFolder === null ? dirname(target) : target;
  const files: FileDigest[] = [];
  for (const name of inFolder ?? [basename(target)]) {
    const digest = await digestOfFile(join(folder, name));
    if (digest !== null) files.push({ name, bytes: digest.bytes, sha256: digest.sha256 });
  }
  const manifest = await manifestOf({ ...about, files }, deps);
  try {
    await replaceUserFile(join(folder, manifestName(target, inFolder !== null)), manifestBytes(manifest));
  } catch (error) {
    return failed({ code: 'bad-input', message: `The manifest could not be written: ${reasonOf(error)}.` });
  }
  return ok(null);
}
