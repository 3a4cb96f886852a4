import type { ComparedRuns, Refusal, RunConfig, Study } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';

/** One run of a comparison; `config.configuration` is the label that it is pooled under. */
export type ComparedRun = {
  readonly study: Study;
  readonly config: RunConfig;
  /** Its configuration in its study. */
  readonly named: string;
};

/**
 * The runs under their labels: those that were given, else their configurations, with the study's name where two of the
 * studies call theirs alike. A run that is named twice counts once. Refused where a run is not there.
 */
export function comparedRuns(
  chosen: ComparedRuns,
  studies: readonly Study[],
): Result<readonly ComparedRun[], Refusal> {
  const places = new Map(
    studies.flatMap((study) => study.runs.map((config) => [config.id, { study, config }] as const)),
  );
  const found = new Map<string, ComparedRun & { readonly label: string | undefined }>();
  for (const { runId, label } of chosen) {
    const place = places.get(runId);
    if (place === undefined) {
      return failed({
        code: 'not-found',
        message: `There is no run ${runId} to compare.`,
        hint: 'Its study may have been removed. Choose the runs again.',
      });
    }
    const named = place.config.configuration;
    if (!found.has(runId)) found.set(runId, { ...place, named, label });
  }
  const nameOf = ownNames([...found.values()].filter(({ label }) => label === undefined));
  return ok(
    [...found.values()].map(({ study, config, named, label }) => ({
      study,
      named,
      config: { ...config, configuration: label ?? nameOf(study, config) },
    })),
  );
}

function ownNames(runs: readonly ComparedRun[]): (study: Study, config: RunConfig) => string {
  const studiesOf = new Map<string, Map<string, string>>();
  for (const { study, config } of runs) {
    const own = studiesOf.get(config.configuration) ?? new Map<string, string>();
    studiesOf.set(config.configuration, own.set(study.id, study.name));
  }
  return (study, { configuration }) => {
    const own = studiesOf.get(configuration) ?? new Map<string, string>();
    if (own.size < 2) return configuration;
    const alike = [...own.values()].filter((name) => name === study.name).length > 1;
    return `${configuration} (${study.name}${alike ? `, ${study.id}` : ''})`;
  };
}

/**
 * What each label of a comparison stands for, in the order of the labels: the configuration whose colour it has. A
 * configuration under two labels lends it to the first; the other one stands for itself.
 */
export function namesBehind(runs: readonly ComparedRun[]): string[] {
  const labels = new Map<string, string>();
  for (const { config, named } of runs) {
    if (labels.has(config.configuration)) continue;
    const isTaken = [...labels.values()].includes(named);
    labels.set(config.configuration, isTaken ? config.configuration : named);
  }
  return [...labels.values()];
}
