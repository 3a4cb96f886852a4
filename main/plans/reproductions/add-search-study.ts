import type { PlanStep } from '../../../preload/contract/index';
import { counted, orThrow } from '../../base/index';
import { studyIdOf } from '../../studies/index';
import type { Reproduction } from '../logic/reproductions/record';
import type { BatchServers } from './batch-servers';
import { studyOfBatch } from './batch-study';
import { idsOf } from './collect-searches';
import type { ReproductionDeps } from './deps';
import type { ReproductionStore } from './reproduction-store';

export type AddStudyDeps = Pick<ReproductionDeps, 'studies' | 'library' | 'clock'> & {
  readonly store: ReproductionStore;
  readonly servers: BatchServers;
};

/** Adds a study of these searches, which are noted as its own before. */
export async function addSearchStudy(
  deps: AddStudyDeps,
  reproduction: Reproduction,
  steps: readonly PlanStep[],
): Promise<string | null> {
  const { studies, store, servers, clock } = deps;
  const { id } = reproduction.record;
  const createdAt = new Date(clock.now()).toISOString();
  const batches = new Set(
    reproduction.plan.steps.flatMap((step) =>
      step.kind === 'search' && step.reuse === null ? [step.wave] : [],
    ),
  ).size;
  const studyId = freeStudyId(studies, `${studyIdOf(createdAt, id)}-w${(steps[0]?.wave ?? 0) + 1}`);
  const study = await studyOfBatch(
    reproduction,
    steps,
    { studyId, createdAt, batches },
    { library: deps.library, specOf: servers.specOf },
  );
  if (!study.ok) {
    await store.fail(id, idsOf(steps), study.error);
    return null;
  }
  const runIds = new Map(steps.map((step, at) => [step.id, study.value.runs[at]?.id ?? null]));
  await store.note(id, [...runIds.keys()], (_, stepId) => ({
    state: { kind: 'begun' },
    studyId,
    runId: runIds.get(stepId) ?? null,
    startedAt: createdAt,
  }));
  orThrow(await studies.add(study.value));
  const text = `Started batch ${(steps[0]?.wave ?? 0) + 1}: ${counted(steps.length, 'search', 'searches')} in the study "${study.value.name}".`;
  await store.decide(id, null, text);
  return studyId;
}

function freeStudyId(studies: AddStudyDeps['studies'], preferred: string): string {
  let free = preferred;
  for (let n = 2; studies.results.study(free).ok; n++) free = `${preferred}-${n}`;
  return free;
}
