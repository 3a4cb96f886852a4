import { Checkbox, Switch } from '@mantine/core';
import type { Settings } from '../../preload/contract/settings';
import { useWorkbench } from '../state/index';
import { SettingEntry } from './entry';
import { SavedText } from './saved-text';
import styles from './settings.module.css';

const NOTIFY_ABOUT = [
  { key: 'done', label: 'a job, study or training finishes' },
  { key: 'failed', label: 'a job, study or training fails or is lost' },
  { key: 'stalled', label: 'a job stops writing output' },
] as const;

/** Minutes that a job may be silent, where the user first turns it on. */
const USUAL_MINUTES = 30;

/** When and how to notify about jobs. */
export function NoticeSettings(props: { readonly settings: Settings }) {
  const { notify, stalledMinutes, webhookUrl } = props.settings;
  const { settings } = useWorkbench();
  return (
    <dl className={styles.list}>
      <SettingEntry label="Notify when">
        <div className={styles.checks}>
          {NOTIFY_ABOUT.map(({ key, label }) => (
            <Checkbox
              key={key}
              size="xs"
              label={label}
              // Nothing is found silent while that is off below.
              disabled={key === 'stalled' && stalledMinutes === null}
              checked={notify[key] && (key !== 'stalled' || stalledMinutes !== null)}
              onChange={(event) =>
                void settings.change({ notify: { ...notify, [key]: event.currentTarget.checked } })
              }
            />
          ))}
        </div>
      </SettingEntry>
      <SettingEntry label="Silent jobs">
        <div className={styles.line}>
          <Switch
            size="xs"
            aria-label="Notify about silent jobs"
            checked={stalledMinutes !== null}
            onChange={(event) =>
              void settings.change({ stalledMinutes: event.currentTarget.checked ? USUAL_MINUTES : null })
            }
          />
          {stalledMinutes === null ? (
            <span className={styles.quiet}>Off: no job counts as silent, so none is reported</span>
          ) : (
            <SavedText
              key={stalledMinutes}
              label="Minutes without output"
              value={String(stalledMinutes)}
              width={70}
              unit="minutes without output"
              validate={(text) => {
                const minutes = Number(text);
                return Number.isInteger(minutes) && minutes >= 1 && minutes <= 10_080
                  ? null
                  : 'From 1 to 10,080 minutes';
              }}
              onSave={(text) => void settings.change({ stalledMinutes: Number(text) })}
            />
          )}
        </div>
      </SettingEntry>
      <SettingEntry label="Webhook">
        <SavedText
          key={webhookUrl}
          label="Webhook URL"
          value={webhookUrl ?? ''}
          width={420}
          placeholder="https://chat.example.org/hooks/lab"
          validate={(text) =>
            text === '' || isWebAddress(text) ? null : 'Enter a URL with http:// or https://'
          }
          onSave={(text) => void settings.change({ webhookUrl: text === '' ? null : text })}
        />
        <p className={styles.soft}>
          Receives a POST with JSON (title, body) for each notification above. Leave empty to send none.
        </p>
      </SettingEntry>
    </dl>
  );
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
