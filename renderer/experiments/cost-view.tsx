import type { ExperimentRequest } from '../../preload/contract/experiment';
import type { Answer } from '../../preload/contract/refusal';
import type { PocketTraining } from '../../preload/contract/training-spec';
import {
  LOCAL_MACHINE,
  type Loadable,
  mapLoadable,
  readyValue,
  useDebouncedQuery,
  useMachine,
  useWorkbench,
} from '../state/index';
import { configurationColor } from '../theme/index';
import { count, FormNote, plural, roughDuration, Section } from '../widgets/index';
import { type ExperimentDraft, experimentSize, trainingsOfSeed } from './experiment-draft';
import styles from './new-experiment.module.css';
import { rowLabel } from './row-draft';

/** The cost of the experiment: trainings, samples, time. */
export function CostView(props: {
  readonly draft: ExperimentDraft;
  /** null while the form has errors. */
  readonly request: ExperimentRequest | null;
}) {
  const { draft, request } = props;
  const estimate = useEstimate(request);
  const size = request === null ? null : experimentSize(request);
  const seconds = estimate === null ? null : readyValue(estimate);
  return (
    <Section title="Cost">
      {size === null ? (
        <FormNote>Complete the form to see the cost.</FormNote>
      ) : (
        <>
          <p className={styles.total}>
            <b>{count(size.trainings)}</b> {size.trainings === 1 ? 'training' : 'trainings'}
          </p>
          <p className={styles.note}>
            {count(size.samples)} training samples, {plural(size.evaluated, 'program')} evaluated
          </p>
          {estimate?.kind === 'ready' && (
            <p className={styles.note}>
              {seconds === null
                ? 'Time unknown until a pocket training of this length has run.'
                : `about ${roughDuration(seconds * 1_000)}, as earlier trainings on this computer`}
            </p>
          )}
        </>
      )}
      <table className={styles.costs} aria-label="Samples per seed by row">
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
      {size !== null && <p className={styles.note}>samples of all agents, per seed</p>}
    </Section>
  );
}

/**
 * Seconds of the whole experiment, estimated from earlier trainings; ready with null: no earlier trainings. Null while
 * the form has errors.
 */
export function useEstimate(request: ExperimentRequest | null): Loadable<number | null> | null {
  const { client } = useWorkbench();
  // One training per core runs in parallel.
  const parallel = Math.max(1, useMachine(LOCAL_MACHINE)?.facts?.cores ?? 1);
  const secondsOfSeed = async (specs: readonly PocketTraining[]): Promise<Answer<number | null>> => {
    const answers = await Promise.all(
      specs.map((spec) =>
        client.call('training.plan', {
          request: { name: 'estimate', machineId: LOCAL_MACHINE, spec },
          check: false,
        }),
      ),
    );
    let total: number | null = 0;
    for (const answer of answers) {
      if (!answer.ok) return answer;
      const { estimateSeconds } = answer.value;
      total = total === null || estimateSeconds === null ? null : total + estimateSeconds;
    }
    return { ok: true, value: total };
  };
  // Every seed takes the same time, so each row is estimated once.
  const ofSeed = useDebouncedQuery(request === null ? null : trainingsOfSeed(request), secondsOfSeed);
  if (ofSeed === null || request === null) return null;
  const times = request.seeds.length / parallel;
  return mapLoadable(ofSeed, (seconds) => (seconds === null ? null : seconds * times));
}
