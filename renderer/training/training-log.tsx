import { Suspense } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import { type JobLogsComponent, mayWrite, readyValue, useJobs } from '../state/index';
import { EmptyState, LoadingState } from '../widgets/index';
import styles from './training.module.css';

/** What its job writes. */
export function TrainingLog(props: { readonly training: TrainingView; readonly JobLogs: JobLogsComponent }) {
  const { training, JobLogs } = props;
  const { jobId, name, state } = training;
  const job = (readyValue(useJobs()) ?? []).find(({ id }) => id === jobId);
  if (jobId === null) {
    return (
      <div className={styles.padded}>
        <EmptyState title="Nothing was written yet">Its log begins when its job does.</EmptyState>
      </div>
    );
  }
  return (
    <Suspense fallback={<LoadingState what="Opening the log" />}>
      <JobLogs
        jobId={jobId}
        name={name}
        hasSetUp={(job?.setUp ?? '').trim() !== ''}
        size={job?.logBytes ?? 0}
        live={mayWrite(state)}
      />
    </Suspense>
  );
}
