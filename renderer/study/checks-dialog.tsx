import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Regrade, Verification } from '../../preload/contract/checks';
import type { Refusal } from '../../preload/contract/refusal';
import type { Study } from '../../preload/contract/study';
import { type Reading, type TaskKind, taskShare, taskWords, useTask, useWorkbench } from '../state/index';
import { count, Hint, plural, Select, TaskLine } from '../widgets/index';
import styles from './study.module.css';

type Outcome<T> =
  | { readonly kind: 'asked' }
  | { readonly kind: 'working' }
  | { readonly kind: 'refused'; readonly error: Refusal }
  | { readonly kind: 'done'; readonly value: T };

/** Does the study replay: does every seed lead to the same node by the same draws? */
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
          Every tree is searched again from its seed, with the recorded outcomes, and each node's place and
          every draw is compared. Nothing is written.
        </p>
      }
      show={({ trees, nodes, values, withoutDraws, mismatches }) => (
        <>
          <p>
            {mismatches.length === 0 ? (
              <b>The journals replay.</b>
            ) : (
              <b>{plural(mismatches.length, 'tree')} depart from the seed.</b>
            )}{' '}
            {plural(trees, 'tree')}, {plural(nodes, 'node')} where the seed leads, {count(values)} draws and
            bounds equal to the last bit.
            {withoutDraws > 0 && ` ${plural(withoutDraws, 'node')} of journals that tell no draws.`}
          </p>
          <Lines
            label="Trees that depart"
            lines={mismatches.map(({ runId, problemId, index, what }) => ({
              key: `${runId} ${problemId} ${index}`,
              text: `${problemId}, node ${index}: ${what}`,
              note: runId,
            }))}
          />
        </>
      )}
    />
  );
}

const HOW_MANY = [
  { value: '200', label: '200 programs' },
  { value: '1000', label: '1,000 programs' },
  { value: 'all', label: 'every program' },
] as const;
const READINGS = [
  { value: 'same', label: 'by the reading of the study' },
  { value: 'as-program', label: 'as a judge would' },
  { value: 'as-published', label: "as the benchmark's own grader" },
] as const;

/** Are the verdicts stable? Private tests once more, or by the other reading. */
export function RegradeDialog(props: {
  readonly study: Study;
  /** The reading that is offered first; left out: the study's own. */
  readonly reading?: Reading;
  readonly onClose: () => void;
}) {
  const { study, onClose } = props;
  const { studyChecks } = useWorkbench();
  const [many, setMany] = useState<(typeof HOW_MANY)[number]['value']>('200');
  const [reading, setReading] = useState<(typeof READINGS)[number]['value']>(props.reading ?? 'same');
  return (
    <CheckDialog<Regrade>
      title="Grade again"
      task="regrade"
      action="Grade again"
      onClose={onClose}
      work={() =>
        studyChecks.regrade(study.id, {
          ...(many === 'all' ? {} : { programs: Number(many) }),
          ...(reading === 'same' ? {} : { grading: reading }),
        })
      }
      about={
        <>
          <p>
            Private tests are run once more. A verdict that changes is noise of the grader, or a changed
            computer; the study stays as it is.
          </p>
          <Group gap="sm">
            <Select
              aria-label="How many programs"
              w={150}
              allowDeselect={false}
              value={many}
              data={[...HOW_MANY]}
              onChange={(value) => setMany(HOW_MANY.find((one) => one.value === value)?.value ?? '200')}
            />
            <Select
              aria-label="Reading"
              w={240}
              allowDeselect={false}
              value={reading}
              data={[...READINGS]}
              onChange={(value) => setReading(READINGS.find((one) => one.value === value)?.value ?? 'same')}
            />
          </Group>
        </>
      }
      show={({ graded, changed, faults }) => (
        <>
          <p>
            <b>
              {changed.length === 0
                ? 'Every verdict is the same.'
                : `${plural(changed.length, 'verdict')} changed.`}
            </b>{' '}
            {plural(graded, 'program')} graded
            {faults > 0 && `, ${plural(faults, 'sandbox fault')}`}.
          </p>
          <Lines
            label="Changed verdicts"
            lines={changed.map(({ runId, problemId, part, index, before, after }) => ({
              key: `${runId} ${problemId} ${part} ${index}`,
              text: `${problemId}, ${part === 'search' ? 'node' : 'sample'} ${index}: ${before} → ${after}`,
              note: runId,
            }))}
          />
        </>
      )}
    />
  );
}

function CheckDialog<T>(props: {
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
  const [outcome, setOutcome] = useState<Outcome<T>>({ kind: 'asked' });
  const start = async (): Promise<void> => {
    setOutcome({ kind: 'working' });
    const answer = await work();
    if (answer.ok) setOutcome({ kind: 'done', value: answer.value });
    else if (answer.error.code === 'cancelled') setOutcome({ kind: 'asked' });
    else setOutcome({ kind: 'refused', error: answer.error });
  };
  const close = (): void => {
    if (outcome.kind === 'working') void tasks.cancel(task);
    onClose();
  };
  return (
    <Modal opened onClose={close} title={title} size="lg" withCloseButton={false}>
      <div className={styles.check}>
        {about}
        {outcome.kind === 'working' && (
          <TaskLine
            words={taskWords(running ?? { kind: task, progress: null })}
            share={running === null ? null : taskShare(running)}
            onCancel={() => void tasks.cancel(task)}
          />
        )}
        {outcome.kind === 'refused' && (
          <div role="alert">
            <p data-selectable>{outcome.error.message}</p>
            {outcome.error.hint !== undefined && <Hint text={outcome.error.hint} />}
          </div>
        )}
        {outcome.kind === 'done' && <div role="status">{show(outcome.value)}</div>}
      </div>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={close}>
          Close
        </Button>
        <Button loading={outcome.kind === 'working'} onClick={() => void start()} data-autofocus>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}

/** A long list that scrolls in its own box. */
const MOST_LINES = 500;

function Lines(props: {
  readonly label: string;
  readonly lines: readonly { readonly key: string; readonly text: string; readonly note: string }[];
}) {
  const { label, lines } = props;
  if (lines.length === 0) return null;
  return (
    <ul className={styles.checkLines} aria-label={label}>
      {lines.slice(0, MOST_LINES).map(({ key, text, note }) => (
        <li key={key}>
          <span data-selectable>{text}</span> <small>{note}</small>
        </li>
      ))}
      {lines.length > MOST_LINES && <li>and {count(lines.length - MOST_LINES)} more</li>}
    </ul>
  );
}
