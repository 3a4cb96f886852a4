import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StudyRecord } from '../storage/index';
import { journalPath, regradePath } from './bundle-schema';
import type { BundleDeps } from './deps';
import type { SourceContent } from './report-source';

/** Every file of a folder by its path in it, sorted; hidden ones are left out. */
async function filesUnder(folder: string, inside = ''): Promise<string[]> {
  const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) names.push(...(await filesUnder(folder, name)));
    else if (entry.isFile()) names.push(name);
  }
  return names;
}

/** A file that a bundle gets. */
export type Source = { readonly name: string; readonly path: string; readonly bytes: number };

/** The folders of the plan behind a source: of a reproduction, or of an experiment. */
function plansOf({ reproduction, experiment }: SourceContent, deps: BundleDeps) {
  return [
    ...(reproduction === null
      ? []
      : [{ name: `reproductions/${reproduction.id}`, folder: deps.reproductions.folder(reproduction.id) }]),
    ...(experiment === undefined
      ? []
      : [{ name: `experiments/${experiment.id}`, folder: deps.experiments.folderOf(experiment.id) }]),
  ];
}

/** The journals of these studies, and the files of the plan behind a source, as far as they are there. */
export async function sourcesOf(
  records: readonly StudyRecord[],
  content: SourceContent,
  deps: BundleDeps,
): Promise<readonly Source[]> {
  const ids = records.flatMap(({ study }) => [
    ...study.runs.map(({ id }) => ({ name: journalPath(study.id, id), path: deps.journal(study.id, id) })),
    ...(study.regrades ?? []).map(({ id }) => ({
      name: regradePath(study.id, id),
      path: deps.regrade(study.id, id),
    })),
  ]);
  for (const { name, folder } of plansOf(content, deps)) {
    for (const file of await filesUnder(folder)) {
      ids.push({ name: `${name}/${file}`, path: join(folder, file) });
    }
  }
  const sources: Source[] = [];
  for (const { name, path } of ids) {
    const status = await stat(path).catch(() => null);
    if (status !== null) sources.push({ name, path, bytes: status.size });
  }
  return sources;
}
