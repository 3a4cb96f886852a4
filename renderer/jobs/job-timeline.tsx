import type { JobTimelineEntry } from '../../preload/contract/job';
import { clockTime, EmptyState } from '../widgets/index';
import styles from './jobs.module.css';

/** The events of a job, newest first. */
export function JobTimeline(props: { readonly moments: readonly JobTimelineEntry[] }) {
  const moments = props.moments.map((moment, at) => ({ ...moment, key: at })).reverse();
  if (moments.length === 0) return <EmptyState title="No events yet" />;
  return (
    <ol className={styles.timeline}>
      {moments.map(({ key, at, what, why }) => (
        <li key={key}>
          <time dateTime={at} title={new Date(at).toLocaleString()}>
            {clockTime(at)}
          </time>
          <span data-selectable>
            <b>{what}</b>
            {why !== '' && <small>{why}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}
