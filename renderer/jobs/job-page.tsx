import { Button, Menu } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { idleGpusText } from '../../preload/contract/folds/index';
import type { JobView } from '../../preload/contract/job';
import { ProvenanceSection } from '../shared/provenance/index';
import {
  type JobLogsComponent,
  jobHasEnded,
  useMachine,
  usePendingJobAction,
  useSettings,
  useWorkbench,
} from '../state/index';
import { gpuNames } from '../text/gpus';
import { explainJob, mayWriteMore, ranMs, stalledSince } from '../text/jobs';
import {
  bytes,
  CommandText,
  ConfirmDialog,
  clockTime,
  duration,
  Fact,
  Facts,
  LoadingState,
  MoreMenu,
  Screen,
  Section,
  SidebarLayout,
  TimeAgo,
  useNow,
  usePress,
} from '../widgets/index';
import { JobPorts } from './job-ports';
import { JobPurposeLinks } from './job-purpose';
import { JobStateMark } from './job-state';
import { JobTimeline } from './job-timeline';
import styles from './jobs.module.css';

/** Apart, so that the first screen does not wait for charts. */
const JobGpus = lazy(() => import('../shared/gpus/index').then(({ JobGpus }) => ({ default: JobGpus })));

/** One job with its logs. */
export function JobPage(props: { readonly job: JobView; readonly JobLogs: JobLogsComponent }) {
  const { job, JobLogs } = props;
  const machine = useMachine(job.machineId);
  const machineName = machine?.spec.name ?? job.machineId;
  const [asking, setAsking] = useState<'stop' | 'remove' | null>(null);
  const { jobs } = useWorkbench();
  // It ended while the question was open: there is nothing to stop any more.
  if (asking === 'stop' && jobHasEnded(job.state)) setAsking(null);
  return (
    <Screen
      title={job.name}
      aside={<JobStateMark job={job} />}
      actions={<JobActions job={job} onAsk={setAsking} />}
      below={<Explanation job={job} machineName={machineName} />}
      fill
    >
      <SidebarLayout label="About the job" sidebar={<About job={job} machineName={machineName} />}>
        <Suspense fallback={<LoadingState text="Opening the log" />}>
          <JobLogs
            jobId={job.id}
            name={job.name}
            hasSetUp={job.setUp.trim() !== ''}
            size={job.logBytes}
            live={mayWriteMore(job.state)}
          />
        </Suspense>
      </SidebarLayout>
      <ConfirmDialog
        opened={asking === 'stop'}
        title={`Stop ${job.name}?`}
        confirm="Stop job"
        cancel="Keep it running"
        onConfirm={() => void jobs.stop(job.id)}
        onClose={() => setAsking(null)}
      >
        {job.state.kind === 'queued'
          ? 'The job is removed from the queue and does not start.'
          : `All its processes on ${machineName} are asked to end, and killed if they do not. The workbench then checks that they are gone. Output is kept.`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'remove'}
        title={`Remove ${job.name}?`}
        confirm="Remove job"
        cancel="Keep it"
        onConfirm={() => void jobs.remove(job.id)}
        onClose={() => setAsking(null)}
      >
        Deletes its folder on {machineName} with {bytes(job.logBytes)} of output. This cannot be undone. Files
        written elsewhere are kept.
      </ConfirmDialog>
    </Screen>
  );
}

function JobActions(props: { readonly job: JobView; readonly onAsk: (action: 'stop' | 'remove') => void }) {
  const { job, onAsk } = props;
  const { jobs, location } = useWorkbench();
  const pendingAction = usePendingJobAction(job.id);
  const ended = jobHasEnded(job.state);
  return (
    <>
      {!ended && (
        <Button
          variant="default"
          loading={pendingAction === 'stop'}
          leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
          onClick={() => onAsk('stop')}
        >
          Stop
        </Button>
      )}
      {ended && (
        <Button
          variant="default"
          loading={pendingAction === 'retry'}
          title="Run the same command again; output is appended to the log"
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          onClick={() => void jobs.retry(job.id)}
        >
          Run again
        </Button>
      )}
      <MoreMenu busy={pendingAction === 'remove'}>
        <Menu.Item onClick={() => location.go({ kind: 'new-job', machineId: null, from: job.id })}>
          Duplicate and edit
        </Menu.Item>
        <Menu.Item color="red" disabled={!ended} onClick={() => onAsk('remove')}>
          Remove
        </Menu.Item>
      </MoreMenu>
    </>
  );
}

/** Explains states that need it. */
function Explanation(props: { readonly job: JobView; readonly machineName: string }) {
  const { job, machineName } = props;
  const now = useNow();
  const limit = useSettings()?.stalledMinutes ?? null;
  const explanation = explainJob(job, machineName);
  if (explanation !== null) {
    return (
      <div className={styles.explanation} data-tone={job.state.kind}>
        <span data-selectable>{explanation.message}</span>
        {explanation.help.includes('connect') && <ConnectButton machineId={job.machineId} />}
      </div>
    );
  }
  if (job.idleGpus !== undefined) {
    return (
      <div className={styles.explanation} data-tone="unknown" role="alert">
        <span data-selectable>{idleGpusText(job.idleGpus)}</span>
      </div>
    );
  }
  const silent = stalledSince(job, limit, now);
  return silent === null ? null : (
    <div className={styles.explanation} data-tone="unknown">
      <span>
        The job is running but has written nothing for {duration(now - Date.parse(silent))}, longer than your
        limit of {limit} min.
      </span>
    </div>
  );
}

function ConnectButton(props: { readonly machineId: string }) {
  const { client, notices } = useWorkbench();
  const { busy, press } = usePress(async () => {
    const answer = await client.call('machine.connect', { machineId: props.machineId });
    if (!answer.ok) notices.showRefusal(answer.error);
  });
  return (
    <Button variant="default" size="compact-xs" loading={busy} onClick={press}>
      Connect
    </Button>
  );
}

function About(props: { readonly job: JobView; readonly machineName: string }) {
  const { job, machineName } = props;
  const machine = useMachine(job.machineId);
  const now = useNow(5_000);
  const ran = ranMs(job, now);
  const environment = Object.entries(job.env ?? {});
  return (
    <>
      <Facts label="Facts">
        <Fact name="Machine">{machineName}</Fact>
        {job.purpose !== 'command' && (
          <Fact name="Purpose">
            <JobPurposeLinks job={job} />
          </Fact>
        )}
        <Fact name="GPUs">{gpuText(job, gpuNames(job.gpuIds, machine))}</Fact>
        {job.slurmId !== null && <Fact name="Slurm job">{job.slurmId}</Fact>}
        {job.state.kind === 'running' && job.state.pid !== null && (
          <Fact name="Process">{job.state.pid}</Fact>
        )}
        <Time name="Created" at={job.createdAt} />
        <Time name="Started" at={job.startedAt} />
        <Time name="Ended" at={job.endedAt} />
        {ran !== null && <Fact name={ranName(job)}>{duration(ran)}</Fact>}
        <Time name="Last output" at={job.lastOutputAt} />
        <Fact name="Output">{bytes(job.logBytes)}</Fact>
        {(job.attempts > 1 || job.retry.lost + job.retry.failed > 0) && (
          <Fact name="Attempts">{attemptsText(job)}</Fact>
        )}
        <JobFolder path={job.cwd ?? job.folder ?? null} />
        {environment.length > 0 && (
          <Fact name="Environment" mono block>
            {environment.map(([name, value]) => `${name}=${value}`).join('\n')}
          </Fact>
        )}
      </Facts>
      <div className={styles.commands}>
        {job.setUp.trim() !== '' && (
          <Section title="Set-up">
            <CommandText label="set-up" text={job.setUp} />
          </Section>
        )}
        <Section title="Command">
          <CommandText label="command" text={job.commandLine} />
        </Section>
        <JobPorts job={job} machine={machine} />
        {mayHaveGpus(job) && (
          <Suspense fallback={null}>
            <JobGpus job={job} />
          </Suspense>
        )}
        <Section title="Timeline">
          <JobTimeline moments={job.timeline} />
        </Section>
        <ProvenanceSection jobId={job.id} />
      </div>
    </>
  );
}

function Time(props: { readonly name: string; readonly at: string | null }): ReactNode {
  if (props.at === null) return null;
  return (
    <Fact name={props.name}>
      {clockTime(props.at)}, <TimeAgo at={props.at} />
    </Fact>
  );
}

/** `path` null: its own, which is not made yet. */
function JobFolder({ path }: { readonly path: string | null }) {
  return (
    <Fact name="Folder" mono={path !== null} block={path !== null}>
      {path === null ? "the job's own" : <CommandText label="the folder" text={path} />}
    </Fact>
  );
}

function ranName({ state, endedAt }: JobView): string {
  if (state.kind === 'unknown') return 'Ran at least';
  return endedAt === null ? 'Running for' : 'Ran for';
}

function mayHaveGpus({ gpuIds, resources, env }: JobView): boolean {
  return gpuIds.length > 0 || resources.gpus > 0 || env?.CUDA_VISIBLE_DEVICES !== undefined;
}

function gpuText({ resources, gpuIds }: JobView, names: string): string {
  if (gpuIds.length > 0) return names;
  if (resources.gpus === 0 && resources.gpuIds === null) return 'none';
  const least =
    resources.gpuMemoryMib === null
      ? ''
      : `, each with ${(resources.gpuMemoryMib / 1_024).toFixed(0)} GiB free`;
  return `requested ${Math.max(resources.gpus, resources.gpuIds?.length ?? 0)}${least}`;
}

function attemptsText({ attempts, retry }: JobView): string {
  const again = [
    ...(retry.lost > 0 ? [`up to ${retry.lost} more when lost`] : []),
    ...(retry.failed > 0 ? [`up to ${retry.failed} more when failed`] : []),
  ];
  return again.length === 0 ? String(attempts) : `${attempts} (${again.join(', ')})`;
}
