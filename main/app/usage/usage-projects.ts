import type { JobView, Study, TrainingView, UsageProject } from '../../../preload/contract/index';
import type { ExperimentService, ReproductionService } from '../../plans/index';
import { serverOwner } from '../../servers/index';
import type { Registry } from '../../storage/index';
import type { TrainingService } from '../../trainings/index';
import type { IsListed } from './usage-table';

/** What ordered a job: the workbench knows no other projects. */
export type Projects = {
  /** null: a person started it. */
  readonly ofJob: (job: Pick<JobView, 'id'>, notes: Readonly<Record<string, string>>) => UsageProject | null;
  /** The reproduction that it is a step of, else itself. */
  readonly ofStudy: (study: Study) => UsageProject;
  /** The reproduction or experiment that began it, else itself. */
  readonly ofTraining: (training: TrainingView) => UsageProject;
  readonly isListed: IsListed;
};

type Lists = {
  readonly trainings: Pick<TrainingService, 'list'>;
  readonly experiments: Pick<ExperimentService, 'list'>;
  readonly reproductions: Pick<ReproductionService, 'list'>;
  readonly registry: Pick<Registry, 'read'>;
};

/** A project with the name that it has now; one that is gone keeps the name of its last line in the ledger. */
export function presentNames(lists: Lists): (project: UsageProject) => UsageProject {
  const names = new Map<string, string>();
  for (const { study } of lists.registry.read().studies) names.set(`study ${study.id}`, study.name);
  for (const { id, name } of lists.trainings.list()) names.set(`training ${id}`, name);
  for (const { id, order } of lists.experiments.list()) names.set(`experiment ${id}`, order.name);
  for (const { id, title } of lists.reproductions.list()) names.set(`reproduction ${id}`, title);
  return (project) => {
    const name = names.get(`${project.kind} ${project.id}`)?.slice(0, 400) ?? project.name;
    return { ...project, name };
  };
}

export function projectsOf({
  jobs,
  trainings,
  experiments,
  reproductions,
  registry,
}: Lists & { readonly jobs: { readonly list: () => readonly { readonly id: string }[] } }): Projects {
  const reproduction = (id: string): UsageProject => {
    const reproduction = reproductions.list().find((candidate) => candidate.id === id);
    return { kind: 'reproduction', id, name: reproduction?.title.slice(0, 400) ?? '' };
  };
  const ofStudy: Projects['ofStudy'] = ({ id, name }) => {
    const of = reproductions.list().find(({ steps }) => steps.some(({ studyId }) => studyId === id));
    return of === undefined ? { kind: 'study', id, name: name.slice(0, 400) } : reproduction(of.id);
  };
  const ofTraining: Projects['ofTraining'] = ({ id, name, experimentId, reproductionId }) => {
    if (reproductionId !== undefined) return reproduction(reproductionId);
    if (experimentId === null) return { kind: 'training', id, name: name.slice(0, 400) };
    const experiment = experiments.list().find((candidate) => candidate.id === experimentId);
    return { kind: 'experiment', id: experimentId, name: experiment?.order.name.slice(0, 400) ?? '' };
  };
  return {
    ofStudy,
    ofTraining,
    ofJob: ({ id }, notes) => {
      const training = trainings.list().find(({ jobId }) => jobId === id);
      if (training !== undefined) return ofTraining(training);
      const owner = serverOwner(notes);
      if (owner === null) return null;
      // "reproduction:ID/STEP"
      const [, ofReproduction] = /^reproduction:([^/]{1,200})\//.exec(owner) ?? [];
      if (ofReproduction !== undefined) return reproduction(ofReproduction);
      const record = registry.read().studies.find(({ study }) => study.id === owner);
      return record === undefined ? { kind: 'study', id: owner, name: '' } : ofStudy(record.study);
    },
    isListed: ({ kind, id }) => {
      switch (kind) {
        case 'job':
          return jobs.list().some((job) => job.id === id);
        case 'study':
          return registry.read().studies.some(({ study, removed }) => study.id === id && !removed);
        case 'training':
          return trainings.list().some((training) => training.id === id);
        case 'experiment':
          return experiments.list().some((listed) => listed.id === id);
        case 'reproduction':
          return reproductions.list().some((listed) => listed.id === id);
      }
    },
  };
}
