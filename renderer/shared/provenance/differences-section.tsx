import { provenanceDifferences } from '../../../preload/contract/plans/index';
import { readyValue, useProvenances } from '../../state/index';
import { Section, SentenceList } from '../../widgets/index';
import styles from './provenance.module.css';

/** A job whose start is compared, with the name that people know it by. */
type Compared = { readonly jobId: string; readonly name: string };

/** Compared one by one here; a whole experiment would make a page of it. */
const MOST = 6;

/** What differs between where this start and each of the others came from, in sentences. */
export function DifferencesSection(props: { readonly of: Compared; readonly others: readonly Compared[] }) {
  const { of } = props;
  const others = props.others.slice(0, MOST);
  const more = props.others.length - others.length;
  const [own, ...rest] = useProvenances([of, ...others].map(({ jobId }) => jobId));
  if (others.length === 0) return null;
  const record = own === undefined ? null : readyValue(own);
  return (
    <Section title="Where they came from">
      {others.map(({ jobId, name }, at) => {
        const one = rest[at];
        const other = one === undefined ? null : readyValue(one);
        const heading = `${of.name}, and ${name}`;
        return (
          <div key={jobId} className={styles.pair}>
            <h3>{heading}</h3>
            {record === null || other === null ? (
              <p className={styles.nothing}>Not recorded for both of them.</p>
            ) : (
              <SentenceList
                label={heading}
                sentences={provenanceDifferences(record, other)}
                empty="No difference in what is recorded."
              />
            )}
          </div>
        );
      })}
      {more > 0 && (
        <p className={styles.nothing}>
          {more} more: compare fewer, or two in a terminal with `trainings origin`.
        </p>
      )}
    </Section>
  );
}
