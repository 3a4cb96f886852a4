import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ProvenVerdicts, Regrade, Verification } from '../../preload/contract/checks';
import { EQUAL_ONCE } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { Study } from '../../preload/contract/study';
import { useTask, useWorkbench } from '../state/index';
import { type TaskKind, taskLabel, taskShare } from '../text/tasks';
import { verdictStyle } from '../theme/index';
import { count, Dialog, Hint, plural, TaskLine } from '../widgets/index';
import styles from './study.module.css';

type CheckState<T> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'refused'; readonly error: Refusal }
  | { readonly kind: 'done'; readonly value: T };

/** Replays the study's searches from their seeds and grades a sample again: are nodes, draws and verdicts the same? */
export function VerifyDialog(props: { readonly study: Study; readonly onClose: () => void }) {
  const { study, onClose } = props;
  const { studyChecks } = useWorkbench();
  return (
    <CheckDialog<Verification>
      title="Verify the journals"
      task="verify"
      action="Verify"
      onClose={onClose}
      work={() => studyChecks.verify(study.id)}
      about={
        <p>
          Searches every tree again from its seed with the recorded outcomes, compares each node's position
          and every random draw, and runs the private tests of 500 programs again. {EQUAL_ONCE} Changes no
          file.
        </p>
      }
      show={({ trees, nodes, values, withoutDraws, mismatches, verdicts, regraded }) => (
        <>
          <p>
            {mismatches.length === 0 ? (
              <b>The journals replay.</b>
            ) : (
              <b>{plural(mismatches.length, 'tree')} did not replay.</b>
            )}{' '}
            {plural(trees, 'search tree or set of samples', 'search trees and sets of samples')},{' '}
            {plural(nodes, 'node')} at the recorded position, {count(values)} draws and bounds equal bit for
            bit.
            {withoutDraws > 0 && ` ${plural(withoutDraws, 'node')} from journals without recorded draws.`}
          </p>
          <Lines
            label="Trees that did not replay"
            lines={mismatches.map(({ runId, problemId, index, difference }) => ({
              key: `${runId} ${problemId} ${index}`,
              text: `${problemId}, node ${index}: ${difference}`,
              note: runId,
            }))}
          />
          {regraded !== null && <p>The first grading, which does not count now:</p>}
          {verdicts !== null && <ProvenVerdictsText verdicts={verdicts} />}
          {regraded !== null && (
            <>
              <p>The re-grade, which counts:</p>
              <ProvenVerdictsText verdicts={regraded} />
            </>
          )}
        </>
      )}
    />
  );
}

function ProvenVerdictsText({ verdicts }: { readonly verdicts: ProvenVerdicts }) {
  if (verdicts.kind === 'unproven') {
    return (
      <>
        <p data-selectable>
          <b>No verdict was checked.</b> {verdicts.message}
        </p>
        {verdicts.hint !== undefined && <Hint text={verdicts.hint} />}
      </>
    );
  }
  const { programs, graded, faults, changed } = verdicts;
  return (
    <>
      <p>
        <b>
          {changed.length === 0
            ? 'Every verdict was confirmed.'
            : `${plural(changed.length, 'verdict')} could not be confirmed in three gradings.`}
        </b>{' '}
        {count(graded)} of {plural(programs, 'different program')} graded again
        {faults > 0 && `, ${plural(faults, 'fault')} of the sandbox or the grader`}.
      </p>
      <ChangedVerdicts changed={changed} />
    </>
  );
}

/** Rows rendered in the scrolling list before the rest is counted. */
const MAX_ROWS = 500;

/** A row per node: what its verdict was, and what it is. */
export function ChangedVerdicts({ changed }: Pick<Regrade, 'changed'>) {
  if (changed.length === 0) return null;
  return (
    <div className={styles.checkLines}>
      <table className={styles.changes} aria-label="Changed verdicts">
        <thead>
          <tr>
            <th>Problem</th>
            <th>Node</th>
            <th>Before</th>
            <th>After</th>
            <th>Run</th>
          </tr>
        </thead>
        <tbody>
          {changed.slice(0, MAX_ROWS).map(({ runId, problemId, part, index, before, after }) => (
            <tr key={`${runId} ${problemId} ${part} ${index}`} data-selectable>
              <td>{problemId}</td>
              <td>{part === 'search' ? index : `sample ${index}`}</td>
              <td>{verdictStyle(before).label}</td>
              <td>{verdictStyle(after).label}</td>
              <td>{runId}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed.length > MAX_ROWS && <p>and {count(changed.length - MAX_ROWS)} more</p>}
    </div>
  );
}

/** A dialog of one long check: what it does, its progress, its result. */
export function CheckDialog<T>(props: {
  readonly title: string;
  readonly task: TaskKind;
  readonly action: string;
  readonly about: ReactNode;
  readonly work: () => Promise<
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refusal }
  >;
  readonly show: (value: T) => ReactNode;
  readonly onClose: () => void;
}) {
  const { title, task, action, about, work, show, onClose } = props;
  const { tasks } = useWorkbench();
  const running = useTask(task);
  const [state, setState] = useState<CheckState<T>>({ kind: 'idle' });
  const start = async (): Promise<void> => {
    setState({ kind: 'working' });
    const answer = await work();
    if (answer.ok) setState({ kind: 'done', value: answer.value });
    else if (answer.error.code === 'cancelled') setState({ kind: 'idle' });
    else setState({ kind: 'refused', error: answer.error });
  };
  const close = (): void => {
    if (state.kind === 'working') void tasks.cancel(task);
    onClose();
  };
  return (
    <Dialog opened onClose={close} title={title} size="lg" withCloseButton={false}>
      <div className={styles.check}>
        {about}
        {state.kind === 'working' && (
          <TaskLine
            label={taskLabel(running ?? { kind: task, progress: null })}
            share={running === null ? null : taskShare(running)}
            onCancel={() => void tasks.cancel(task)}
          />
        )}
        {state.kind === 'refused' && (
          <div role="alert">
            <p data-selectable>{state.error.message}</p>
            {state.error.hint !== undefined && <Hint text={state.error.hint} />}
          </div>
        )}
        {state.kind === 'done' && <div role="status">{show(state.value)}</div>}
      </div>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={close}>
          Close
        </Button>
        <Button loading={state.kind === 'working'} onClick={() => void start()} data-autofocus>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}

function Lines(props: {
  readonly label: string;
  readonly lines: readonly { readonly key: string; readonly text: string; readonly note: string }[];
}) {
  const { label, lines } = props;
  if (lines.length === 0) return null;
  return (
    <ul className={styles.checkLines} aria-label={label}>
      {lines.slice(0, MAX_ROWS).map(({ key, text, note }) => (
        <li key={key}>
          <span data-selectable>{text}</span> <small>{note}</small>
        </li>
      ))}
      {lines.length > MAX_ROWS && <li>and {count(lines.length - MAX_ROWS)} more</li>}
    </ul>
  );
}
