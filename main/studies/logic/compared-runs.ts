import type { ComparedRuns, Refusal, RunConfig, Study } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';

/** One run of a comparison; `config.configuration` is the label that it is pooled under. */
export type ComparedRun = {
  readonly study: Study;
  readonly config: RunConfig;
  /** Its configuration's name in its study. */
  readonly originalName: string;
};

/**
 * The runs under their labels: the requested ones, else the names of their configurations, with the study's name where two
 * studies use the same name. A run that is listed twice counts once. Refused where a run does not exist.
 */
export function comparedRuns(
  chosen: ComparedRuns,
  studies: readonly Study[],
): Result<readonly ComparedRun[], Refusal> {
  const known = new Map(
    studies.flatMap((study) => study.runs.map((config) => [config.id, { study, config }] as const)),
  );
  const chosenRuns = new Map<string, ComparedRun & { readonly label: string | undefined }>();
  for (const { runId, label } of chosen) {
    const run = known.get(runId);
    if (run === undefined) {
      return failed({
        code: 'not-found',
        message: `There is no run ${runId} to compare.`,
        hint: 'Its study may have been removed. Choose the runs again.',
      });
    }
    const originalName = run.config.configuration;
    if (!chosenRuns.has(runId)) chosenRuns.set(runId, { ...run, originalName, label });
  }
  const nameOf = defaultNames([...chosenRuns.values()].filter(({ label }) => label === undefined));
  return ok(
    [...chosenRuns.values()].map(({ study, config, originalName, label }) => ({
      study,
      originalName,
      config: { ...config, configuration: label ?? nameOf(study, config) },
    })),
  );
}

function defaultNames(runs: readonly ComparedRun[]): (study: Study, config: RunConfig) => string {
  const studiesOf = new Map<string, Map<string, string>>();
  for (const { study, config } of runs) {
    const own = studiesOf.get(config.configuration) ?? new Map<string, string>();
    studiesOf.set(config.configuration, own.set(study.id, study.name));
  }
  return (study, { configuration }) => {
    const own = studiesOf.get(configuration) ?? new Map<string, string>();
    if (own.size < 2) return configuration;
    const isAmbiguous = [...own.values()].filter((name) => name === study.name).length > 1;
    return `${configuration} (${study.name}${isAmbiguous ? `, ${study.id}` : ''})`;
  };
}

/**
 * For each label of a comparison, in their order, the configuration whose colour it has. Of two labels for one
 * configuration the first has its colour, the second one of its own.
 */
export function namesBehind(runs: readonly ComparedRun[]): string[] {
  const labels = new Map<string, string>();
  for (const { config, originalName } of runs) {
    if (labels.has(config.configuration)) continue;
    const isTaken = [...labels.values()].includes(originalName);
    labels.set(config.configuration, isTaken ? config.configuration : originalName);
  }
  return [...labels.values()];
}
