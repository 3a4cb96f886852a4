import { Button, SegmentedControl, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useInfo, useSettings, useWorkbench } from '../state/index';
import { ConfirmDialog, FailedState, Hint, LoadingState, Screen, Section, StateMark } from '../widgets/index';
import styles from './settings.module.css';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function SettingsScreen() {
  const settings = useSettings();
  const { settings: store } = useWorkbench();
  if (settings === null) {
    return (
      <Screen title="Settings">
        <FailedState
          title="The settings could not be read"
          message="What you change now may not be kept."
          action={{ label: 'Read again', run: () => void store.load() }}
        />
      </Screen>
    );
  }
  return (
    <Screen title="Settings">
      <Section title="Appearance">
        <dl className={styles.list}>
          <Entry label="Theme">
            <SegmentedControl
              aria-label="Theme"
              value={settings.theme}
              onChange={(value) => {
                const theme = THEMES.find((one) => one.value === value)?.value;
                if (theme !== undefined) void store.change({ theme });
              }}
              data={[...THEMES]}
            />
          </Entry>
          <Entry label="Panes">
            <Button
              variant="default"
              disabled={Object.keys(settings.panes).length === 0}
              onClick={() => void store.change({ panes: {} })}
            >
              Forget the sizes of panes
            </Button>
          </Entry>
        </dl>
      </Section>
      <Section title="Grading">
        <Sandbox allowed={settings.gradeWithoutSandbox} />
      </Section>
      <Section title="This computer">
        <About />
      </Section>
    </Screen>
  );
}

function Entry(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.entry}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** Whether candidates can be run, what is missing, and the one setting that a person must mean. */
function Sandbox(props: { readonly allowed: boolean }) {
  const info = useInfo();
  const { info: infos, settings } = useWorkbench();
  const [asking, setAsking] = useState(false);
  return (
    <dl className={styles.list}>
      <Entry label="Sandbox">
        {info.kind === 'loading' && <LoadingState what="Looking at the sandbox" />}
        {info.kind === 'failed' && info.error.message}
        {info.kind === 'ready' &&
          (info.value.sandboxProblem === null ? (
            <StateMark
              tone="good"
              words="In place: no network, no home folder, limits on time, memory and output"
            />
          ) : (
            <>
              <StateMark tone="bad" words="Missing: programs are not graded" />
              <Hint text={info.value.sandboxProblem} />
              <Button variant="default" mt={8} onClick={() => infos.refreshAll()}>
                Look again
              </Button>
            </>
          ))}
      </Entry>
      <Entry label="Without it">
        <Switch
          size="xs"
          checked={props.allowed}
          label="Run untrusted programs on this computer without a sandbox"
          onChange={(event) => {
            if (event.currentTarget.checked) setAsking(true);
            else void settings.change({ gradeWithoutSandbox: false });
          }}
        />
      </Entry>
      <ConfirmDialog
        opened={asking}
        title="Run programs without a sandbox?"
        confirm="Run without sandbox"
        keep="Keep it off"
        onConfirm={() => void settings.change({ gradeWithoutSandbox: true })}
        onClose={() => setAsking(false)}
      >
        Programs that a model wrote could then read and delete your files and use your network. Do this only
        on a computer that holds nothing of worth.
      </ConfirmDialog>
    </dl>
  );
}

function About() {
  const info = useInfo();
  if (info.kind === 'loading') return <LoadingState what="Asking" />;
  if (info.kind === 'failed') {
    return (
      <FailedState title="The workbench did not answer" message={info.error.message} hint={info.error.hint} />
    );
  }
  const { version, dataDir, platform, runsAsRoot } = info.value;
  return (
    <dl className={styles.list}>
      <Entry label="Data folder">
        <code data-selectable>{dataDir}</code>
        <p className={styles.soft}>
          Journals, registry and logs. Another one: start with <code>--data DIR</code>.
        </p>
      </Entry>
      <Entry label="Version">
        <span data-selectable>
          {version}, {platform}
        </span>
      </Entry>
      {runsAsRoot && (
        <Entry label="Started as root">
          <span>
            Chromium's own sandbox is off, since it cannot work for root. As an ordinary user it is on;
            candidates are in their own sandbox either way.
          </span>
        </Entry>
      )}
      <Entry label="Keys">
        <span>
          <kbd>?</kbd> shows those of each screen, <kbd>Ctrl K</kbd> finds everything.
        </span>
      </Entry>
    </dl>
  );
}
