import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import { readyValue, useInfo, useWorkbench } from '../state/index';
import { Hint, StateMark } from '../widgets/index';
import { SettingEntry } from './entry';
import { SavedText } from './saved-text';
import styles from './settings.module.css';

type GraderInfo = NonNullable<Value<'app.info'>['grader']>;

/** What keeps programs in, where nothing is known to be missing. Only a grader that is open has proved it. */
export function SandboxState(props: {
  readonly isolation: GraderInfo['isolation'] | null;
  readonly allowed: boolean;
  readonly machineId: string;
}) {
  const { isolation, allowed, machineId } = props;
  if (isolation === 'none') {
    return <StateMark tone="bad" text="None: programs run with your rights, as allowed below" />;
  }
  if (isolation === null && machineId !== LOCAL_MACHINE) {
    return <StateMark tone="quiet" text="Checked when the grading machine grades for the first time" />;
  }
  if (isolation === null && allowed) {
    return <StateMark tone="unsure" text="Used if it can start; otherwise programs run with your rights" />;
  }
  return (
    <StateMark tone="good" text="Active: no network, no home folder, limits on time, memory and output" />
  );
}

/** A person may name the Python that grades here, e.g. the one that earlier studies were graded with. */
export function PythonSetting(props: { readonly path: string | null }) {
  const { settings } = useWorkbench();
  return (
    <SettingEntry label="Python to use">
      <SavedText
        key={props.path ?? ''}
        label="Python to use"
        width={320}
        placeholder="The best that is found"
        value={props.path ?? ''}
        validate={(text) =>
          text === '' || /^\/./.test(text) ? null : 'Its whole path, e.g. /usr/bin/python3'
        }
        onSave={(text) => void settings.change({ gradingPython: text === '' ? null : text })}
      />
      <p className={styles.soft}>On this computer. Empty: the one with numpy, then with most packages.</p>
    </SettingEntry>
  );
}

/** What is wrong with grading, to be checked again once it is put right. */
export function GradingProblem({ text, problem }: { readonly text: string; readonly problem: string }) {
  const { info } = useWorkbench();
  return (
    <>
      <StateMark tone="bad" text={text} />
      <Hint text={problem} />
      <Button variant="default" mt={8} onClick={() => info.refreshAll()}>
        Check again
      </Button>
    </>
  );
}

/** What gives the verdicts, and whether it can be trusted; known once something was graded, or when asked for. */
export function GraderEntries() {
  const info = readyValue(useInfo());
  const { info: infos } = useWorkbench();
  // It is opened by the first grading, without an event for this screen.
  useEffect(() => infos.refreshAll(), [infos]);
  if (info === null) return null;
  const { grader, sandboxProblem, pythonIsAtFault } = info;
  if (pythonIsAtFault && sandboxProblem !== null) {
    return (
      <SettingEntry label="Python">
        <GradingProblem text="Not usable: programs are not graded" problem={sandboxProblem} />
      </SettingEntry>
    );
  }
  if (grader === null) return <UnopenedGrader />;
  return (
    <>
      <SettingEntry label="Python">
        <span data-selectable>{pythonText(grader)}</span>
        {grader.reason !== undefined && (
          <p className={styles.soft} data-selectable>
            {grader.reason}
          </p>
        )}
      </SettingEntry>
      <SettingEntry label="Packages">
        <span data-selectable>
          {grader.packages?.some((name) => name.startsWith('numpy ')) ? '' : 'No numpy. '}
          {grader.packages?.length ? grader.packages.join(', ') : 'Standard library only'}
        </span>
      </SettingEntry>
      <SettingEntry label="CPU limits">
        {grader.cpuFactor === 1
          ? 'As set by the benchmarks: this computer is fast enough'
          : `${grader.cpuFactor.toFixed(2)} times the benchmark limits: this computer is slower than the reference`}
      </SettingEntry>
      <SettingEntry label="Health">
        {grader.problem === null ? (
          <StateMark tone="good" text="Known programs get the right verdict" />
        ) : (
          <GradingProblem text="Its verdicts are not reliable" problem={grader.problem} />
        )}
      </SettingEntry>
    </>
  );
}

function pythonText({ python, path, isolation }: GraderInfo): string {
  const where = path === undefined ? '' : ` in ${path}`;
  return `Python ${python}${where}, ${isolation === 'sandbox' ? 'in the sandbox' : 'without a sandbox'}`;
}

/** Which Python will grade is chosen when the grader opens: with the first grading, or by this press. */
function UnopenedGrader() {
  const { client, notices, info: infos } = useWorkbench();
  const [isOpening, setIsOpening] = useState(false);
  const open = async (): Promise<void> => {
    setIsOpening(true);
    const answer = await client.call('app.openGrader', {});
    setIsOpening(false);
    if (!answer.ok) notices.showRefusal(answer.error);
    infos.refreshAll();
  };
  return (
    <SettingEntry label="Python">
      <span className={styles.quiet}>Chosen and checked with the first grading after the start.</span>
      <div>
        <Button variant="default" mt={8} loading={isOpening} onClick={() => void open()}>
          Check now
        </Button>
      </div>
    </SettingEntry>
  );
}
