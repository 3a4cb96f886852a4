import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type {
  Exhibit,
  ExhibitConfiguration,
  ExhibitResult,
  FilledCell,
  FilledSeries,
} from '../../preload/contract/exhibit';
import {
  agentNames,
  cellKey,
  cellsOfPaper,
  hasWidth,
  isEntered,
  measuresRate,
  replacedModels,
  standInTextInFull,
  TRAINING_METHODS,
} from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { type ExhibitScale, pathOf, readyValue, runRoute, useStudies, useTrainings } from '../state/index';
import { cellStateSentence } from '../text/exhibits';
import { Fact, Facts, plural } from '../widgets/index';
import {
  amountParts,
  differenceText,
  intervalText,
  measureText,
  rangeText,
  referenceText,
  valueText,
} from './cell-text';
import styles from './exhibit.module.css';
import { RetryStep } from './step-list';
import { rowName } from './table-layout';

type Parts = {
  readonly exhibit: Exhibit;
  readonly scale: ExhibitScale;
  readonly result: ExhibitResult | null;
  readonly reproduction: ReproductionView | null;
  readonly onClose: () => void;
  /** Opens the form for the paper's value. */
  readonly onEnter: () => void;
};

/** One cell or line in full: our value, the paper's with its sources, why they are not comparable, and the runs behind it. */
export function CellDetail(props: Parts & { readonly chosen: string }) {
  const { exhibit, scale, result, chosen } = props;
  const inFull = (text: string): string => standInTextInFull(exhibit, scale, text);
  const cell = exhibit.cells.find((cell) => cellKey(cell) === chosen);
  const series = exhibit.series.find(({ id }) => id === chosen);
  if (cell !== undefined) {
    const filled = result?.cells.find((candidate) => cellKey(candidate) === chosen) ?? null;
    const rate = measuresRate(cell.measure);
    const unit = rate ? ' %' : '';
    const ours = filled?.ours ?? null;
    const [reference] = cell.reference;
    const row = exhibit.rows.find(({ id }) => id === cell.row);
    const column = exhibit.columns.find(({ id }) => id === cell.column);
    return (
      <Frame
        {...props}
        title={`${row === undefined ? cell.row : inFull(rowName(row))}, ${column?.label ?? cell.column}`}
      >
        <Facts label="The value">
          <Fact name="Ours">
            {ours === null ? (
              'not measured yet'
            ) : (
              <>
                <b>
                  {valueText(ours.value, rate)}
                  {unit}
                </b>
                {hasWidth(ours) && `${intervalText(ours, rate, ', 95 % interval ')}${unit}`}
              </>
            )}
          </Fact>
          {ours !== null && (
            <Fact name="Measured on">
              {plural(ours.problems, 'problem')}, {plural(ours.seeds, 'seed')}
            </Fact>
          )}
          {ours?.seedSpread !== undefined && (
            <Fact name="Over seeds">
              standard deviation {valueText(ours.seedSpread.sd, rate)}, from{' '}
              {rangeText(ours.seedSpread.min, ours.seedSpread.max, rate)}
            </Fact>
          )}
          {filled?.difference != null && filled.notComparable.length === 0 && reference !== undefined && (
            <Fact name="Difference">
              {differenceText(filled.difference, reference.unit)}
              {reference.unit === 'number' ? '' : ' points'}
            </Fact>
          )}
          <Fact name="Measure">{measureText(cell.measure)}</Fact>
          <ConfigurationFacts exhibit={exhibit} scale={scale} configurationId={cell.configuration} />
        </Facts>
        <h3>The paper</h3>
        {cell.reference.length === 0 ? (
          <p className={styles.soft}>
            {cellsOfPaper(exhibit).includes(cell)
              ? 'Our sources have no value of the paper.'
              : 'Not in the paper: an addition of ours.'}
          </p>
        ) : (
          <ul className={styles.sources}>
            {cell.reference.map((entry) => (
              <li key={`${entry.value} ${entry.source}`}>
                <b>
                  {referenceText(entry)}
                  {entry.unit === 'number' ? '' : ` ${entry.unit}`}
                </b>
                <span data-selectable>{entry.source}</span>
              </li>
            ))}
          </ul>
        )}
        {cellsOfPaper(exhibit).includes(cell) && (
          <EnterButton {...props} has={cell.reference.some(isEntered)} />
        )}
        <State {...props} of={filled} />
        {filled !== null && amountParts(filled.cost).length > 0 && (
          <p className={styles.soft}>Share of the cost: {amountParts(filled.cost).join(', ')}</p>
        )}
      </Frame>
    );
  }
  if (series === undefined) return null;
  const filled = result?.series.find(({ id }) => id === chosen) ?? null;
  return (
    <Frame {...props} title={inFull(series.label)}>
      <Facts label="The line">
        <Fact name="Points">{filled?.points.length ?? 0}</Fact>
        <ConfigurationFacts exhibit={exhibit} scale={scale} configurationId={series.configuration} />
      </Facts>
      <h3>The paper</h3>
      <p className={styles.soft}>
        {series.reference.length === 0
          ? series.ours === true
            ? 'Not in the paper: an addition of ours.'
            : 'Our sources have no points of the paper for this line.'
          : [...new Set(series.reference.map(({ source }) => source))].join('; ')}
      </p>
      {(series.ours !== true || series.reference.length > 0) && (
        <EnterButton {...props} has={series.reference.some(isEntered)} />
      )}
      <State {...props} of={filled} />
    </Frame>
  );
}

function EnterButton({ has, onEnter }: Pick<Parts, 'onEnter'> & { readonly has: boolean }) {
  return (
    <Button size="compact-xs" variant="subtle" onClick={onEnter}>
      {has ? 'Edit what your lab entered' : 'Enter from the paper…'}
    </Button>
  );
}

function Frame(props: Parts & { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.detail} aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        <ActionIcon aria-label="Close the details" onClick={props.onClose}>
          <IconX size={14} />
        </ActionIcon>
      </header>
      {props.children}
    </section>
  );
}

function ConfigurationFacts(props: {
  readonly exhibit: Exhibit;
  readonly scale: ExhibitScale;
  readonly configurationId: string;
}) {
  const { exhibit, scale, configurationId } = props;
  const configuration = exhibit.configurations.find(({ id }) => id === configurationId);
  if (configuration === undefined) return null;
  const replaced = replacedModels(
    scale,
    exhibit.models.filter(({ id }) => configuration.models.includes(id)),
  );
  return (
    <>
      <Fact name="Agents">{teamText(exhibit, scale, configuration)}</Fact>
      {replaced !== '' && <Fact name="In the place of">{replaced}</Fact>}
      <Fact name="Training">
        {TRAINING_METHODS.find(({ id }) => id === configuration.method)?.name ?? configuration.method}
      </Fact>
    </>
  );
}

/** "Qwen3-8B + AReaL-8B", "Qwen3-8B in 2 roles"; at pocket scale "reader + tracer", "reader in 2 roles". */
function teamText(exhibit: Exhibit, scale: ExhibitScale, { models, roles }: ExhibitConfiguration): string {
  const searched = models.flatMap((id) => exhibit.models.find((model) => model.id === id) ?? []);
  const names = agentNames(exhibit, scale, searched);
  return roles > 1 ? `${names} in ${roles} roles` : models.length === 1 ? `${names} alone` : names;
}

function State(props: Parts & { readonly of: FilledCell | FilledSeries | null }) {
  const { of, exhibit, reproduction } = props;
  const failed =
    reproduction?.steps.filter(
      ({ state, configurations }) =>
        state.kind === 'failed' && configurations.includes(configurationOf(exhibit, of)),
    ) ?? [];
  return (
    <>
      <h3>State</h3>
      <p data-selectable>{cellStateSentence(of?.state ?? { kind: 'empty' })}</p>
      {reproduction !== null &&
        failed.map(({ id, title }) => (
          <RetryStep key={id} reproduction={reproduction} stepId={id} title={title} />
        ))}
      {of !== null && of.notComparable.length > 0 && (
        <>
          <h3>Not comparable with the paper</h3>
          <ul className={styles.reasons}>
            {of.notComparable.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
      {of !== null && <Sources of={of} />}
    </>
  );
}

function configurationOf(exhibit: Exhibit, of: FilledCell | FilledSeries | null): string {
  if (of === null) return '';
  if ('row' in of) return exhibit.cells.find((cell) => cellKey(cell) === cellKey(of))?.configuration ?? '';
  return exhibit.series.find(({ id }) => id === of.id)?.configuration ?? '';
}

/** The runs and trainings behind a value, as links. */
function Sources(props: { readonly of: FilledCell | FilledSeries }) {
  const { runs, trainingIds } = props.of;
  const studies = readyValue(useStudies()) ?? [];
  const trainings = readyValue(useTrainings()) ?? [];
  if (runs.length + trainingIds.length === 0) return null;
  return (
    <>
      <h3>Based on</h3>
      <ul className={styles.rests}>
        {runs.map(({ studyId, runId }) => {
          const study = studies.find(({ study: one }) => one.id === studyId)?.study;
          const run = study?.runs.find(({ id }) => id === runId);
          return (
            <li key={runId}>
              <a href={`#${pathOf(runRoute(studyId, runId))}`}>
                {run === undefined ? runId : `${run.configuration}, seed ${run.seed}`}
              </a>
              <small>{study?.name ?? 'run'}</small>
            </li>
          );
        })}
        {trainingIds.map((trainingId) => (
          <li key={trainingId}>
            <a href={`#${pathOf({ kind: 'training', trainingId, tab: 'curves' })}`}>
              {trainings.find(({ id }) => id === trainingId)?.name ?? trainingId}
            </a>
            <small>training</small>
          </li>
        ))}
      </ul>
    </>
  );
}
