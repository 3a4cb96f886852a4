import { rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Benchmark, Refusal } from '../../preload/contract';
import { assertNever, failed, type JsonSize, ok, parsedJsonWithin, type Result } from '../base';
import { type Download, type DownloadFailure, download, reasonOf } from '../storage';
import type { BenchmarkImport, BenchmarkOrigin } from './benchmark-store';
import { type Imported, makeStagingFolder, sweepStagingFolders } from './folder-store';
import { importLimits } from './import-file';
import { addressPath, type DataSet, dataSetOf, localName, problemFiles } from './logic/hub-files';
import { naturalOrder } from './logic/import-options';

const HUB = 'https://huggingface.co';
/** The longest list of files; a server that sends more is no hub. */
const MAX_LIST_BYTES = 16 * 1024 ** 2;
const LIST_MS = 60_000;
const LIST_SIZE: JsonSize = { depth: 64, parts: 1_000_000 };

export type HubImport = Omit<BenchmarkImport, 'path'> & {
  /** e.g. "livecodebench/code_generation_lite". Only public data sets: no account is used. */
  readonly name: string;
  /** Files of the data set, e.g. "test6.jsonl"; left out: all that hold problems. */
  readonly files?: readonly string[] | undefined;
  /** Another hub, e.g. a local mirror. */
  readonly host?: string | undefined;
  /** Other limits than the usual ones, for the list of files, too. */
  readonly limits?: Download['limits'];
};

type ImportFiles = (
  request: BenchmarkImport,
  origin: BenchmarkOrigin,
) => Promise<Result<Imported<Benchmark>, Refusal>>;

function cancelled(name: string): Refusal {
  return { code: 'cancelled', message: `The import of ${name} was cancelled. Nothing was kept of it.` };
}

/** What to do without a network: download the file elsewhere. */
function manualDownloadHint(address: string): string {
  return `Download ${address} by hand, where there is a network, and import that file: mars2 benchmarks import FILE, or Import in the library.`;
}

function downloadRefusal(failure: DownloadFailure, name: string, file: string, address: string): Refusal {
  switch (failure.kind) {
    case 'cancelled':
      return cancelled(name);
    case 'missing':
      return {
        code: 'not-found',
        message: `${file} of ${name} was not imported: ${failure.message}.`,
        hint: `Look for its name on the page of the data set: ${address.replace(/\/resolve\/main\/[\s\S]*/, '/tree/main')}`,
      };
    case 'too-large':
      return { code: 'bad-input', message: `${file} of ${name} was not imported: ${failure.message}.` };
    case 'forbidden':
    case 'network':
      return {
        code: 'unavailable',
        message: `${file} of ${name} was not imported: it could not be downloaded, ${failure.message}.`,
        hint: manualDownloadHint(address),
      };
    default:
      return assertNever(failure);
  }
}

/** The list of a data set's files; a failure is the end of a sentence. */
async function listFiles(
  { name, signal, limits }: HubImport,
  host: string,
): Promise<Result<DataSet, string>> {
  const time = AbortSignal.timeout(limits?.answerMs ?? LIST_MS);
  try {
    const response = await fetch(`${host}/api/datasets/${name}`, {
      signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    });
    if (response.status === 404 || response.status === 401) {
      await response.body?.cancel();
      return failed('the hub has no public data set of this name');
    }
    if (!response.ok) {
      await response.body?.cancel();
      return failed(`the hub answered ${response.status}`);
    }
    const text = await limitedText(response);
    if (text === null) return failed('its list of files is too long');
    const dataSet = dataSetOf(parsedJsonWithin(text, LIST_SIZE));
    return dataSet === null ? failed('the hub did not answer with a list of files') : ok(dataSet);
  } catch (error) {
    if (time.aborted) return failed('the hub does not answer');
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return failed(`the hub cannot be reached, ${reasonOf(cause)}`);
  }
}

/** null: it is too long, and the rest of it is not received. */
async function limitedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type Chosen = {
  readonly files: readonly string[];
  readonly revision: string | null;
  readonly licence: string | null;
};

async function chooseFiles(request: HubImport, host: string): Promise<Result<Chosen, Refusal>> {
  const { name, files, signal } = request;
  const listed = await listFiles(request, host);
  if (signal?.aborted === true) return failed(cancelled(name));
  const listing = listed.ok ? listed.value : null;
  const from = { revision: listing?.revision ?? null, licence: listing?.licence ?? null };
  // A request that names its files does not need the list.
  if (files !== undefined && files.length > 0) return ok({ files: [...files].sort(naturalOrder), ...from });
  if (!listed.ok) {
    return failed({
      code: 'unavailable',
      message: `The files of ${name} could not be listed: ${listed.error}.`,
      hint: manualDownloadHint(`${host}/datasets/${name}/tree/main`),
    });
  }
  const chosen = problemFiles(listed.value.files);
  if (chosen.kind === 'several') {
    const tables = chosen.folders.map((folder) => (folder === '' ? 'its own folder' : folder)).join(', ');
    return failed({
      code: 'bad-input',
      message: `${name} was not imported: it has tables in several folders (${tables}).`,
      hint: `Name the files that you want, e.g. ${chosen.example}.`,
    });
  }
  if (chosen.files.length > 0) return ok({ files: chosen.files, ...from });
  const none = 'it has no file of JSON lines and no Parquet table';
  return failed({ code: 'bad-input', message: `${name} was not imported: ${none}.` });
}

/** Downloads files one after the other into a folder. */
async function downloadFiles(
  { name, signal, onProgress, limits }: HubImport,
  files: readonly string[],
  host: string,
  folder: string,
): Promise<Refusal | null> {
  for (const file of files) {
    const path = addressPath(file);
    if (path === null) {
      return { code: 'bad-input', message: `"${file}" is not the path of a file in a data set.` };
    }
    const address = `${host}/datasets/${name}/resolve/main/${path}`;
    const local = localName(file, files);
    const fetched = await download({
      url: address,
      path: join(folder, local),
      maxBytes: importLimits.fileBytes,
      signal,
      limits,
      onProgress: (done, total) => onProgress?.({ activity: `downloading ${local}`, done, total }),
    });
    if (!fetched.ok) return downloadRefusal(fetched.error, name, file, address);
  }
  return null;
}

/**
 * Downloads files of a data set into a folder of their own below `downloads`, imports them and removes them. Continues
 * after a lost connection; leaves nothing behind after a failure or a cancellation.
 */
export async function importFromHub(
  request: HubImport,
  downloads: string,
  importFiles: ImportFiles,
): Promise<Result<Imported<Benchmark>, Refusal>> {
  const { name, files: _files, host: ownHost, limits: _limits, ...rest } = request;
  const host = (ownHost ?? HUB).replace(/(?<!\/)\/+$/, '');
  const chosen = await chooseFiles(request, host);
  if (!chosen.ok) return chosen;
  const { files, revision, licence } = chosen.value;
  let folder: string | null = null;
  try {
    await sweepStagingFolders(downloads);
    folder = await makeStagingFolder(downloads);
    const refusal = await downloadFiles(request, files, host, folder);
    if (refusal !== null) return failed(refusal);
    const only = files.length === 1 ? files[0] : undefined;
    const path = only === undefined ? folder : join(folder, localName(only, files));
    const at = revision === null ? '' : ` at ${revision.slice(0, 12)}`;
    const origin = `from the data set ${name}${at}, ${files.length === 1 ? 'file' : 'files'} ${files.join(', ')}`;
    const imported = await importFiles(
      { ...rest, path, licence: rest.licence ?? licence ?? undefined },
      { origin, name: name.split('/').at(-1) ?? name },
    );
    if (imported.ok) return imported;
    // The folder no longer exists when a person reads this, so only the file's name is shown.
    const message = imported.error.message.replaceAll(folder + sep, '').replaceAll(folder, name);
    return failed({ ...imported.error, message });
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `${name} was not imported: ${downloads} cannot be written, ${reasonOf(error)}.`,
    });
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
