import type { ExperimentOrder } from '../../preload/contract/experiment';
import { readyValue } from '../state/index';
import { configurationColor } from '../theme/index';
import { count, FormNote, plural, roughDuration, Section } from '../widgets/index';
import type { ExperimentDraft } from './experiment-draft';
import { experimentSize } from './experiment-size';
import styles from './new-experiment.module.css';
import { rowLabel } from './row-draft';
import { useEstimate } from './use-estimate';

/** What it will cost: trainings, samples, time. */
export function CostView(props: {
  readonly draft: ExperimentDraft;
  /** null while the form has faults. */
  readonly order: ExperimentOrder | null;
}) {
  const { draft, order } = props;
  const estimate = useEstimate(order);
  const size = order === null ? null : experimentSize(order);
  const seconds = estimate === null ? null : readyValue(estimate);
  return (
    <Section title="What it will cost">
      {size === null ? (
        <FormNote>Once the form is filled in.</FormNote>
      ) : (
        <>
          <p className={styles.total}>
            <b>{count(size.trainings)}</b> {size.trainings === 1 ? 'training' : 'trainings'}
          </p>
          <p className={styles.note}>
            {count(size.samples)} samples to learn from, {plural(size.evaluated, 'program')} evaluated
          </p>
          {estimate?.kind === 'ready' && (
            <p className={styles.note}>
              {seconds === null
                ? 'How long it takes is known once such trainings have run.'
                : `about ${roughDuration(seconds * 1_000)}, as earlier trainings went here`}
            </p>
          )}
        </>
      )}
      <table className={styles.costs} aria-label="Samples of a seed by row">
        <tbody>
          {draft.rows.map((row, position) => (
            <tr key={row.key}>
              <th scope="row">
                <i className={styles.swatch} style={{ background: configurationColor(position) }} />
                {rowLabel(row)}
              </th>
              <td>{size === null ? '–' : count(size.rows[position] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {size !== null && <p className={styles.note}>samples of all agents together, one seed</p>}
    </Section>
  );
}
