import { SegmentedControl } from '@mantine/core';
import type { JobLog } from '../../preload/contract/job';
import { useJobLog, useStoredState } from '../state/index';
import styles from './job-logs.module.css';
import { LogPane } from './log-pane';

/** The logs of a job: output and, if any, set-up. */
export function JobLogs(props: {
  readonly jobId: string;
  readonly name: string;
  readonly hasSetUp: boolean;
  readonly size: number;
  readonly live: boolean;
}) {
  const { jobId, name, hasSetUp, size, live } = props;
  const [storedLog, setStoredLog] = useStoredState<JobLog>('jobs.log', 'output', (text) =>
    text === 'set-up' ? 'set-up' : 'output',
  );
  const log = hasSetUp ? storedLog : 'output';
  const source = useJobLog(jobId, log);
  return (
    <div className={styles.logs}>
      {hasSetUp && (
        <div className={styles.choice}>
          <SegmentedControl
            aria-label="Log"
            value={log}
            onChange={(value) => setStoredLog(value === 'set-up' ? 'set-up' : 'output')}
            data={[
              { value: 'output', label: 'Output' },
              { value: 'set-up', label: 'Set-up' },
            ]}
          />
        </div>
      )}
      <div className={styles.log}>
        <LogPane
          key={`${jobId} ${log}`}
          label={log === 'output' ? `Output of ${name}` : `Set-up of ${name}`}
          source={source}
          // The first read of the set-up log returns its size.
          size={log === 'output' ? size : 0}
          live={live}
        />
      </div>
    </div>
  );
}
