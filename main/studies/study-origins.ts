import { join } from 'node:path';
import { z } from 'zod';
import {
  type Origin,
  originSchema,
  type Provenance,
  type Refusal,
  type ServerSpec,
} from '../../preload/contract/index';
import { failed, hideSecrets, ok, type Result } from '../base/index';
import type { ServerService } from '../servers/index';
import { moveAside, movedAside, readSealed, sealed, writeJson } from '../storage/index';
import type { StudyFiles } from './study-files';

/** In a study's folder: which servers it has asked, and what made each of their starts. */
const FILE = 'origins.json';
/** A study that is resumed more often keeps its first and its newest starts. */
const MOST = 500;

const fileSchema = z.object({ version: z.literal(1), origins: z.array(originSchema).max(MOST) });

/**
 * Empty for a study of an older workbench, or one that has asked no server. Refused where the record is damaged, or was and
 * lies beside.
 */
export async function readOrigins(
  files: Pick<StudyFiles, 'folder'>,
  studyId: string,
): Promise<Result<Origin[], Refusal>> {
  const path = join(files.folder(studyId), FILE);
  const file = await readSealed(path, fileSchema);
  if (file.kind === 'damaged' || file.kind === 'unreadable') {
    return failed({
      code: 'unavailable',
      message: `${path} is ${file.kind} (${file.why}): which servers this study asked is not known.`,
      hint: 'Put a copy of it back. Or remove it: servers that the study asks from then on are recorded.',
    });
  }
  const [aside] = await movedAside(path);
  if (aside !== undefined) {
    return failed({
      code: 'unavailable',
      message: `${aside} is damaged: which servers this study asked before is not known.`,
      hint: 'Remove it to see those that were recorded since.',
    });
  }
  return ok(file.kind === 'read' ? file.value.origins : []);
}

export type OriginDeps = {
  readonly files: Pick<StudyFiles, 'folder'>;
  readonly servers: Pick<ServerService, 'views'>;
  readonly provenanceOf: (jobId: string) => Promise<Result<Provenance | null, Refusal>>;
  readonly appVersion: string;
  readonly now: () => number;
};

/** A server that a study asks: its specification, and the id by which it is listed. */
type UsedServer = { readonly spec: ServerSpec; readonly id: string };

/** Adds these servers as they run now. Those already listed are completed, not listed again. A damaged file is moved aside. */
export async function recordOrigins(
  studyId: string,
  used: readonly UsedServer[],
  deps: OriginDeps,
): Promise<void> {
  const path = join(deps.files.folder(studyId), FILE);
  const file = await readSealed(path, fileSchema);
  if (file.kind === 'unreadable') throw new Error(`${path} cannot be read: ${file.why}`);
  if (file.kind === 'damaged') await moveAside(path);
  const before = file.kind === 'read' ? file.value.origins : [];
  const recorded = new Map(before.map((origin) => [keyOf(origin), origin]));
  for (const origin of await originsOf(used, deps)) {
    const unfinished = recorded.get(keyOf({ ...origin, provenance: null }));
    if (origin.provenance !== null && unfinished !== undefined) recorded.delete(keyOf(unfinished));
    const key = keyOf(origin);
    if (!recorded.has(key)) recorded.set(key, { ...origin, at: unfinished?.at ?? origin.at });
  }
  const all = [...recorded.values()];
  if (JSON.stringify(all) === JSON.stringify(before)) return;
  const listed = all.length <= MOST ? all : [...all.slice(0, MOST / 2), ...all.slice(-MOST / 2)];
  await writeJson(path, sealed({ version: 1, origins: listed }));
}

function keyOf({ name, address, jobId, workbench, provenance }: Origin): string {
  return JSON.stringify([name, address, jobId, workbench, provenance?.attempt ?? null]);
}

async function originsOf(used: readonly UsedServer[], deps: OriginDeps): Promise<readonly Origin[]> {
  const when = { at: new Date(deps.now()).toISOString(), workbench: deps.appVersion };
  const outside = used.flatMap(({ spec }): readonly Origin[] => {
    if (spec.kind !== 'url') return [];
    const address = hideSecrets(spec.baseUrl).slice(0, 1_000);
    return [{ ...when, name: spec.model, address, machineId: null, jobId: null, provenance: null }];
  });
  // A launch with replicas is one server to the study, and one job each.
  const views = deps.servers
    .views()
    .filter(({ id, launchId }) =>
      used.some(
        (server) => server.id === id || (server.spec.kind === 'launch' && server.spec.launchId === launchId),
      ),
    );
  const own = views.map(async ({ model, machineId, jobId }): Promise<readonly Origin[]> => {
    if (jobId === null) return [];
    const provenance = await deps.provenanceOf(jobId);
    const record = provenance.ok ? provenance.value : null;
    return [{ ...when, name: model, address: null, machineId, jobId, provenance: record }];
  });
  return [...outside, ...(await Promise.all(own)).flat()];
}
