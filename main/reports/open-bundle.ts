import { access, mkdtemp, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenedBundle, Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { makeFolder, reasonOf, type StudyRecord } from '../storage/index';
import { BUNDLE_MARK } from '../studies/index';
import { BUNDLE_INDEX, type Bundle, bundleSchema, journalsOf } from './bundle-schema';
import type { BundleDeps, BundleOptions } from './deps';
import { jsonProblem, MAX_JSON_BYTES, spaceProblem } from './logic/bundle-limits';
import { renderTable } from './render-table';
import { buildDocuments, CANCELLED, resolveSource } from './report-source';
import { tableFile } from './write-report';
import { InvalidBundle, ZipReader } from './zip-reader';

/** Of the file system of a folder, for this user. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function readIndex(zip: ZipReader): Promise<Bundle> {
  const bytes = await zip.read(BUNDLE_INDEX, MAX_JSON_BYTES);
  if (bytes === null) throw new InvalidBundle(`it has no ${BUNDLE_INDEX}`);
  const problem = jsonProblem(bytes);
  if (problem !== null) throw new InvalidBundle(`its ${BUNDLE_INDEX} ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new InvalidBundle(`its ${BUNDLE_INDEX} is not JSON`);
  }
  const read = bundleSchema.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new InvalidBundle(`"${issue?.path.join('.') ?? ''}" in its ${BUNDLE_INDEX} is invalid`);
  }
  const named = new Set([...read.data.files.map(({ name }) => name), BUNDLE_INDEX]);
  const extra = zip.names().find((name) => !named.has(name));
  if (extra !== undefined)
    throw new InvalidBundle(`it contains ${extra}, which its ${BUNDLE_INDEX} does not list`);
  checkFiles(read.data, zip);
  return read.data;
}

/**
 * A study brings its journals and nothing else, so that every number shown of it is computed from them here. Throws
 * `InvalidBundle` for any other file, and for one whose size is not the one that the index says.
 */
function checkFiles({ studies, reproductions, experiments, files }: Bundle, zip: ZipReader): void {
  const journals = new Set(studies.flatMap(({ study }) => journalsOf(study)));
  const plans = [
    ...reproductions.map((id) => `reproductions/${id}/`),
    ...experiments.map((id) => `experiments/${id}/`),
  ];
  const folders = ['tables/', ...plans];
  const names = new Set<string>();
  for (const { name, bytes } of files) {
    if (names.has(name)) throw new InvalidBundle(`its ${BUNDLE_INDEX} lists ${name} twice`);
    names.add(name);
    const isExpected =
      journals.has(name) ||
      folders.some((folder) => name.startsWith(folder)) ||
      name === 'manifest.json' ||
      name === 'README.txt';
    if (!isExpected) throw new InvalidBundle(`it contains ${name}, which belongs to nothing in it`);
    const own = zip.sizeOf(name);
    if (own === null) throw new InvalidBundle(`${name} is missing`);
    if (own !== bytes) throw new InvalidBundle(`${name} has another size than its ${BUNDLE_INDEX} says`);
    if (isPlanFile(name) && bytes > MAX_JSON_BYTES) {
      throw new InvalidBundle(`${name} is too large`);
    }
  }
}

/** Whether it is a file of a reproduction or an experiment, which are read as a whole. */
const isPlanFile = (name: string): boolean => /^(reproductions|experiments)\//.test(name);

/** The reason why the bundle cannot be added: a part of it exists here already. null: it can be added. */
async function existingContent(bundle: Bundle, deps: BundleDeps): Promise<Refusal | null> {
  const { studies } = deps.registry.read();
  const runs = new Set(studies.flatMap(({ study }) => study.runs.map(({ id }) => id)));
  for (const { study } of bundle.studies) {
    const existing = studies.find((record) => record.study.id === study.id);
    const isTaken = existing !== undefined || study.runs.some(({ id }) => runs.has(id));
    if (!isTaken && !(await exists(deps.studies.folder(study.id)))) continue;
    return {
      code: 'conflict',
      message: `The study "${study.name}" of this bundle is already in this data folder${existing?.removed ? ', in its trash' : ''}.`,
      hint: 'Open it there, or open the bundle in another data folder (--data).',
    };
  }
  const listed = new Set(deps.reproductions.list().map(({ id }) => id));
  const experiments = new Set(deps.experiments.list().map(({ id }) => id));
  const noun = bundle.reproductions.some((id) => listed.has(id))
    ? 'reproduction'
    : bundle.experiments.some((id) => experiments.has(id))
      ? 'experiment'
      : null;
  return noun === null
    ? null
    : {
        code: 'conflict',
        message: `The ${noun} of this bundle is already in this data folder.`,
        hint: 'Open it there, or open the bundle in another data folder (--data).',
      };
}

/** Unpacks all files, each checked against its digest in the index. */
async function unpack(
  zip: ZipReader,
  { files }: Bundle,
  folder: string,
  { signal, progress }: BundleOptions,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const unpacked = (bytes: number): void => {
    done += bytes;
    progress?.({ activity: 'checking files', done, total, unit: 'bytes' });
  };
  for (const { name, bytes, sha256 } of files) {
    if ((await zip.unpack(name, folder, bytes, { signal, unpacked })) !== sha256) {
      throw new InvalidBundle(`${name} does not match its digest: the file was changed or damaged`);
    }
    // Parsed as a whole later on.
    const problem = isPlanFile(name) ? jsonProblem(await readFile(join(folder, name))) : null;
    if (problem !== null) throw new InvalidBundle(`${name} ${problem}`);
  }
}

/** Are all journals of a study there? Without them what the bundle says of its results is hearsay. */
function hasJournals({ study }: Bundle['studies'][number], { files }: Bundle): boolean {
  const names = new Set(files.map(({ name }) => name));
  return journalsOf(study).every((name) => names.has(name));
}

function recordsOf(bundle: Bundle): StudyRecord[] {
  const studies = bundle.studies.map((one) =>
    hasJournals(one, bundle) ? one : { ...one, elapsedMs: 0, progress: null, finishedAt: null },
  );
  return studies.map(({ regrade: _regrade, warnings, hues, note, tags, ...record }) => ({
    ...record,
    ...(warnings === undefined ? {} : { warnings }),
    ...(hues === undefined ? {} : { hues }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags }),
    stopped: record.finishedAt === null ? 'paused' : null,
    removed: false,
    fromBundle: bundle.name,
  }));
}

/** Moves the journals and records into place, then lists them. Nothing is listed before its files are in place. */
async function install(bundle: Bundle, unpacked: string, deps: BundleDeps): Promise<Result<null, Refusal>> {
  const moveIfExists = async (from: string, to: string): Promise<void> => {
    if (!(await exists(from))) return;
    await makeFolder(dirname(to));
    await rename(from, to);
  };
  for (const outline of bundle.benchmarks) await deps.outlines.save(outline);
  for (const { study } of bundle.studies) {
    const from = join(unpacked, 'studies', study.id);
    // The mark survives a lost registry: the study stays read-only.
    if (await exists(from)) await writeFile(join(from, BUNDLE_MARK), bundle.name);
    await moveIfExists(from, deps.studies.folder(study.id));
  }
  const adopted = await deps.studies.adopt(recordsOf(bundle));
  if (!adopted.ok) return adopted;
  for (const one of bundle.studies) {
    if (one.regrade !== null && hasJournals(one, bundle))
      await deps.studies.saveRegrade(one.study, one.regrade);
  }
  for (const exhibit of bundle.exhibits) await deps.exhibits.save(exhibit);
  for (const id of bundle.reproductions) {
    const adopted = await deps.reproductions.adopt(id, join(unpacked, 'reproductions', id));
    if (!adopted.ok) return adopted;
  }
  for (const id of bundle.experiments) {
    const adopted = await deps.experiments.adopt(id, join(unpacked, 'experiments', id), bundle.name);
    if (!adopted.ok) return adopted;
  }
  return ok(null);
}

/** Recomputes the bundle's tables: how many there are, and the names of those that differ from the bundle's bytes. */
async function differingTables(
  bundle: Bundle,
  unpacked: string,
  deps: BundleDeps,
  { progress }: BundleOptions,
): Promise<Result<Pick<OpenedBundle, 'differing' | 'tables'>, Refusal>> {
  const content = resolveSource(bundle.source, deps);
  if (!content.ok) return content;
  const documents = await buildDocuments(
    content.value,
    deps,
    'without prices',
    progress === undefined ? {} : { progress },
  );
  if (!documents.ok) return documents;
  const theirs = new Set(bundle.files.flatMap(({ name }) => (/^tables\/.*\.json$/.test(name) ? [name] : [])));
  const differing: string[] = [];
  for (const table of documents.value.tables) {
    const name = tableFile(table.id, 'json');
    const bytes = theirs.has(name) ? await readFile(join(unpacked, name)) : null;
    theirs.delete(name);
    if (bytes === null || !bytes.equals(renderTable(table, 'json'))) differing.push(table.title);
  }
  return ok({ tables: documents.value.tables.length, differing: [...differing, ...theirs] });
}

/**
 * Opens the bundle of another lab: its studies, reproductions and experiments are listed read-only, and its tables are recomputed
 * from its journals. An invalid bundle, or content that exists already, is refused before anything changes; until then
 * it can be cancelled.
 */
export async function openBundle(
  path: string,
  deps: BundleDeps,
  options: BundleOptions = {},
): Promise<Result<OpenedBundle, Refusal>> {
  let zip: ZipReader | null = null;
  let unpacked: string | null = null;
  try {
    zip = await ZipReader.open(path);
    const bundle = await readIndex(zip);
    const conflict = await existingContent(bundle, deps);
    if (conflict !== null) return failed(conflict);
    await makeFolder(deps.dataDir);
    const total = bundle.files.reduce((sum, { bytes }) => sum + bytes, 0);
    const noSpace = spaceProblem(total, await freeBytes(deps.dataDir));
    if (noSpace !== null) throw new InvalidBundle(noSpace);
    unpacked = await mkdtemp(join(deps.dataDir, 'bundle-'));
    await unpack(zip, bundle, unpacked, options);
    options.signal?.throwIfAborted();
    const installed = await install(bundle, unpacked, deps);
    if (!installed.ok) return installed;
    const checked = await differingTables(bundle, unpacked, deps, options);
    return ok({
      name: bundle.name,
      studyIds: bundle.studies.map(({ study }) => study.id),
      reproductionIds: bundle.reproductions,
      ...(bundle.experiments.length === 0 ? {} : { experimentIds: bundle.experiments }),
      ...(checked.ok ? checked.value : { tables: 0, differing: [checked.error.message] }),
    });
  } catch (error) {
    if (options.signal?.aborted) return failed(CANCELLED);
    if (!(await exists(path))) return failed({ code: 'not-found', message: `There is no file ${path}.` });
    const why = error instanceof InvalidBundle ? error.message : reasonOf(error);
    return failed({
      code: 'bad-input',
      message: `The bundle ${path} cannot be opened: ${why}.`,
      hint: 'It may be incomplete or changed: copy the file again, or ask who wrote it.',
    });
  } finally {
    zip?.close();
    if (unpacked !== null) await rm(unpacked, { recursive: true, force: true });
  }
}
