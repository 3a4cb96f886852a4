import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BenchmarkFormat, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';
import { readImportRows, textOf } from './import-file';
import { refusedImport } from './import-refusals';
import { isRowFile, naturalOrder } from './logic/import-options';
import { formOf, PACKED_FIELDS, type PublishedForm } from './logic/row-formats';
import { withinRowSize } from './logic/row-size';
import { splitOffField } from './private-tests';
import type { ReadTable } from './table-reader';

export type SourceFile = { readonly path: string; readonly name: string; readonly bytes: number };
export type IdentifiedFile = SourceFile & { readonly form: PublishedForm };
type Sources = {
  readonly path: string;
  readonly format: BenchmarkFormat;
  readonly signal?: AbortSignal | undefined;
  readonly readTable?: ReadTable | undefined;
};

/** The file, or the files of the folder in natural order. */
async function filesOf(path: string): Promise<Result<readonly SourceFile[], Refusal>> {
  try {
    const info = await stat(path);
    if (!info.isDirectory()) return ok([{ path, name: basename(path), bytes: info.size }]);
    const files: SourceFile[] = [];
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => isRowFile(name))) {
      const inside = join(path, entry.name);
      const stats = await stat(inside);
      if (stats.isFile()) files.push({ path: inside, name: entry.name, bytes: stats.size });
    }
    if (files.length === 0) {
      const none =
        'the folder has no file that ends in .jsonl, .ndjson, .json (or one of these with .gz) or .parquet.';
      return failed(refusedImport(path, none));
    }
    return ok(files.sort((a, b) => naturalOrder(a.name, b.name)));
  } catch (error) {
    const refusal = refusedImport(path, `${reasonOf(error)}.`);
    return failed({
      ...refusal,
      code: systemErrorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable',
    });
  }
}

function pointerRefusal(path: string): Refusal {
  return refusedImport(
    path,
    'it is not the file itself but a pointer of Git LFS.',
    'Run "git lfs pull" in its folder, or download the file from its page.',
  );
}

/** The form of a file by its first row; the inner failure says that it is not a benchmark. */
async function formOfFile(
  file: SourceFile,
  { format, signal, readTable }: Sources,
): Promise<Result<Result<PublishedForm, Refusal>, Refusal>> {
  // The refusal that ends the reading after the first row is not a failure.
  const found: { form: Result<PublishedForm, Refusal> | null } = { form: null };
  let pointer: Refusal | null = null;
  const enough = refusedImport(file.path, 'it has been looked at.');
  const read = await readImportRows(
    file.path,
    (row) => {
      const cut =
        PACKED_FIELDS.map((field) => splitOffField(row, field)).find((field) => field !== null) ?? null;
      const text = cut === null ? textOf(row) : withinRowSize(cut.rest);
      if (!text.ok) return refusedImport(file.path, `${row.location} ${text.error}`);
      if (text.value.startsWith('version https://git-lfs')) pointer = pointerRefusal(file.path);
      const form = formOf(text.value, format);
      found.form = form.ok ? form : failed(refusedImport(file.path, `${row.location} ${form.error}`));
      return enough;
    },
    { signal, readTable },
  );
  if (pointer !== null) return failed(pointer);
  if (found.form !== null) return ok(found.form);
  if (!read.ok) return read;
  return failed(refusedImport(file.path, 'it has no problems in it, only blank lines.'));
}

export type IdentifiedFiles = {
  /** All of one form, in natural order. */
  readonly files: readonly [IdentifiedFile, ...IdentifiedFile[]];
  /** Names of the folder's files that have another form. */
  readonly skipped: readonly string[];
};

/** The files to read: one file, or all files of a folder with the form of its first benchmark file. */
export async function identifyFiles(sources: Sources): Promise<Result<IdentifiedFiles, Refusal>> {
  const listed = await filesOf(sources.path);
  if (!listed.ok) return listed;
  const files: IdentifiedFile[] = [];
  const skipped: string[] = [];
  let otherKind: Refusal | null = null;
  for (const file of listed.value) {
    const form = await formOfFile(file, sources);
    if (!form.ok) return form;
    const first = files[0];
    if (form.value.ok && (first === undefined || first.form === form.value.value)) {
      files.push({ ...file, form: form.value.value });
    } else skipped.push(file.name);
    if (!form.value.ok) otherKind ??= form.value.error;
  }
  const [first, ...others] = files;
  if (first !== undefined) return ok({ files: [first, ...others], skipped });
  return failed(otherKind ?? refusedImport(sources.path, 'no file of the folder is a benchmark.'));
}
