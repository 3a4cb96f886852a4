import { useHotkeys } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { Exhibit, ExhibitEntry, ExhibitResult } from '../../preload/contract/exhibit';
import {
  cellKey,
  exhibitAtScale,
  exhibitOfReproduction,
  fillAtHand,
} from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import {
  mapLoadable,
  pathOf,
  readyValue,
  useExhibit,
  useExhibitResult,
  useReproductionPlan,
  useReproductions,
  useWorkbench,
} from '../state/index';
import { exhibitName } from '../text/exhibits';
import {
  ConclusionList,
  count,
  DetailScreen,
  EmptyState,
  FailedState,
  plural,
  Screen,
  Section,
  SidebarLayout,
} from '../widgets/index';
import { AboutExhibit } from './about-exhibit';
import { CellDetail } from './cell-detail';
import { EnteredDialog } from './entered-dialog';
import styles from './exhibit.module.css';
import { ExhibitActions } from './exhibit-actions';
import { ExhibitDrawer } from './exhibit-drawer';
import { ExhibitFigure } from './exhibit-figure';
import { ExhibitAside, ExhibitHead } from './exhibit-head';
import type { ExhibitPageRoute } from './exhibit-props';
import { CommonReasons, ExhibitTable } from './exhibit-table';
import { canBeMeasured, comparedRunsOf, notComparedOf } from './exhibit-views';
import { AtHandRows } from './fill-dialog';
import { checkDraft, draftFor } from './reproduction-draft';
import { useReproductionDraft } from './reproduction-fields';
import { commonReasons, tableLayout } from './table-layout';

/** A paper's exhibit with the values measured so far; one button reproduces the rest. */
export function ExhibitScreen({ route }: { readonly route: ExhibitPageRoute }) {
  const entry = useExhibit(route.exhibitId);
  const { exhibits } = useWorkbench();
  return (
    <DetailScreen
      noun="exhibit"
      loadable={entry}
      reload={() => exhibits.list.refreshAll()}
      list={{ label: 'All exhibits', href: '#/exhibits' }}
      missingHint={`There is no exhibit ${route.exhibitId}. Its file may have been removed.`}
    >
      {(openEntry) => (
        <OpenExhibit key={`${route.exhibitId} ${route.scale}`} entry={openEntry} route={route} />
      )}
    </DetailScreen>
  );
}

/** Shows a reproduction in its exhibit. */
export function ReproductionScreen({ reproductionId }: { readonly reproductionId: string }) {
  const list = useReproductions();
  const { reproductions } = useWorkbench();
  return (
    <DetailScreen
      noun="reproduction"
      loadable={mapLoadable(list, (all) => all.find(({ id }) => id === reproductionId) ?? null)}
      reload={() => void reproductions.load()}
      list={{ label: 'All exhibits', href: '#/exhibits' }}
      missingHint="It may have been removed. Its studies and trainings are kept."
    >
      {({ order, scale }) => (
        <ExhibitScreen route={{ kind: 'exhibit', exhibitId: order.exhibitId, scale, reproductionId }} />
      )}
    </DetailScreen>
  );
}

function OpenExhibit({ entry, route }: { readonly entry: ExhibitEntry; readonly route: ExhibitPageRoute }) {
  const { scale } = route;
  const { location, exhibits } = useWorkbench();
  const { all, reproduction, exhibit } = useShownExhibit(entry.exhibit, route);
  const loaded = useExhibitResult({
    exhibitId: exhibit.id,
    scale,
    reproductionId: reproduction?.id ?? null,
  });
  const result = readyValue(loaded);
  const { draft, setDraft, onWhole, onOneSeed } = useReproductionDraft(exhibit, scale, reproduction?.order);
  const { request, errors } = checkDraft(draftFor(exhibit, draft), exhibit, scale);
  const hasScale = exhibit.scales[scale] !== null;
  const atHand = useMemo(() => fillAtHand(exhibit), [exhibit]);
  const isReproducible = canBeMeasured(exhibit);
  // The cost is shown next to the button before it is pressed.
  const needsPlan =
    hasScale &&
    isReproducible &&
    (reproduction === null || reproduction.state.kind === 'done' || route.panel === 'plan');
  const plan = useReproductionPlan(needsPlan ? request : null);
  const [requestedCell, setChosen] = useState<string | null>(route.cell ?? null);
  const isKnown =
    exhibit.cells.some((cell) => cellKey(cell) === requestedCell) ||
    exhibit.series.some(({ id }) => id === requestedCell);
  const chosen = isKnown ? requestedCell : null;
  // What really answers at this scale, not the paper's models.
  const shown = useMemo(() => exhibitAtScale(exhibit, scale), [exhibit, scale]);
  const layout = useMemo(() => tableLayout(exhibit, scale, result), [exhibit, scale, result]);
  const common = useMemo(() => commonReasons(result), [result]);
  const show = (part: Partial<ExhibitPageRoute>): void =>
    location.go({ ...route, kind: 'exhibit', exhibitId: exhibit.id, ...part }, { replace: true });
  const runs = reproduction === null ? [] : comparedRunsOf(shown, reproduction);
  const leftOut = reproduction === null ? [] : notComparedOf(shown, reproduction);
  const choose = (key: string | null): void => {
    setChosen(key);
    const { cell: _, ...rest } = route;
    location.go(key === null ? rest : { ...rest, cell: key }, { replace: true });
  };
  const [entering, setEntering] = useState<{ readonly chosen: string | null } | null>(null);
  const onEnter = (cell: string | null): void => setEntering({ chosen: cell });
  const closeDrawer = (): void => {
    const { panel: _, ...rest } = route;
    location.go(rest, { replace: true });
  };
  const parts = { entry, route, all, reproduction, plan, request, onWhole, onOneSeed, onShow: show, onEnter };
  useExhibitKeys(reproduction, show);
  return (
    <Screen
      fill
      title={<span className={styles.name}>{exhibitName(exhibit)}</span>}
      aside={<ExhibitAside {...parts} />}
      actions={<ExhibitActions {...parts} />}
      below={<ExhibitHead {...parts} />}
    >
      <SidebarLayout
        label="Details"
        sidebar={
          chosen === null ? (
            <AboutExhibit exhibit={exhibit} scale={scale} />
          ) : (
            <CellDetail
              exhibit={exhibit}
              scale={scale}
              result={result}
              reproduction={reproduction}
              chosen={chosen}
              onClose={() => choose(null)}
              onEnter={() => onEnter(chosen)}
            />
          )
        }
      >
        <div className={styles.body}>
          {atHand !== null && <AtHandRows fill={atHand} />}
          {!hasScale && isReproducible && (
            <EmptyState
              title={`This exhibit has no ${scale} scale`}
              action={<a href="#/exhibits">All exhibits</a>}
            >
              Its file has no settings for this scale. The paper's values are below.
            </EmptyState>
          )}
          {loaded.kind === 'failed' && (
            <FailedState
              title="The table could not be filled"
              message={loaded.error.message}
              hint={loaded.error.hint}
              action={{ label: 'Try again', run: () => exhibits.results.refreshAll() }}
            />
          )}
          <CommonReasons reasons={common} />
          {exhibit.cells.length > 0 && isReproducible && (
            <ExhibitTable
              label={exhibit.title}
              layout={layout}
              common={common}
              chosen={chosen}
              onChoose={choose}
            />
          )}
          {isReproducible && (
            <ExhibitFigure exhibit={shown} result={result} chosen={chosen} onChoose={choose} />
          )}
          {isReproducible && result !== null && (
            <>
              <Conclusions result={result} runs={runs} leftOut={leftOut} />
              {result.method !== '' && <p className={styles.method}>{result.method}</p>}
            </>
          )}
        </div>
      </SidebarLayout>
      {entering !== null && (
        <EnteredDialog entry={entry} chosen={entering.chosen} onClose={() => setEntering(null)} />
      )}
      <ExhibitDrawer {...parts} draft={draft} errors={errors} onDraft={setDraft} onClose={closeDrawer} />
    </Screen>
  );
}

/** The reproductions of an exhibit at this scale, the one that is shown, and the exhibit with the values it is shown with. */
function useShownExhibit(own: Exhibit, { scale, reproductionId }: ExhibitPageRoute) {
  const all = (readyValue(useReproductions()) ?? []).filter(
    (view) => view.order.exhibitId === own.id && view.scale === scale,
  );
  const reproduction = all.find(({ id }) => id === reproductionId) ?? all[0] ?? null;
  const exhibit = useMemo(() => exhibitOfReproduction(own, reproduction), [own, reproduction]);
  return { all, reproduction, exhibit };
}

function useExhibitKeys(
  reproduction: ReproductionView | null,
  show: (part: Partial<ExhibitPageRoute>) => void,
): void {
  const { reproductions } = useWorkbench();
  useHotkeys([
    [
      'p',
      () => {
        if (reproduction === null || reproduction.readOnly) return;
        if (reproduction.state.kind === 'running') void reproductions.pause(reproduction.id);
        else if (reproduction.state.kind !== 'done') void reproductions.resume(reproduction.id);
      },
    ],
    ['s', () => show({ panel: reproduction === null ? 'plan' : 'steps' })],
  ]);
}

/** Why the comparison has fewer rows than the table. */
function leftOutText(names: readonly string[]): string {
  const [only] = names;
  return names.length === 1
    ? `without "${only}", which is cut to the tokens of another row`
    : `without ${count(names.length)} rows, which are cut to the tokens of others`;
}

function Conclusions(props: {
  readonly result: ExhibitResult;
  readonly runs: ReturnType<typeof comparedRunsOf>;
  /** Rows whose runs are not among them. */
  readonly leftOut: readonly string[];
}) {
  const { result, runs, leftOut } = props;
  if (result.sentences.length === 0) return null;
  return (
    <Section
      title="What can be said"
      aside={
        runs.length > 1 && (
          <>
            <a href={`#${pathOf({ kind: 'compare', studyId: null, runs })}`}>
              Compare these {plural(runs.length, 'run')}
            </a>
            {leftOut.length > 0 && <span className={styles.soft}>{leftOutText(leftOut)}</span>}
          </>
        )
      }
    >
      <ConclusionList label="What can be said" sentences={result.sentences} chips={result.chips} />
    </Section>
  );
}
