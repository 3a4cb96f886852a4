import { Button, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { JobView } from '../../preload/contract/job';
import {
  isPartOfServerOrTraining,
  type JobLogsComponent,
  jobHasEnded,
  jobRowActions,
  readyValue,
  useJobs,
  useMachines,
  useSettings,
  useStoredFlag,
  useStoredState,
  useWorkbench,
} from '../state/index';
import { gpuNames } from '../text/gpus';
import {
  count,
  DataTable,
  EmptyState,
  FailedState,
  FilterBar,
  FilteredRows,
  FilterGroups,
  FilterSelect,
  FilterText,
  LoadingState,
  plural,
  Screen,
  useNow,
} from '../widgets/index';
import { jobColumns } from './job-columns';
import { filterJobs, groupCounts, JOB_GROUPS, type JobGroup, removableJobs } from './job-filters';
import { JobPage } from './job-page';
import { useJobPurposes } from './job-purpose';
import { RemoveEnded } from './remove-ended';

const GROUP_LABELS: Readonly<Record<JobGroup, string>> = {
  all: 'All',
  active: 'Active',
  done: 'Done',
  failed: 'Failed',
};

/** The list of jobs; with an id the page of that job. */
export function JobsScreen(props: { readonly jobId: string | null; readonly JobLogs: JobLogsComponent }) {
  const jobs = useJobs();
  const { jobs: store, location } = useWorkbench();
  const start = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      onClick={() => location.go({ kind: 'new-job', machineId: null })}
    >
      Start a job
    </Button>
  );
  if (jobs.kind === 'ready' && props.jobId !== null) {
    const job = jobs.value.find(({ id }) => id === props.jobId);
    if (job !== undefined) return <JobPage key={job.id} job={job} JobLogs={props.JobLogs} />;
    return (
      <Screen title="Job">
        <EmptyState title="Job not found" action={<a href="#/jobs">All jobs</a>}>
          {props.jobId}
        </EmptyState>
      </Screen>
    );
  }
  if (jobs.kind === 'ready' && jobs.value.length > 0) return <JobList jobs={jobs.value} start={start} />;
  return (
    <Screen title="Jobs">
      {jobs.kind === 'loading' && <LoadingState text="Loading the jobs" />}
      {jobs.kind === 'failed' && (
        <FailedState
          title="The jobs could not be read"
          message={jobs.error.message}
          hint={jobs.error.hint}
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      )}
      {jobs.kind === 'ready' && (
        <EmptyState title="No jobs yet" action={start}>
          A job is a command on one of your machines. It keeps running when the connection drops or this app
          closes; its output stays on the machine.
        </EmptyState>
      )}
    </Screen>
  );
}

function JobList(props: { readonly jobs: readonly JobView[]; readonly start: React.ReactNode }) {
  const { jobs, start } = props;
  const workbench = useWorkbench();
  const { location } = workbench;
  const machines = readyValue(useMachines());
  const [group, setGroup] = useStoredState<JobGroup>(
    'jobs.group',
    'all',
    (text) => JOB_GROUPS.find((option) => option === text) ?? null,
  );
  const [storedMachine, setMachine] = useStoredState<string>('jobs.machine', '', (text) => text);
  const [text, setText] = useStoredState<string>('jobs.text', '', (stored) => stored);
  const [all, setAll] = useStoredFlag('jobs.all', false);
  const parts = jobs.filter(isPartOfServerOrTraining);
  const partCount = parts.length;
  const hiddenActive = all ? 0 : groupCounts(parts).active;
  const isEmpty = partCount === jobs.length && !all;
  const nameOf = useMemo(() => {
    const names = new Map(machines?.map(({ spec }) => [spec.id, spec.name]) ?? []);
    return (machineId: string): string => names.get(machineId) ?? machineId;
  }, [machines]);
  const machineIds = [...new Set(jobs.map(({ machineId }) => machineId))];
  // Ignore a stored filter by a machine without jobs: it would hide everything.
  const machineId = machineIds.includes(storedMachine) ? storedMachine : '';
  const onMachine = filterJobs(jobs, { group: 'all', machineId, text, all });
  const counts = groupCounts(onMachine);
  const rows = useMemo(
    () => filterJobs(jobs, { group, machineId, text, all }),
    [jobs, group, machineId, text, all],
  );
  const now = useNow();
  const stalledMinutes = useSettings()?.stalledMinutes ?? null;
  const purposeOf = useJobPurposes();
  const columns = useMemo(
    () =>
      jobColumns({
        nameOf,
        purposeOf,
        gpusOf: (job) =>
          gpuNames(job.gpuIds, machines?.find(({ spec }) => spec.id === job.machineId) ?? null),
        now,
        stalledMinutes,
      }),
    [nameOf, purposeOf, machines, now, stalledMinutes],
  );
  return (
    <Screen
      title="Jobs"
      actions={
        <>
          <RemoveEnded
            jobs={removableJobs(rows)}
            ended={rows.filter(({ state }) => jobHasEnded(state)).length}
            nameOf={nameOf}
          />
          {start}
        </>
      }
      fill={!isEmpty}
      below={
        <FilterBar>
          <FilterGroups
            value={group}
            groups={JOB_GROUPS}
            labels={GROUP_LABELS}
            counts={counts}
            onChange={setGroup}
          />
          {hiddenActive > 0 && <small>{count(hiddenActive)} active of servers and trainings hidden</small>}
          <FilterSelect
            label="Machine"
            width={180}
            value={machineId}
            options={[
              { value: '', label: 'All machines' },
              ...machineIds.map((value) => ({ value, label: nameOf(value) })),
            ]}
            onChange={setMachine}
          />
          <FilterText where="Name, command, id" value={text} onChange={setText} />
          {partCount > 0 && (
            <Switch
              size="xs"
              label={`Jobs of servers and trainings (${partCount})`}
              checked={all}
              onChange={(event) => setAll(event.currentTarget.checked)}
            />
          )}
        </FilterBar>
      }
    >
      {isEmpty ? (
        <EmptyState title="No jobs of your own yet" action={start}>
          {plural(partCount, 'job')} of servers and trainings {partCount === 1 ? 'is' : 'are'} not listed: the
          switch above shows {partCount === 1 ? 'it' : 'them'}.
        </EmptyState>
      ) : (
        <FilteredRows
          shown={rows.length}
          total={jobs.length}
          nouns="jobs"
          onShowAll={() => {
            setGroup('all');
            setMachine('');
            setText('');
            setAll(true);
          }}
        >
          <DataTable
            label="Jobs"
            columns={columns}
            rows={rows}
            rowHeight={30}
            rowKey={({ id }) => id}
            rowLabel={({ name, state }) => `${name}: ${state.kind}`}
            onChoose={({ id }) => location.go({ kind: 'jobs', jobId: id })}
            rowActions={(job) => jobRowActions(workbench, job)}
          />
        </FilteredRows>
      )}
    </Screen>
  );
}
