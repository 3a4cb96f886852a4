import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type {
  BundleContents,
  Exhibit,
  ExperimentView,
  Refusal,
  ReportSource,
  Study,
} from '../../preload/contract/index';
import { failed, hideSecrets, ok, orThrow, parsedJson, type Result } from '../base/index';
import { resealed, rewriteLine, type StudyRecord, writeReasonOf } from '../storage/index';
import { BUNDLE_INDEX, type Bundle, journalPath, regradePath } from './bundle-schema';
import { type Source, sourcesOf } from './bundle-sources';
import { changedLines } from './changed-lines';
import type { BundleDeps, BundleOptions } from './deps';
import { journalsDamage, planDamage } from './intact';
import { bundleContentsOf } from './logic/bundle-contents';
import { explanationsOf } from './logic/explanations';
import { eventWithoutSecrets, withoutSecrets } from './logic/without-secrets';
import { manifestBytes, manifestOf } from './manifest';
import { renderTable, TABLE_FORMATS } from './render-table';
import { buildDocuments, CANCELLED, resolveSource, type SourceContent } from './report-source';
import { allRuns } from './source-runs';
import { tableFile } from './write-report';
import { type PackedFile, ZipWriter } from './zip-writer';

const README = `A bundle of the MARS2 Workbench.

Open it in the workbench (Studies, Open a bundle) or in a terminal:

    npm run -s cli -- bundles open FILE

Its studies are then listed read-only, and its tables are recomputed from its journals.
tables/ has the tables as they were, manifest.json their sources, studies/ the journals.
`;

/** Studies of a source with the runs that it includes, in the order of the registry. */
function chosenStudies(content: SourceContent, deps: BundleDeps): readonly StudyRecord[] {
  const named = new Set(allRuns(content).map(({ runId }) => runId));
  return deps.registry.read().studies.flatMap((record) => {
    if (record.removed) return [];
    const own = record.study.runs.filter(({ id }) => named.has(id));
    return own.length === 0 ? [] : [{ ...record, study: { ...record.study, runs: own } }];
  });
}

async function bundledStudies(records: readonly StudyRecord[], deps: BundleDeps): Promise<Bundle['studies']> {
  const all: Bundle['studies'] = [];
  for (const { study, elapsedMs, progress, finishedAt, warnings, note, tags } of records) {
    const whole = deps.registry.read().studies.find((record) => record.study.id === study.id)?.study ?? study;
    all.push({
      study,
      elapsedMs,
      progress,
      finishedAt,
      hues: deps.hues.ofStudy(study),
      ...(warnings === undefined ? {} : { warnings }),
      ...(note === undefined ? {} : { note }),
      ...(tags === undefined ? {} : { tags }),
      regrade: orThrow(await deps.studies.regrade(whole)),
    });
  }
  return all;
}

/** Outlines of the benchmarks of these studies and of the experiment, as far as their problems are searched. */
async function bundledBenchmarks(
  studies: readonly Study[],
  experiment: ExperimentView | undefined,
  deps: BundleDeps,
): Promise<Bundle['benchmarks']> {
  const neededProblems = new Map<string, { readonly digest: string; readonly problems: Set<string> }>();
  for (const config of studies.flatMap(({ runs }) => runs)) {
    const entry = neededProblems.get(config.benchmarkId) ?? {
      digest: config.benchmarkDigest,
      problems: new Set(),
    };
    for (const id of config.problemIds) entry.problems.add(id);
    neededProblems.set(config.benchmarkId, entry);
  }
  const details = experiment === undefined ? null : await deps.experiments.details(experiment.id);
  for (const { benchmarkId, problemId } of details?.ok ? details.value.solves.problems : []) {
    // Its trainings do not say which version they had. Generated problems, of no benchmark, are generated again there.
    const digest = deps.library.list().find(({ id }) => id === benchmarkId)?.digest;
    if (digest === undefined) continue;
    const entry = neededProblems.get(benchmarkId) ?? { digest, problems: new Set() };
    entry.problems.add(problemId);
    neededProblems.set(benchmarkId, entry);
  }
  const all: Bundle['benchmarks'] = [];
  for (const [id, { digest, problems }] of neededProblems) {
    const benchmark = deps.library
      .list()
      .find((candidate) => candidate.id === id && candidate.digest === digest);
    const outline = benchmark === undefined ? null : await deps.library.outline(id);
    if (benchmark === undefined || !outline?.ok) continue;
    all.push({ benchmark, problems: outline.value.filter((problem) => problems.has(problem.id)) });
  }
  return all;
}

/** Packs a file as it may leave the lab. */
async function packHidden(zip: ZipWriter, { name, path, bytes }: Source): Promise<PackedFile> {
  if (name.startsWith('studies/')) {
    const hidden = (line: Buffer): Buffer => rewriteLine(line, eventWithoutSecrets);
    return zip.addFile(name, path, bytes, (pieces) => changedLines(pieces, hidden));
  }
  // A line of decisions, or a whole file of JSON.
  const parts = name.endsWith('.jsonl')
    ? (await readFile(path, 'utf8')).split('\n')
    : [await readFile(path, 'utf8')];
  return zip.addBytes(name, Buffer.from(parts.map(jsonWithoutSecrets).join('\n')));
}

function jsonWithoutSecrets(json: string): string {
  const value = parsedJson(json);
  // Left out of a bundle: what cannot be read cannot be searched for keys.
  return value === undefined ? '' : JSON.stringify(resealed(value, withoutSecrets(value)));
}

/**
 * What `writeBundle` would write, for people to read before. Refused where `writeBundle` would be. No table is built for
 * it: that is done once, when the bundle is written.
 */
export async function bundleContents(
  source: ReportSource,
  deps: BundleDeps,
): Promise<Result<BundleContents, Refusal>> {
  const content = resolveSource(source, deps);
  if (!content.ok) return content;
  const { reproduction, experiment } = content.value;
  const records = chosenStudies(content.value, deps);
  const obstacle = await bundleRefusal(records, content.value, deps);
  if (obstacle !== null) return failed(obstacle);
  const sources = await sourcesOf(records, content.value, deps);
  const journals = sources.filter(({ name }) => name.startsWith('studies/'));
  if (journals.length === 0 && reproduction === null && experiment === undefined) {
    return failed({
      code: 'bad-input',
      message: 'None of these runs has searched anything yet, so there is nothing to pack.',
      hint: 'Start their studies first, or choose other runs.',
    });
  }
  const { studies, lines, leftOut } = bundleContentsOf({
    studies: records.map(({ study }) => study.name),
    journals,
    plans: [
      ...(reproduction === null ? [] : [reproduction.title]),
      ...(experiment === undefined ? [] : [experiment.order.name]),
    ],
    planFiles: sources.length - journals.length,
  });
  return ok({ studies: studies.map(hideSecrets), lines: lines.map(hideSecrets), leftOut });
}

/** Why a bundle cannot be written now; null: it can. */
async function bundleRefusal(
  records: readonly StudyRecord[],
  content: SourceContent,
  deps: BundleDeps,
): Promise<Refusal | null> {
  const { reproduction, experiment } = content;
  const busy =
    records.find(({ study }) => deps.studies.isRunning(study.id))?.study.name ??
    (reproduction?.state.kind === 'running' || reproduction?.state.kind === 'pausing'
      ? reproduction.title
      : experiment?.state.kind === 'running'
        ? experiment.order.name
        : undefined);
  if (busy === undefined) {
    for (const { study } of records) {
      const readable = await deps.studies.readable(study.id);
      if (!readable.ok) return readable.error;
      const regrade = await deps.studies.regrade(readable.value);
      if (!regrade.ok) return { ...regrade.error, message: `Nothing is exported: ${regrade.error.message}` };
    }
    const runIds = records.flatMap(({ study }) => study.runs.map(({ id }) => id));
    return (await journalsDamage(runIds, deps)) ?? planDamage(content, deps);
  }
  return {
    code: 'conflict',
    message: `"${busy}" is running, and its files would change while they are packed.`,
    hint: 'Pause it first, or wait until it is done.',
  };
}

/**
 * Writes a source as a bundle: journals, data of the registry, tables and manifest, in one ZIP. Refused while one of
 * its studies, its reproduction or its experiment runs, because its files grow. Keys, environments and typed commands are left out
 * (see `withoutSecrets`). Equal sources give equal bytes. When it is cancelled
 * nothing is left behind, and an earlier file at `path` stays.
 */
export async function writeBundle(
  { source, path }: { readonly source: ReportSource; readonly path: string },
  deps: BundleDeps,
  options: BundleOptions = {},
): Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>> {
  const content = resolveSource(source, deps);
  if (!content.ok) return content;
  const { reproduction, experiment } = content.value;
  const records = chosenStudies(content.value, deps);
  const obstacle = await bundleRefusal(records, content.value, deps);
  if (obstacle !== null) return failed(obstacle);
  const documents = await buildDocuments(content.value, deps, 'without prices', options);
  if (!documents.ok) return documents;
  const sources = await sourcesOf(records, content.value, deps);
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const counted = (bytes: number): void => {
    // Tables are packed first and are small: only journals are counted.
    done += bytes;
    options.progress?.({ activity: 'packing journals', done, total, unit: 'bytes' });
  };
  const exhibit: Exhibit | null =
    reproduction === null ? null : deps.reproductions.exhibitOf(reproduction.id);
  const target = resolve(path);
  const temporary = join(dirname(target), `.${basename(target)}.tmp`);
  let zip: ZipWriter | null = null;
  try {
    let packed: (bytes: number) => void = () => undefined;
    zip = await ZipWriter.create(temporary, {
      signal: options.signal,
      packed: (bytes) => packed(bytes),
    });
    const files: PackedFile[] = [];
    for (const table of documents.value.tables) {
      for (const format of TABLE_FORMATS) {
        files.push(await zip.addBytes(tableFile(table.id, format), renderTable(table, format)));
      }
    }
    packed = counted;
    for (const file of sources) files.push(await packHidden(zip, file));
    packed = () => undefined;
    const digests = new Map(files.map(({ name, ...mark }) => [name, mark]));
    const digestOf = (studyId: string, id: string) =>
      digests.get(journalPath(studyId, id)) ?? digests.get(regradePath(studyId, id));
    const manifest = await manifestOf(
      {
        source,
        content: content.value,
        command: null,
        files: [...files],
        ...explanationsOf(documents.value),
        known: digestOf,
      },
      deps,
    );
    files.push(await zip.addBytes('manifest.json', manifestBytes(manifest)));
    files.push(await zip.addBytes('README.txt', Buffer.from(README)));
    const head: Bundle = {
      format: 'mars2-bundle',
      version: 1,
      workbench: deps.appVersion,
      name: hideSecrets(content.value.name).slice(0, 300),
      source,
      studies: withoutSecrets(await bundledStudies(records, deps)) as Bundle['studies'],
      reproductions: reproduction === null ? [] : [reproduction.id],
      experiments: experiment === undefined ? [] : [experiment.id],
      exhibits: exhibit === null ? [] : [withoutSecrets(exhibit) as Exhibit],
      benchmarks: await bundledBenchmarks(
        records.map(({ study }) => study),
        experiment,
        deps,
      ),
      files,
    };
    await zip.addBytes(BUNDLE_INDEX, Buffer.from(JSON.stringify(head)));
    const bytes = await zip.finish();
    await zip.close();
    zip = null;
    options.signal?.throwIfAborted();
    await rename(temporary, target);
    return ok({ path: target, bytes });
  } catch (error) {
    if (options.signal?.aborted) return failed(CANCELLED);
    return failed({
      code: 'bad-input',
      message: `The bundle could not be written to ${target}: ${writeReasonOf(target, error)}.`,
      hint: 'Choose an existing, writable folder with enough free space.',
    });
  } finally {
    await zip?.close();
    await rm(temporary, { force: true });
  }
}
