import { originDifferences } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import { readyValue, useOrigins } from '../state/index';
import { Section, SentenceList } from '../widgets/index';
import styles from './tables.module.css';

/** Studies that are compared with the first one; the terminal compares any two. */
const MOST = 6;

/** What differs in what made the servers of the compared studies; nothing for runs of one study. */
export function OriginsSection(props: { readonly studies: readonly StudyView[] }) {
  const studies = props.studies.slice(0, MOST).map(({ study }) => study);
  const loaded = useOrigins(studies.map(({ id }) => id));
  const [first, ...others] = studies;
  if (first === undefined || others.length === 0) return null;
  const [own, ...rest] = loaded.map((origin) => readyValue(origin) ?? []);
  return (
    <Section title="Where their servers came from">
      {others.map(({ id, name }, at) => {
        const [one, other] = [own ?? [], rest[at] ?? []];
        const unread = [loaded[0], loaded[at + 1]].flatMap((origin) =>
          origin?.kind === 'failed' ? [origin.error.message] : [],
        );
        const heading = `${first.name}, and ${name}`;
        return (
          <div key={id}>
            <p className={styles.soft}>{heading}</p>
            <SentenceList
              label={heading}
              sentences={one.length === 0 || other.length === 0 ? unread : originDifferences(one, other)}
              empty={
                one.length === 0 || other.length === 0
                  ? 'Not recorded for both of them.'
                  : 'No difference in what is recorded.'
              }
            />
          </div>
        );
      })}
    </Section>
  );
}
