import { access, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenedBundle, Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { makeFolder, reasonOf, type StudyRecord } from '../storage/index';
import { BUNDLE_MARK } from '../studies/index';
import { BUNDLE_INDEX, type Bundle, bundleSchema } from './bundle-schema';
import type { BundleDeps, BundleOptions } from './deps';
import { renderTable } from './render-table';
import { buildDocuments, CANCELLED, resolveSource } from './report-source';
import { tableFile } from './write-report';
import { InvalidBundle, ZipReader } from './zip-reader';

/** Enough for some hundred studies. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 100_000;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function readIndex(zip: ZipReader): Promise<Bundle> {
  const bytes = await zip.read(BUNDLE_INDEX, MAX_INDEX_BYTES);
  if (bytes === null) throw new InvalidBundle(`it has no ${BUNDLE_INDEX}`);
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
  return read.data;
}

/** The reason why the bundle cannot be added: a part of it exists here already. null: it can be added. */
async function existingContent(bundle: Bundle, deps: BundleDeps): Promise<Refusal | null> {
  const { studies } = deps.registry.read();
  const runs = new Set(studies.flatMap(({ study }) => study.runs.map(({ id }) => id)));
  for (const { study } of bundle.studies) {
    const existing = studies.find((record) => record.study.id === study.id);
    const taken = existing !== undefined || study.runs.some(({ id }) => runs.has(id));
    if (!taken && !(await exists(deps.studies.folder(study.id)))) continue;
    return {
      code: 'conflict',
      message: `The study "${study.name}" of this bundle is already in this data folder${existing?.removed ? ', in its trash' : ''}.`,
      hint: 'Open it there, or open the bundle in another data folder (--data).',
    };
  }
  const listed = new Set(deps.reproductions.list().map(({ id }) => id));
  const duplicate = bundle.reproductions.find((id) => listed.has(id));
  return duplicate === undefined
    ? null
    : {
        code: 'conflict',
        message: 'The reproduction of this bundle is already in this data folder.',
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
  }
}

function recordsOf(bundle: Bundle): StudyRecord[] {
  return bundle.studies.map(({ regrade: _regrade, warnings, hues, note, tags, ...record }) => ({
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
  for (const { study, regrade } of bundle.studies) {
    if (regrade !== null) await deps.studies.saveRegrade(study, regrade);
  }
  for (const exhibit of bundle.exhibits) await deps.exhibits.save(exhibit);
  for (const id of bundle.reproductions) {
    const taken = await deps.reproductions.adopt(id, join(unpacked, 'reproductions', id));
    if (!taken.ok) return taken;
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
 * Opens the bundle of another lab: its studies and reproductions are listed read-only, and its tables are recomputed
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
    zip = await ZipReader.open(path, MAX_FILES);
    const bundle = await readIndex(zip);
    const conflict = await existingContent(bundle, deps);
    if (conflict !== null) return failed(conflict);
    await makeFolder(deps.dataDir);
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
      ...(checked.ok ? checked.value : { tables: 0, differing: [checked.error.message] }),
    });
  } catch (error) {
    if (options.signal?.aborted) return failed(CANCELLED);
    const why = error instanceof InvalidBundle ? error.message : reasonOf(error);
    return failed({
      code: 'bad-input',
      message: `The bundle ${path} cannot be opened: ${why}.`,
      hint: 'Copy the file again; it may be incomplete.',
    });
  } finally {
    zip?.close();
    if (unpacked !== null) await rm(unpacked, { recursive: true, force: true });
  }
}
