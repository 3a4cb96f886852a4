import type { Refusal } from '../../preload/contract/index';
import { damageRefusal } from '../storage/index';
import type { ReportDeps } from './deps';
import { listedStudies } from './listed-studies';
import type { SourceContent } from './report-source';

/**
 * Why nothing may leave the workbench that is computed from these runs: a journal is damaged or has lost its end, so that
 * numbers would silently be over fewer problems. null: all are whole.
 */
export async function journalsDamage(runIds: readonly string[], deps: ReportDeps): Promise<Refusal | null> {
  const requestedIds = new Set(runIds);
  for (const { id, runs } of listedStudies(deps)) {
    if (!runs.some((run) => requestedIds.has(run.id))) continue;
    const outcomes = await deps.outcomes(id);
    if (!outcomes.ok) return outcomes.error;
    const damaged = outcomes.value.runs.find(
      ({ runId, problem }) => requestedIds.has(runId) && problem !== null,
    );
    if (damaged?.problem) {
      const { message, hint } = damaged.problem;
      return {
        code: 'conflict',
        message: `Nothing is exported: ${message}`,
        ...(hint === undefined ? {} : { hint }),
      };
    }
  }
  return null;
}

/** The same of what the steps of a plan measured, each of which has a file of its own. */
export async function planDamage(
  { reproduction, experiment }: Pick<SourceContent, 'reproduction' | 'experiment'>,
  deps: ReportDeps,
): Promise<Refusal | null> {
  if (experiment !== undefined) return damageRefusal(await deps.experiments.outcomeFiles(experiment.id));
  return reproduction === null ? null : damageRefusal(await deps.reproductions.outcomeFiles(reproduction.id));
}
