import { type ReactNode, useMemo } from 'react';
import type { JobView } from '../../preload/contract/job';
import {
  pathOf,
  readyValue,
  useExperiments,
  useReproductions,
  useServers,
  useStudies,
  useTrainings,
} from '../state/index';

/** What a job is there for: in words, and the page of what it belongs to; null: it has none. */
export type JobPurpose = {
  /** "server", "training" or the purpose as it is noted. */
  readonly kind: string;
  /** The study, reproduction, experiment or training. */
  readonly of: { readonly name: string; readonly path: string } | null;
};

/** "server of Quickstart"; null: of a plain command, whose row says it. */
export function purposeText({ kind, of }: JobPurpose): string | null {
  if (kind === 'command') return null;
  return of === null ? kind : `${kind} of ${of.name}`;
}

/** What each job is there for, by what is known now. */
export function useJobPurposes(): (job: JobView) => JobPurpose {
  const studies = readyValue(useStudies());
  const servers = readyValue(useServers());
  const trainings = readyValue(useTrainings());
  const experiments = readyValue(useExperiments());
  const reproductions = readyValue(useReproductions());
  return useMemo(() => {
    const ofReproduction = (id: string | undefined): JobPurpose['of'] => {
      const found = reproductions?.find((reproduction) => reproduction.id === id);
      return found === undefined
        ? null
        : { name: found.title, path: pathOf({ kind: 'reproduction', reproductionId: found.id }) };
    };
    const ofServer = ({ id, owner }: JobView): JobPurpose['of'] => {
      const reproductionId = owner?.match(/^reproduction:([^/]*)/)?.[1];
      if (reproductionId !== undefined) return ofReproduction(reproductionId);
      // Jobs of earlier versions do not say it, but servers that are still listed do.
      const studyId = owner ?? servers?.find(({ jobId }) => jobId === id)?.studyId;
      const view = studies?.find(({ study }) => study.id === studyId);
      return view === undefined
        ? null
        : { name: view.study.name, path: pathOf({ kind: 'study', studyId: view.study.id }) };
    };
    const ofTraining = ({ id }: JobView): JobPurpose['of'] => {
      const training = trainings?.find(({ jobId }) => jobId === id);
      const experiment = experiments?.find((one) => one.id === training?.experimentId);
      return experiment === undefined
        ? ofReproduction(training?.reproductionId)
        : { name: experiment.order.name, path: pathOf({ kind: 'experiment', experimentId: experiment.id }) };
    };
    return (job) => {
      if (job.purpose === 'model-server') return { kind: 'server', of: ofServer(job) };
      return { kind: job.purpose, of: job.purpose === 'training' ? ofTraining(job) : null };
    };
  }, [studies, servers, trainings, experiments, reproductions]);
}

/** Links to the server or training of the job, and to the study or plan that it is a part of. */
export function JobPurposeLinks({ job }: { readonly job: JobView }): ReactNode {
  const trainings = readyValue(useTrainings()) ?? [];
  const { of } = useJobPurposes()(job);
  const ofWhat = of !== null && (
    <>
      {' '}
      of <a href={`#${of.path}`}>{of.name}</a>
    </>
  );
  if (job.purpose === 'model-server') {
    return (
      <>
        <a href={`#${pathOf({ kind: 'servers', serverId: null })}`}>model server</a>
        {ofWhat}
      </>
    );
  }
  const training = trainings.find(({ jobId }) => jobId === job.id);
  if (training === undefined) return job.purpose;
  const route = { kind: 'training', trainingId: training.id, tab: 'curves' } as const;
  return (
    <>
      training <a href={`#${pathOf(route)}`}>{training.name}</a>
      {ofWhat}
    </>
  );
}
