import { Button, SegmentedControl, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readyValue, useInfo, useMachines, useSettings, useWorkbench } from '../state/index';
import { machineSummary } from '../text/machines';
import {
  ConfirmDialog,
  FailedState,
  Hint,
  LoadingState,
  Screen,
  Section,
  Select,
  StateMark,
} from '../widgets/index';
import { Entry } from './entry';
import { KeySettings } from './key-settings';
import { NoticeSettings } from './notice-settings';
import { PriceSettings } from './price-settings';
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
      <Section title="Notices">
        <NoticeSettings settings={settings} />
      </Section>
      <Section title="Prices">
        <PriceSettings prices={settings.prices} />
      </Section>
      <Section title="Keys">
        <KeySettings />
      </Section>
      <Section title="Grading">
        <GradingMachine machineId={settings.gradingMachine} />
        <Sandbox allowed={settings.gradeWithoutSandbox} together={settings.harmlessTogether} />
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
  const known = machines.map(({ spec }) => ({ value: spec.id, label: spec.name }));
  const lost = chosen === undefined ? [{ value: props.machineId, label: props.machineId }] : [];
  return (
    <dl className={styles.list}>
      <Entry label="Graded on">
        <Select
          aria-label="Grading machine"
          w={260}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          inputWrapperOrder={['input', 'error', 'description']}
          description={chosen === undefined ? undefined : machineSummary(chosen)}
          error={
            chosen === undefined && machines.length > 0
              ? 'This machine is gone: choose another one.'
              : undefined
          }
          value={props.machineId}
          data={[...known, ...lost]}
          onChange={(value) => value !== null && void settings.change({ gradingMachine: value })}
        />
        <p className={styles.soft}>The grader is copied there and checked by its digest.</p>
      </Entry>
    </dl>
  );
}

/** Whether candidates can be run, what is missing, and the one setting that a person must mean. */
function Sandbox(props: { readonly allowed: boolean; readonly together: boolean }) {
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
              text="In place: no network, no home folder, limits on time, memory and output"
            />
          ) : (
            <>
              <StateMark tone="bad" text="Missing: programs are not graded" />
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
      <Entry label="Processes">
        <Switch
          size="xs"
          checked={props.together}
          label="Programs that are proved harmless share a process of the sandbox"
          onChange={(event) => void settings.change({ harmlessTogether: event.currentTarget.checked })}
        />
        <p className={styles.soft}>
          Grading is about ten times as fast with it. Off, every candidate has processes of its own.
        </p>
      </Entry>
      <GraderEntries />
      <ConfirmDialog
        opened={asking}
        title="Run programs without a sandbox?"
        confirm="Run without sandbox"
        cancel="Keep it off"
        onConfirm={() => void settings.change({ gradeWithoutSandbox: true })}
        onClose={() => setAsking(false)}
      >
        Programs that a model wrote could then read and delete your files and use your network. Do this only
        on a computer that holds nothing of worth.
      </ConfirmDialog>
    </dl>
  );
}

/** What gives the verdicts on this computer, and whether it can be trusted; known once something was graded. */
function GraderEntries() {
  const info = readyValue(useInfo());
  const { info: infos } = useWorkbench();
  // It is opened by the first grading, of which nobody tells this screen.
  useEffect(() => infos.refreshAll(), [infos]);
  if (info === null) return null;
  const { grader } = info;
  if (grader === null) {
    return (
      <Entry label="Grader">
        <span className={styles.quiet}>Nothing was graded since the start: it is looked at by then.</span>
      </Entry>
    );
  }
  return (
    <>
      <Entry label="Grader">
        <span data-selectable>
          Python {grader.python}, {grader.isolation === 'sandbox' ? 'in the sandbox' : 'without a sandbox'}
        </span>
      </Entry>
      <Entry label="Packages">
        <span data-selectable>
          {grader.packages?.some((name) => name.startsWith('numpy ')) ? '' : 'No numpy. '}
          {grader.packages?.length ? grader.packages.join(', ') : 'The standard library alone'}
        </span>
      </Entry>
      <Entry label="CPU limits">
        {grader.cpuFactor === 1
          ? 'As the benchmarks set them: this computer is fast enough'
          : `${grader.cpuFactor.toFixed(2)} times those of the benchmarks: this computer is slower than the reference`}
      </Entry>
      <Entry label="Health">
        {grader.trouble === null ? (
          <StateMark tone="good" text="Programs of known verdict get it" />
        ) : (
          <>
            <StateMark tone="bad" text="Its verdicts cannot be trusted now" />
            <Hint text={grader.trouble} />
            <Button variant="default" mt={8} onClick={() => infos.refreshAll()}>
              Look again
            </Button>
          </>
        )}
      </Entry>
    </>
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
