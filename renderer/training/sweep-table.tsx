import {
  fixedText,
  pText,
  SIGNIFICANCE_LEVEL,
  sweepMeasureText,
  sweepNumber,
} from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import type { SweepCell, SweepMeasure, TrainingSweep } from '../../preload/contract/training-sweep';
import { useTrainingSweep, useWorkbench } from '../state/index';
import { FailedState, LoadingState, plural, SentenceList, WideTable } from '../widgets/index';
import styles from './sweep-table.module.css';

/** The trainings of a sweep by a foreign trainer over their seeds; `none`: where the training is part of no sweep. */
export function SweepTable(props: { readonly training: TrainingView; readonly none: React.ReactNode }) {
  const { training, none } = props;
  const { trainingResources: resources } = useWorkbench();
  const sweep = useTrainingSweep(training.id);
  if (sweep.kind === 'loading') return <LoadingState text="Loading the evaluations of its sweep" />;
  if (sweep.kind === 'failed') {
    return (
      <FailedState
        title="The evaluations of its sweep could not be read"
        message={sweep.error.message}
        hint={sweep.error.hint}
        action={{ label: 'Try again', run: () => resources.sweeps.refresh(training.id) }}
      />
    );
  }
  return sweep.value === null ? none : <Swept sweep={sweep.value} />;
}

function Swept({ sweep }: { readonly sweep: TrainingSweep }) {
  const { name, rows, measures, cells, pairs, sentences } = sweep;
  const missing = rows.flatMap(({ label, missing: seeds }) =>
    seeds.map(({ seed, why }) => `Missing: ${label}${seed === null ? '' : `, seed ${seed}`} ${why}.`),
  );
  return (
    <>
      <WideTable numbers className={styles.table} label={`Values and seeds of ${name}`}>
        <thead>
          <tr>
            <th scope="col">Values</th>
            {measures.map((measure) => (
              <th key={sweepMeasureText(measure)} scope="col">
                {sweepMeasureText(measure)}
              </th>
            ))}
            <th scope="col">Seeds</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, trainings, missing: seeds }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {measures.map((measure) => (
                <Value
                  key={sweepMeasureText(measure)}
                  cell={cells.find((cell) => cell.label === label && isSame(cell, measure))}
                />
              ))}
              <td>
                {seeds.length === 0
                  ? trainings.length
                  : `${trainings.length - seeds.length} of ${trainings.length}`}
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {measures.length > 0 && (
        <p className={styles.note}>
          Below each mean over the seeds: 95 % interval, then the standard deviation over the seeds.
        </p>
      )}
      {pairs.length > 0 && <Pairs pairs={pairs} />}
      <SentenceList label="What these numbers are" sentences={[...missing, ...sentences]} />
    </>
  );
}

function isSame(one: SweepMeasure, other: SweepMeasure): boolean {
  return one.agentId === other.agentId && one.key === other.key && one.of === other.of;
}

function Value({ cell }: { readonly cell: SweepCell | undefined }) {
  if (cell === undefined || cell.value === null) return <td className={styles.missing}>missing</td>;
  const { value, seedSpread, missing } = cell;
  return (
    <td>
      <b>{sweepNumber(value)}</b>
      <small>
        {[
          ...rangeOf(cell),
          ...(seedSpread === undefined ? [] : [`SD ${sweepNumber(seedSpread.sd)}`]),
          ...(missing.length === 0 ? [] : [`${missing.length} missing`]),
        ].join(', ')}
      </small>
    </td>
  );
}

function rangeOf({ interval }: Pick<SweepCell, 'interval'>): string[] {
  return interval === null ? [] : [`${sweepNumber(interval.low)} to ${sweepNumber(interval.high)}`];
}

function Pairs({ pairs }: Pick<TrainingSweep, 'pairs'>) {
  const found = pairs.filter(({ pSeeds, pHolm }) => pSeeds !== null && pHolm < SIGNIFICANCE_LEVEL).length;
  const isTested = pairs.some(({ pSeeds }) => pSeeds !== null);
  return (
    <details className={styles.pairs} open={pairs.length <= 12}>
      <summary>
        {`Differences: ${isTested ? `${plural(found, 'pair')} of ${pairs.length} differ${found === 1 ? 's' : ''} significantly` : 'none is tested'}`}
      </summary>
      <WideTable numbers className={styles.table} label="Differences between the rows">
        <thead>
          <tr>
            {[
              'First minus second',
              'Difference',
              'Effect size',
              'Seeds of both',
              'p over seeds',
              'p (Holm)',
            ].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <tr key={`${sweepMeasureText(pair)} ${pair.first} ${pair.second}`}>
              <th scope="row">{`${sweepMeasureText(pair)}: ${pair.first} − ${pair.second}`}</th>
              <td>
                <b>{sweepNumber(pair.difference)}</b>
                <small>{rangeOf(pair).join('')}</small>
              </td>
              <td>
                {pair.effect === null ? (
                  '–'
                ) : (
                  <>
                    <b>{fixedText(pair.effect.value, 2)}</b>
                    <small>{`${fixedText(pair.effect.low, 2)} to ${fixedText(pair.effect.high, 2)}`}</small>
                  </>
                )}
              </td>
              <td>{pair.seeds}</td>
              <td>{pair.pSeeds === null ? '–' : pText(pair.pSeeds)}</td>
              <td>{pair.pSeeds === null ? '–' : pText(pair.pHolm)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </details>
  );
}
