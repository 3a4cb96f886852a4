import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import {
  type DraftKey,
  LOCAL_MACHINE,
  readyValue,
  useFormDraft,
  useJobs,
  useMachines,
  useWorkbench,
} from '../state/index';
import { CommandText, FormScreen, LoadingState, Section, usePress } from '../widgets/index';
import { checkJob, draftOfJob, EMPTY_JOB, type JobDraft, type JobField, shellPreview } from './job-draft';
import { JobFields } from './job-fields';

const DRAFT: DraftKey<JobDraft | null> = { name: 'job', empty: null };

/** The form that starts a job. */
export function NewJobScreen(props: {
  /** From the route; null: keep the draft's. */
  readonly machineId: string | null;
  /** From the route: the job to copy. */
  readonly from: string | null;
}) {
  const { machineId, from } = props;
  const [draft, setDraft] = useFormDraft(DRAFT);
  const machines = useMachines();
  const jobs = readyValue(useJobs());
  const { location } = useWorkbench();
  const model = jobs?.find(({ id }) => id === from) ?? null;

  // The route sets the form's initial content once; after that the draft counts.
  useEffect(() => {
    if (machineId === null && from === null) return;
    if (from !== null && jobs === null) return;
    if (model !== null) setDraft(draftOfJob(model));
    else if (machineId !== null) {
      setDraft({
        ...EMPTY_JOB,
        ...draft,
        machineId,
        ...(draft?.machineId === machineId ? {} : { gpuIds: [] }),
      });
    }
    location.go({ kind: 'new-job', machineId: null }, { replace: true });
  }, [machineId, from, jobs, model, draft, setDraft, location]);

  if (machines.kind === 'loading') return <LoadingState text="Loading the machines" />;
  return <JobForm draft={draft ?? { ...EMPTY_JOB, machineId: LOCAL_MACHINE }} onChange={setDraft} />;
}

function JobForm(props: { readonly draft: JobDraft; readonly onChange: (draft: JobDraft | null) => void }) {
  const { draft, onChange } = props;
  const { jobs, location } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const machine = machines.find(({ spec }) => spec.id === draft.machineId) ?? null;
  const checked = checkJob(draft, machine);
  const [submitted, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const shown = checked.errors.filter(({ kind }) => submitted || kind === 'wrong');
  const errorAt = (at: JobField): string | undefined => shown.find((error) => error.at === at)?.message;
  const { busy, press } = usePress(async () => {
    setTried(true);
    if (checked.request === null) return;
    const { request, commandLines } = checked;
    const refused =
      commandLines.length === 1
        ? await jobs.start({ ...request, commandLine: commandLines[0] ?? '' })
        : await jobs.startMany(request, commandLines);
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
      errorCount={submitted ? checked.errors.length : 0}
      warnings={checked.warnings}
      summary={
        <Section title="Script">
          <CommandText
            label="the script"
            text={shellPreview(draft) || null}
            unknown="Enter the command to see it."
          />
        </Section>
      }
    >
      <JobFields
        draft={draft}
        machines={machines}
        machine={machine}
        errorAt={errorAt}
        onChange={(part) => onChange({ ...draft, ...part })}
      />
    </FormScreen>
  );
}
