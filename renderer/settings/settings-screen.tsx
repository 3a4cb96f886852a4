import { Button, SegmentedControl, Switch } from '@mantine/core';
import { useState } from 'react';
import { readyValue, useInfo, useMachines, useSettings, useWorkbench } from '../state/index';
import { machineSummary } from '../text/machines';
import {
  ConfirmDialog,
  FailedState,
  LoadingState,
  Screen,
  Section,
  Select,
  StateMark,
} from '../widgets/index';
import { CutoffSettings } from './cutoff-settings';
import { SettingEntry } from './entry';
import { GraderEntries, GradingProblem, PythonSetting, SandboxState } from './grader-entries';
import { JobSettings } from './job-settings';
import { KeySettings } from './key-settings';
import { NoticeSettings } from './notice-settings';
import { PriceSettings } from './price-settings';
import { ServiceSettings } from './service-settings';
import styles from './settings.module.css';
import { SHIPPED_PARTS } from './shipped-parts';

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
          message="Changes you make now may not be saved."
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      </Screen>
    );
  }
  return (
    <Screen title="Settings">
      <Section title="Appearance">
        <dl className={styles.list}>
          <SettingEntry label="Theme">
            <SegmentedControl
              aria-label="Theme"
              value={settings.theme}
              onChange={(value) => {
                const theme = THEMES.find((theme) => theme.value === value)?.value;
                if (theme !== undefined) void store.change({ theme });
              }}
              data={[...THEMES]}
            />
          </SettingEntry>
          <SettingEntry label="Panes">
            <Button
              variant="default"
              disabled={Object.keys(settings.panes).length === 0}
              onClick={() => void store.change({ panes: {} })}
            >
              Reset pane sizes
            </Button>
          </SettingEntry>
        </dl>
      </Section>
      <Section title="Background service">
        <ServiceSettings onClose={settings.onClose} />
      </Section>
      <Section title="Notifications">
        <NoticeSettings settings={settings} />
      </Section>
      <Section title="Jobs">
        <JobSettings settings={settings} />
      </Section>
      <Section title="Prices">
        <PriceSettings prices={settings.prices} />
      </Section>
      <Section title="Models">
        <CutoffSettings cutoffs={settings.modelCutoffs} />
      </Section>
      <Section title="API keys">
        <KeySettings />
      </Section>
      <Section title="Grading">
        <GradingMachine machineId={settings.gradingMachine} />
        <Sandbox
          allowed={settings.gradeWithoutSandbox}
          together={settings.harmlessTogether}
          machineId={settings.gradingMachine}
          python={settings.gradingPython}
        />
      </Section>
      <Section title="This computer">
        <About />
      </Section>
    </Screen>
  );
}

/** Where candidates run. Near the servers that write them is quickest; the verdicts are the same. */
function GradingMachine(props: { readonly machineId: string }) {
  const machines = readyValue(useMachines()) ?? [];
  const { settings } = useWorkbench();
  const chosen = machines.find(({ spec }) => spec.id === props.machineId);
  const options = machines.map(({ spec }) => ({ value: spec.id, label: spec.name }));
  const lost = chosen === undefined ? [{ value: props.machineId, label: props.machineId }] : [];
  return (
    <dl className={styles.list}>
      <SettingEntry label="Grading machine">
        <Select
          aria-label="Grading machine"
          w={260}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          inputWrapperOrder={['input', 'error', 'description']}
          description={chosen === undefined ? undefined : machineSummary(chosen)}
          error={
            chosen === undefined && machines.length > 0
              ? 'This machine was removed. Choose another one.'
              : undefined
          }
          value={props.machineId}
          data={[...options, ...lost]}
          onChange={(value) => value !== null && void settings.change({ gradingMachine: value })}
        />
        <p className={styles.soft}>The grader is copied to the machine and verified by its digest.</p>
      </SettingEntry>
    </dl>
  );
}

/** Whether candidates can be run, what is missing, and the one setting that a person must mean. */
function Sandbox(props: {
  readonly allowed: boolean;
  readonly together: boolean;
  readonly machineId: string;
  readonly python: string | null;
}) {
  const info = useInfo();
  const { settings } = useWorkbench();
  const [asking, setAsking] = useState(false);
  return (
    <dl className={styles.list}>
      <SettingEntry label="Sandbox">
        {info.kind === 'loading' && <LoadingState text="Checking the sandbox" />}
        {info.kind === 'failed' && info.error.message}
        {info.kind === 'ready' &&
          (info.value.sandboxProblem === null ? (
            <SandboxState
              isolation={info.value.grader?.isolation ?? null}
              allowed={props.allowed}
              machineId={props.machineId}
            />
          ) : info.value.pythonIsAtFault ? (
            <StateMark tone="quiet" text="Checked once there is a Python that can be used" />
          ) : (
            <GradingProblem text="Missing: programs are not graded" problem={info.value.sandboxProblem} />
          ))}
      </SettingEntry>
      <SettingEntry label="Without sandbox">
        <Switch
          size="xs"
          checked={props.allowed}
          label="Run untrusted programs on this computer without a sandbox"
          onChange={(event) => {
            if (event.currentTarget.checked) setAsking(true);
            else void settings.change({ gradeWithoutSandbox: false });
          }}
        />
      </SettingEntry>
      <SettingEntry label="Processes">
        <Switch
          size="xs"
          checked={props.together}
          label="Programs that pass a static check share one sandbox process"
          onChange={(event) => void settings.change({ harmlessTogether: event.currentTarget.checked })}
        />
        <p className={styles.soft}>
          Makes grading about ten times as fast. When off, every candidate gets its own processes.
        </p>
      </SettingEntry>
      <GraderEntries />
      <PythonSetting path={props.python} />
      <ConfirmDialog
        opened={asking}
        title="Run programs without a sandbox?"
        confirm="Run without sandbox"
        cancel="Keep it off"
        onConfirm={() => void settings.change({ gradeWithoutSandbox: true })}
        onClose={() => setAsking(false)}
      >
        Programs written by a model could then read and delete your files and use your network. Only do this
        on a computer without valuable data.
      </ConfirmDialog>
    </dl>
  );
}

function About() {
  const info = useInfo();
  if (info.kind === 'loading') return <LoadingState text="Asking" />;
  if (info.kind === 'failed') {
    return (
      <FailedState title="The workbench did not answer" message={info.error.message} hint={info.error.hint} />
    );
  }
  const { version, dataDir, platform, runsAsRoot } = info.value;
  return (
    <dl className={styles.list}>
      <SettingEntry label="Data folder">
        <code data-selectable>{dataDir}</code>
        <p className={styles.soft}>
          Journals, registry and logs. To use another folder, start with <code>--data DIR</code>.
        </p>
      </SettingEntry>
      <SettingEntry label="Version">
        <span data-selectable>
          {version}, {platform}
        </span>
      </SettingEntry>
      {runsAsRoot && (
        <SettingEntry label="Started as root">
          <span>
            Chromium's own sandbox is off because it cannot work for root. Start the app as an ordinary user
            to enable it; candidates run in their own sandbox either way.
          </span>
        </SettingEntry>
      )}
      <SettingEntry label="Licences">
        <span>MARS² Workbench: MIT. It ships parts of others:</span>
        {Object.entries(SHIPPED_PARTS).map(([licence, parts]) => (
          <p key={licence} className={styles.soft} data-selectable>
            {licence}: {parts.join(', ')}
          </p>
        ))}
        <p className={styles.soft}>
          <b>Help &gt; Licences</b> has the text of every licence, also of the parts of these parts. In a
          checkout they are in <code>node_modules</code>.
        </p>
      </SettingEntry>
      <SettingEntry label="Shortcuts">
        {' '}
        <span>
          <kbd>?</kbd> shows the shortcuts of a screen, <kbd>Ctrl K</kbd> opens the command palette.
        </span>
      </SettingEntry>
    </dl>
  );
}
