import { Switch } from '@mantine/core';
import type { Settings } from '../../preload/contract/settings';
import { useWorkbench } from '../state/index';
import { SettingEntry } from './entry';
import { SavedText } from './saved-text';
import styles from './settings.module.css';

/** Gigabytes of a log, where the user turns the limit on again. */
const USUAL_GB = 1;

/** How much jobs may leave on their machines. */
export function JobSettings(props: { readonly settings: Settings }) {
  const { jobLogGb } = props.settings;
  const { settings } = useWorkbench();
  return (
    <dl className={styles.list}>
      <SettingEntry label="Largest log of a job">
        <div className={styles.line}>
          <Switch
            size="xs"
            aria-label="Limit the logs of jobs"
            checked={jobLogGb !== null}
            onChange={(event) =>
              void settings.change({ jobLogGb: event.currentTarget.checked ? USUAL_GB : null })
            }
          />
          {jobLogGb === null ? (
            <span className={styles.quiet}>
              Off: a job that prints without end can fill the machine’s disk
            </span>
          ) : (
            <SavedText
              key={jobLogGb}
              label="Gigabytes of a log"
              value={String(jobLogGb)}
              width={70}
              unit="GB"
              validate={(text) => {
                const size = Number(text);
                return size >= 0.1 && size <= 100_000 ? null : 'Type a number from 0.1 to 100,000';
              }}
              onSave={(text) => void settings.change({ jobLogGb: Number(text) })}
            />
          )}
        </div>
        <p className={styles.soft}>
          Of a longer log, the beginning and the newest lines are kept and the middle is deleted. Applies to
          jobs, servers and trainings that start from now on.
        </p>
      </SettingEntry>
    </dl>
  );
}
