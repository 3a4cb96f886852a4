import type { RunConfig } from '../../preload/contract/run';
import type { ComparedRuns } from '../../preload/contract/run-comparison';
import type { Study, StudyView } from '../../preload/contract/study';
import { configurationsOf } from '../state/index';
import { plural } from '../widgets/format';

/** The contract's limit on runs in one comparison. */
export const MAX_RUNS = 500;

/** A row of the run chooser; `runIds`: the runs that its checkbox selects. */
export type ChoiceRow = {
  readonly id: string;
  readonly kind: 'study' | 'configuration' | 'run';
  readonly view: StudyView;
  readonly label: string;
  readonly runIds: readonly string[];
  /** How many of them are selected. */
  readonly chosen: number;
  /** null: it has no children. */
  readonly open: boolean | null;
  /** Its colour (`configurationColor`); null for a study. */
  readonly hue: number | null;
};

/** Studies, with the configurations of open studies, and the runs of open configurations with several seeds. */
export function choiceRows(
  views: readonly StudyView[],
  chosen: ReadonlySet<string>,
  opened: ReadonlySet<string>,
): readonly ChoiceRow[] {
  const rows: ChoiceRow[] = [];
  const counted = (runs: readonly RunConfig[]) => ({
    runIds: runs.map(({ id }) => id),
    chosen: runs.filter(({ id }) => chosen.has(id)).length,
  });
  for (const view of views) {
    const { study } = view;
    const id = `study ${study.id}`;
    const open = opened.has(id);
    rows.push({ id, kind: 'study', view, label: study.name, ...counted(study.runs), open, hue: null });
    if (!open) continue;
    for (const [at, label] of configurationsOf(study).entries()) {
      const hue = view.hues[at] ?? 0;
      const runs = study.runs.filter(({ configuration }) => configuration === label);
      const below = `configuration ${study.id} ${label}`;
      const isOpen = runs.length > 1 ? opened.has(below) : null;
      rows.push({ id: below, kind: 'configuration', view, label, ...counted(runs), open: isOpen, hue });
      if (isOpen !== true) continue;
      for (const run of runs) {
        rows.push({
          id: `run ${run.id}`,
          kind: 'run',
          view,
          label: `Seed ${run.seed}`,
          ...counted([run]),
          open: null,
          hue,
        });
      }
    }
  }
  return rows;
}

/** Adds these runs to the selection, or removes them if all are selected. */
export function toggled(choice: ComparedRuns, runIds: readonly string[]): ComparedRuns {
  const chosen = new Set(choice.map(({ runId }) => runId));
  const missing = runIds.filter((id) => !chosen.has(id));
  if (missing.length > 0) return [...choice, ...missing.map((runId) => ({ runId }))];
  const leaving = new Set(runIds);
  return choice.filter(({ runId }) => !leaving.has(runId));
}

/**
 * The selection with every run labelled by its configuration, so that configurations of the same name in several studies
 * form one row over all their seeds.
 */
export function pooled(choice: ComparedRuns, views: readonly StudyView[]): ComparedRuns {
  const names = configurationNames(views);
  return choice.map(({ runId }) => {
    const label = names.get(runId);
    return label === undefined ? { runId } : { runId, label };
  });
}

/** Whether a selection is pooled. */
export function isPooled(choice: ComparedRuns, views: readonly StudyView[]): boolean {
  const names = configurationNames(views);
  return (
    choice.length > 0 && choice.every(({ runId, label }) => label !== undefined && label === names.get(runId))
  );
}

function configurationNames(views: readonly StudyView[]): ReadonlyMap<string, string> {
  return new Map(
    views.flatMap(({ study }) => study.runs.map(({ id, configuration }) => [id, configuration] as const)),
  );
}

/** "N = 12, 24": the nodes of the trees, the fewest first. */
export function nodesText(runs: readonly RunConfig[]): string {
  const sizes = new Set(runs.map(({ search }) => search.nodes));
  return `N = ${[...sizes].sort((one, other) => one - other).join(', ')}`;
}

/** "pocket-test-1", "60 problems", "N = 24", "3 configurations", "2 seeds". */
export function studyFacts(study: Study): readonly string[] {
  const [run] = study.runs;
  const configurations = configurationsOf(study).length;
  const seeds = new Set(study.runs.map(({ seed }) => seed)).size;
  return [
    run?.benchmarkId ?? '',
    plural(run?.problemIds.length ?? 0, 'problem'),
    nodesText(study.runs),
    plural(configurations, 'configuration'),
    ...(seeds > 1 ? [`${seeds} seeds`] : []),
  ];
}
