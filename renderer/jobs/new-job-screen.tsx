import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import { LOCAL_MACHINE, readyValue, useJobs, useMachines, useWorkbench } from '../state/index';
import { CommandText, FormScreen, LoadingState, Section, usePress } from '../widgets/index';
import { checkJob, draftOfJob, EMPTY_JOB, type JobDraft, type JobSpot, shellPreview } from './job-draft';
import { JobFields } from './job-fields';

/** The form that starts a job. What was typed is the caller's, so it outlives a look at another screen. */
export function NewJobScreen(props: {
  /** Of the address; null: the draft's own. */
  readonly machineId: string | null;
  /** The job that this one is a copy of, from the address. */
  readonly from: string | null;
  readonly kept: JobDraft | null;
  readonly onKept: (draft: JobDraft | null) => void;
}) {
  const { machineId, from, kept, onKept } = props;
  const machines = useMachines();
  const jobs = readyValue(useJobs());
  const { location } = useWorkbench();
  const model = jobs?.find(({ id }) => id === from) ?? null;

  // The address says once what the form begins with; from then on the form knows.
  useEffect(() => {
    if (machineId === null && from === null) return;
    if (from !== null && jobs === null) return;
    if (model !== null) onKept(draftOfJob(model));
    else if (machineId !== null) {
      onKept({ ...EMPTY_JOB, ...kept, machineId, ...(kept?.machineId === machineId ? {} : { gpuIds: [] }) });
    }
    location.go({ kind: 'new-job', machineId: null }, { replace: true });
  }, [machineId, from, jobs, model, kept, onKept, location]);

  if (machines.kind === 'loading') return <LoadingState what="Reading the machines" />;
  const draft = kept ?? { ...EMPTY_JOB, machineId: LOCAL_MACHINE };
  return <JobForm draft={draft} onChange={onKept} />;
}

function JobForm(props: { readonly draft: JobDraft; readonly onChange: (draft: JobDraft | null) => void }) {
  const { draft, onChange } = props;
  const { jobs, location } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const machine = machines.find(({ spec }) => spec.id === draft.machineId) ?? null;
  const checked = checkJob(draft, machine);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const shown = checked.faults.filter(({ kind }) => tried || kind === 'wrong');
  const faultAt = (at: JobSpot): string | undefined => shown.find((fault) => fault.at === at)?.message;
  const { busy, press } = usePress(async () => {
    setTried(true);
    if (checked.order === null) return;
    const { order, commandLines } = checked;
    const refused =
      commandLines.length === 1
        ? await jobs.start({ ...order, commandLine: commandLines[0] ?? '' })
        : await jobs.startMany(order, commandLines);
    setRefusal(refused);
    if (refused === null) onChange(null);
  });
  return (
    <FormScreen
      title="Start a job"
      actions={
        <>
          <Button variant="default" onClick={() => location.go({ kind: 'jobs', jobId: null })}>
            Back to jobs
          </Button>
          <Button loading={busy} onClick={press} title="Ctrl+Enter">
            {checked.commandLines.length > 1 ? `Start ${checked.commandLines.length} jobs` : 'Start job'}
          </Button>
        </>
      }
      busy={busy}
      onSubmit={press}
      refusal={{ title: 'The job was not started', reason: refusal }}
      errorCount={tried ? checked.faults.length : 0}
      warnings={checked.warnings}
      summary={
        <Section title="What will run">
          <CommandText label="what will run" text={shellPreview(draft) || '# nothing yet'} />
        </Section>
      }
    >
      <JobFields
        draft={draft}
        machines={machines}
        machine={machine}
        faultAt={faultAt}
        onChange={(part) => onChange({ ...draft, ...part })}
      />
    </FormScreen>
  );
}
