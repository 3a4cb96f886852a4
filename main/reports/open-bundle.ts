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

/** Most that a bundle's head may take: some hundred studies. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 100_000;

const isThere = (path: string): Promise<boolean> =>
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
    throw new InvalidBundle(
      `"${issue?.path.join('.') ?? ''}" in its ${BUNDLE_INDEX} is not what it should be`,
    );
  }
  const named = new Set([...read.data.files.map(({ name }) => name), BUNDLE_INDEX]);
  const extra = zip.names().find((name) => !named.has(name));
  if (extra !== undefined)
    throw new InvalidBundle(`it holds ${extra}, which its ${BUNDLE_INDEX} does not name`);
  return read.data;
}

/** What of the bundle is here already, by whatever name; null: nothing. */
async function existingContent(bundle: Bundle, deps: BundleDeps): Promise<Refusal | null> {
  const { studies } = deps.registry.read();
  const runs = new Set(studies.flatMap(({ study }) => study.runs.map(({ id }) => id)));
  for (const { study } of bundle.studies) {
    const known = studies.find((record) => record.study.id === study.id);
    const taken = known !== undefined || study.runs.some(({ id }) => runs.has(id));
    if (!taken && !(await isThere(deps.studies.folder(study.id)))) continue;
    return {
      code: 'conflict',
      message: `The study "${study.name}" of this bundle is in this data folder already${known?.removed ? ', in its trash' : ''}.`,
      hint: 'Look at it there, or open the bundle in another data folder (--data).',
    };
  }
  const listed = new Set(deps.reproductions.list().map(({ id }) => id));
  const double = bundle.reproductions.find((id) => listed.has(id));
  return double === undefined
    ? null
    : {
        code: 'conflict',
        message: 'The reproduction of this bundle is in this data folder already.',
        hint: 'Look at it there, or open the bundle in another data folder (--data).',
      };
}

/** Unpacks what is kept, each file checked against the digest that the bundle says. */
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
    progress?.({ what: 'checking files', done, total, unit: 'bytes' });
  };
  for (const { name, bytes, sha256 } of files) {
    if ((await zip.unpack(name, folder, bytes, { signal, unpacked })) !== sha256) {
      throw new InvalidBundle(`${name} is not what the bundle says it is: the file was changed or damaged`);
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

/** Moves the journals and records into place, then lists them. Nothing is listed before its files are there. */
async function install(bundle: Bundle, unpacked: string, deps: BundleDeps): Promise<Result<null, Refusal>> {
  const put = async (from: string, to: string): Promise<void> => {
    if (!(await isThere(from))) return;
    await makeFolder(dirname(to));
    await rename(from, to);
  };
  for (const known of bundle.benchmarks) await deps.outlines.save(known);
  for (const { study } of bundle.studies) {
    const from = join(unpacked, 'studies', study.id);
    // Also where the registry is lost it stays known as another lab's.
    if (await isThere(from)) await writeFile(join(from, BUNDLE_MARK), bundle.name);
    await put(from, deps.studies.folder(study.id));
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

/** Works the bundle's tables out again. Names of those that are not its own to the byte, and how many there are. */
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
 * Opens a bundle of another lab: its studies and reproductions are listed, to be looked at alone, and its tables are
 * worked out again from its journals. What is wrong with it, or here already, is refused before anything is changed; so
 * long it can be called off.
 */
export async function openBundle(
  path: string,
  deps: BundleDeps,
  waiting: BundleOptions = {},
): Promise<Result<OpenedBundle, Refusal>> {
  let zip: ZipReader | null = null;
  let unpacked: string | null = null;
  try {
    zip = await ZipReader.open(path, MAX_FILES);
    const bundle = await readIndex(zip);
    const here = await existingContent(bundle, deps);
    if (here !== null) return failed(here);
    await makeFolder(deps.dataDir);
    unpacked = await mkdtemp(join(deps.dataDir, 'bundle-'));
    await unpack(zip, bundle, unpacked, waiting);
    waiting.signal?.throwIfAborted();
    const settled = await install(bundle, unpacked, deps);
    if (!settled.ok) return settled;
    const checked = await differingTables(bundle, unpacked, deps, waiting);
    return ok({
      name: bundle.name,
      studyIds: bundle.studies.map(({ study }) => study.id),
      reproductionIds: bundle.reproductions,
      ...(checked.ok ? checked.value : { tables: 0, differing: [checked.error.message] }),
    });
  } catch (error) {
    if (waiting.signal?.aborted) return failed(CANCELLED);
    const why = error instanceof InvalidBundle ? error.message : reasonOf(error);
    return failed({
      code: 'bad-input',
      message: `The bundle ${path} can not be opened: ${why}.`,
      hint: 'Ask for the file again; it may have been cut off on its way.',
    });
  } finally {
    zip?.close();
    if (unpacked !== null) await rm(unpacked, { recursive: true, force: true });
  }
}
