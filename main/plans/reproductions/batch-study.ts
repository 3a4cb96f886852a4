import type {
  Exhibit,
  PlanStep,
  Refusal,
  RunConfig,
  ServerSpec,
  Study,
} from '../../../preload/contract/index';
import { arePapersProblems } from '../../../preload/contract/plans/index';
import { failed, ok, type Result } from '../../base/index';
import type { Reproduction } from '../logic/reproductions/record';
import { searchTeam } from '../logic/reproductions/team';
import type { PlannedProblems, SearchWork } from '../logic/reproductions/work';
import type { BatchServers } from './batch-servers';
import type { ReproductionDeps } from './deps';

/** Makes the study of these searches, whose servers are up. */
export async function studyOfBatch(
  reproduction: Reproduction,
  searches: readonly PlanStep[],
  target: { readonly studyId: string; readonly createdAt: string; readonly batches: number },
  deps: Pick<ReproductionDeps, 'library'> & Pick<BatchServers, 'specOf'>,
): Promise<Result<Study, Refusal>> {
  const runs: RunConfig[] = [];
  for (const step of searches) {
    const work = reproduction.work.get(step.id);
    if (work?.kind !== 'search') continue;
    const run = await runOf(reproduction, work, `${target.studyId}.${runs.length}.${work.seed}`, deps);
    if (!run.ok) return run;
    runs.push(run.value);
  }
  const { exhibit, order: request } = reproduction.record;
  const batch = searches[0]?.wave ?? 0;
  const part = target.batches > 1 ? `, batch ${batch + 1} of ${target.batches}` : '';
  return ok({
    id: target.studyId,
    name: `${exhibit.place}, ${exhibit.paper.title}: ${exhibit.title}${part}`.slice(0, 200),
    createdAt: target.createdAt,
    scale: runs.find(({ scale }) => scale !== request.scale)?.scale ?? request.scale,
    runs,
  });
}

async function runOf(
  reproduction: Reproduction,
  work: SearchWork,
  id: string,
  deps: Pick<ReproductionDeps, 'library'> & Pick<BatchServers, 'specOf'>,
): Promise<Result<RunConfig, Refusal>> {
  const specs = new Map<string, ServerSpec>();
  for (const server of work.servers) {
    const spec = await deps.specOf(reproduction, server);
    if (!spec.ok) return spec;
    specs.set(server.id, spec.value);
  }
  const problems = await problemsOf(work.problems, reproduction.record.exhibit, deps.library);
  if (!problems.ok) return problems;
  const { search, seed, configuration } = work;
  return ok({ id, configuration, team: searchTeam(work, specs), ...problems.value, search, seed });
}

/** At paper scale, a run of other problems than the paper's is of the scale `own`. */
async function problemsOf(
  problems: PlannedProblems,
  { scales }: Exhibit,
  library: ReproductionDeps['library'],
): Promise<Result<Pick<RunConfig, 'benchmarkId' | 'benchmarkDigest' | 'problemIds' | 'scale'>, Refusal>> {
  if (problems.kind === 'pocket') {
    const { split, seed, count, first } = problems;
    const benchmark = await library.ensurePocket({ split, seed, count });
    if (!benchmark.ok) return benchmark;
    const { id, digest } = benchmark.value;
    const outline = await library.outline(id);
    if (!outline.ok) return outline;
    const problemIds = outline.value.slice(0, first).map((problem) => problem.id);
    return ok({ benchmarkId: id, benchmarkDigest: digest, problemIds, scale: 'pocket' });
  }
  const benchmark = await library.find(problems.benchmarkId);
  if (!benchmark.ok) return benchmark;
  const { id, digest } = benchmark.value;
  if (problems.problemIds.length === 0) {
    return failed({ code: 'bad-input', message: `No problem of ${benchmark.value.name} is chosen.` });
  }
  const outline = await library.outline(id);
  if (!outline.ok) return outline;
  const problemIds = [...problems.problemIds];
  const papers = scales.paper === null ? [] : [scales.paper.benchmark];
  const known = { benchmark: benchmark.value, problems: outline.value };
  const scale = arePapersProblems(papers, known, problemIds) ? 'paper' : 'own';
  return ok({ benchmarkId: id, benchmarkDigest: digest, problemIds, scale });
}
