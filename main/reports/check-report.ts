import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import {
  type CheckedReport,
  type Origin,
  originSchema,
  type Refusal,
  type Study,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { ReportDeps } from './deps';
import { digestOfFile } from './file-digests';
import { jsonProblem, MAX_JSON_BYTES } from './logic/bundle-limits';

/** A file of the export's own folder, or of one in it: a foreign manifest names no other. */
function isBelow(name: string): boolean {
  return !name.split(/[\\/]/).includes('..') && !name.includes('\0');
}

const digest = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string() });

/** The fields of a manifest that a check needs; later versions may add to it. */
const manifestSchema = z.object({
  files: z.array(digest.extend({ name: z.string().max(1_000).refine(isBelow) })).max(100_000),
  runs: z
    .array(
      z.object({
        runId: z.string(),
        study: z.object({
          id: z.string(),
          regrade: z.object({ id: z.string(), journal: digest.nullable() }).optional(),
        }),
        journal: digest.nullable(),
      }),
    )
    .max(100_000),
  origins: z
    .array(z.object({ studyId: z.string(), servers: z.array(originSchema) }))
    .max(100_000)
    .catch([]),
});

/** The manifest of an exported file: the file itself if it is one, else the one beside it. */
async function manifestPath(path: string): Promise<string | null> {
  const candidates = [
    ...(path.endsWith('manifest.json') ? [path] : []),
    `${path}.manifest.json`,
    join(path, 'manifest.json'),
    join(dirname(path), 'manifest.json'),
    join(dirname(path), '..', 'manifest.json'),
  ];
  for (const candidate of candidates) {
    const status = await stat(candidate).catch(() => null);
    if (status?.isFile() && status.size <= MAX_JSON_BYTES) return candidate;
  }
  return null;
}

async function readManifest(path: string): Promise<z.infer<typeof manifestSchema> | null> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null || jsonProblem(bytes) !== null) return null;
  try {
    const read = manifestSchema.safeParse(JSON.parse(bytes.toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/**
 * Compares an export with what is here now: its files, the journals that it was computed from, and the checkpoints of the
 * models on this computer that answered, each by the digest in its manifest. A journal that only got longer begins with the same bytes. Changes nothing.
 */
export async function checkReport(
  path: string,
  deps: Pick<ReportDeps, 'journal' | 'regrade' | 'registry' | 'origins'>,
): Promise<Result<CheckedReport, Refusal>> {
  const at = await manifestPath(path);
  const manifest = at === null ? null : await readManifest(at);
  if (at === null || manifest === null) {
    return failed({
      code: 'bad-input',
      message: `${path} is no export with a manifest that can be read.`,
      hint: 'Name the exported file with its .manifest.json beside it, the manifest, or the folder of an export.',
    });
  }
  const files: CheckedReport['files'] = [];
  for (const { name, sha256 } of manifest.files) {
    const now = await digestOfFile(join(dirname(at), name));
    files.push({
      name,
      state: now === null ? 'missing' : now.sha256 === sha256 ? 'same' : 'altered',
    });
  }
  // Names of a foreign file must not become paths: only journals of listed studies are read.
  const known = new Map(
    deps.registry.read().studies.flatMap(({ study }) => study.runs.map(({ id }) => [id, study] as const)),
  );
  const regrades = new Map<string, Promise<string | undefined>>();
  const regradeDigest = ({ id, regrades: own = [] }: Study, regradeId: string) => {
    if (!own.some((one) => one.id === regradeId)) return undefined;
    const key = `${id} ${regradeId}`;
    const read = regrades.get(key) ?? digestOfFile(deps.regrade(id, regradeId)).then((now) => now?.sha256);
    regrades.set(key, read);
    return read;
  };
  const runs: CheckedReport['runs'] = [];
  for (const { runId, journal, study: exported } of manifest.runs) {
    if (journal === null) continue;
    const study = known.get(runId);
    const now = study === undefined ? null : await digestOfFile(deps.journal(study.id, runId), journal.bytes);
    const regrade = exported.regrade;
    const isRegraded =
      study !== undefined && regrade !== undefined && regrade.journal !== null
        ? (await regradeDigest(study, regrade.id)) === regrade.journal.sha256
        : true;
    if (now === null) runs.push({ runId, state: 'missing' });
    else if (now.sha256 !== journal.sha256 || !isRegraded) runs.push({ runId, state: 'altered' });
    else runs.push({ runId, state: now.whole ? 'same' : 'longer' });
  }
  const models = await checkedModels(manifest.origins, deps);
  return ok({ manifest: basename(at), files, runs, ...models });
}

/** SHA-256 of each model file on this computer, as of the starts of its server. Large files were not read then. */
function modelDigests(servers: readonly Origin[]): Map<string, Set<string>> {
  const digests = new Map<string, Set<string>>();
  for (const { machineId, provenance } of servers) {
    if (machineId !== 'local') continue;
    for (const { path, files } of provenance?.weights ?? []) {
      for (const { name, digest } of files) {
        if (path === null || digest === null) continue;
        const file = basename(path) === name ? path : join(path, name);
        digests.set(file, (digests.get(file) ?? new Set()).add(digest));
      }
    }
  }
  return digests;
}

/** Of a foreign manifest no path is read that the study's own notes do not name. */
async function checkedModels(
  origins: z.infer<typeof manifestSchema>['origins'],
  deps: Pick<ReportDeps, 'origins' | 'registry'>,
): Promise<Pick<CheckedReport, 'models' | 'unknown'>> {
  const models = new Map<string, CheckedReport['models'][number]>();
  const unknown: string[] = [];
  const listed = new Set(deps.registry.read().studies.map(({ study }) => study.id));
  for (const { studyId, servers } of origins.filter((one) => listed.has(one.studyId))) {
    const noted = modelDigests(servers);
    const read = await deps.origins.ofStudy(studyId);
    if (!read.ok && noted.size > 0) unknown.push(read.error.message);
    const own = modelDigests(read.ok ? read.value : []);
    for (const [path, digests] of noted) {
      if (!own.has(path) || models.has(path)) continue;
      const now = await digestOfFile(path);
      const state = now === null ? 'missing' : digests.has(now.sha256) ? 'same' : 'altered';
      models.set(path, { path, state });
    }
  }
  return { models: [...models.values()], unknown };
}
