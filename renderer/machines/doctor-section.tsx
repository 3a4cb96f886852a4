import { Button } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { abilitiesOf, abilityLines } from '../../preload/contract/folds/index';
import type { DoctorCheck, MachineView } from '../../preload/contract/machine';
import { useDoctorReport, useExaminedMachineId, useTask, useWorkbench } from '../state/index';
import { checkStatus, doctorSummary } from '../text/machines';
import { taskLabel, taskShare } from '../text/tasks';
import { CopyTextButton, FailedState, Section, StateMark, TaskLine, TimeAgo } from '../widgets/index';
import { byUrgency, todoCommands, todoParts } from './doctor-text';
import styles from './machines.module.css';

/** The checks of a machine before a first job, each with the commands that fix it. */
export function DoctorSection(props: { readonly machine: MachineView }) {
  const { spec, connection } = props.machine;
  const { machineActions } = useWorkbench();
  const report = useDoctorReport(spec.id);
  const examined = useExaminedMachineId();
  const task = useTask('doctor');
  const isExamining = examined === spec.id;
  const isConnected = connection.kind === 'connected';
  return (
    <Section
      title="Doctor"
      aside={
        <>
          {!isExamining && (
            <>
              <Button
                variant="default"
                size="compact-sm"
                disabled={!isConnected || examined !== null}
                leftSection={<IconStethoscope size={14} aria-hidden="true" />}
                onClick={() => void machineActions.runDoctor(spec.id)}
              >
                {report === null ? 'Check this machine' : 'Check again'}
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                disabled={!isConnected || examined !== null}
                title="What trainings of language models need: PyTorch, devices, memory, disk, one step of a tiny model"
                onClick={() => void machineActions.checkLearner(spec.id)}
              >
                Check the learner
              </Button>
            </>
          )}
          {isExamining && (
            <TaskLine
              label={task === null ? 'Checking the machine' : taskLabel(task)}
              share={task === null ? null : taskShare(task)}
              onCancel={machineActions.cancelDoctor}
            />
          )}
          {!isExamining && examined !== null && (
            <span className={styles.soft}>The doctor is checking another machine.</span>
          )}
          {report?.kind === 'found' && !isExamining && (
            <span className={styles.soft}>
              {doctorSummary(report.checks)}, <TimeAgo at={new Date(report.at).toISOString()} />
            </span>
          )}
        </>
      }
    >
      {report === null && !isExamining && (
        <p className={styles.soft}>
          Checks what a first job needs: login shell, disk, Python, GPU driver, inference engines, ports,
          clock, tmux, limits, forwarding, sandbox. It changes nothing on the machine. Whether language models
          can be trained here is checked apart, as that takes seconds.
        </p>
      )}
      {report?.kind === 'refused' && (
        <FailedState
          title="The machine could not be checked"
          message={report.error.message}
          hint={report.error.hint}
        />
      )}
      {report?.kind === 'found' && (
        <>
          <Abilities checks={report.checks} />
          <ul className={styles.checks} data-old={isExamining || undefined}>
            {byUrgency(report.checks).map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** What all that comes to: what the machine can do now, and what not. */
function Abilities(props: { readonly checks: readonly DoctorCheck[] }) {
  const abilities = abilitiesOf(props.checks);
  return abilities === null
    ? null
    : abilityLines(abilities).map((line) => (
        <p key={line} className={styles.ability} data-selectable>
          {line}
        </p>
      ));
}

function Check(props: { readonly check: DoctorCheck }) {
  const { title, state, found, todo } = props.check;
  const typed = todo === null ? '' : todoCommands(todo);
  return (
    <li data-state={state}>
      <StateMark {...checkStatus(props.check)} />
      <b>{title}</b>
      <div>
        <span data-selectable>{found}</span>
        {todo !== null && (
          <p className={styles.todo}>
            <span data-selectable>
              {todoParts(todo).map((part, at) =>
                part.isCommand ? <code key={at}>{part.text}</code> : <span key={at}>{part.text}</span>,
              )}
            </span>
            {typed !== '' && <CopyTextButton label={`Copy the commands for ${title}`} read={() => typed} />}
          </p>
        )}
      </div>
    </li>
  );
}
