import type { ComparedRuns, ReproductionView } from '../../preload/contract/index';
import { exhibitAtScale } from '../../preload/contract/plans/index';
import type { ReportDeps } from './deps';

/** The runs that a source's values are from. */
export type SourceRuns = {
  readonly runs: ComparedRuns;
  /** Runs of which the exhibit counts a part of the programs, so that no comparison has them; left out: none. */
  readonly cutOff?: ComparedRuns;
};

/** All runs that a source's values are from. */
export function allRuns({ runs, cutOff = [] }: SourceRuns): ComparedRuns {
  return [...runs, ...cutOff];
}

/** The runs behind a reproduction's cells, under the labels of its exhibit's configurations. */
export function runsOfReproduction(view: ReproductionView, deps: ReportDeps): SourceRuns {
  const exhibit = deps.reproductions.exhibitOf(view.id);
  const shown = exhibit === null ? null : exhibitAtScale(exhibit, view.order.scale);
  const labels = new Map(shown?.configurations.map(({ id, label }) => [id, label]));
  // A comparison counts all programs, so it would show other values of rows that have another row's tokens.
  const cutOffIds = new Set(
    shown?.configurations.flatMap(({ id, tokensOf }) => (tokensOf === undefined ? [] : id)),
  );
  const listedIds = new Set(
    deps.registry
      .read()
      .studies.flatMap(({ study, removed }) => (removed ? [] : study.runs.map(({ id }) => id))),
  );
  const runs = view.steps.flatMap((step) => {
    const [configuration] = step.configurations;
    if (step.kind !== 'search' || step.runId === null || !listedIds.has(step.runId)) return [];
    const label = configuration === undefined ? undefined : labels.get(configuration);
    const run = { runId: step.runId, ...(label === undefined ? {} : { label }) };
    return [{ run, isCutOff: cutOffIds.has(configuration ?? '') }];
  });
  const ofKind = (kind: boolean) =>
    new Map(runs.flatMap(({ run, isCutOff }) => (isCutOff === kind ? [[run.runId, run]] : [])));
  const compared = ofKind(false);
  const cutOff = [...ofKind(true).values()].filter(({ runId }) => !compared.has(runId));
  return { runs: [...compared.values()], ...(cutOff.length === 0 ? {} : { cutOff }) };
}

/** Which rows of an exhibit its comparison leaves out. */
export function leftOutNotes({ cutOff = [] }: SourceRuns): readonly string[] {
  const names = [...new Set(cutOff.flatMap(({ label }) => label ?? []))].map((name) => `"${name}"`);
  return names.length === 0
    ? []
    : [
        `Not here: ${names.join(' and ')}. The table "exhibit" cuts each of its problems where another row's tokens end, so a whole run of it would be another measurement.`,
      ];
}
