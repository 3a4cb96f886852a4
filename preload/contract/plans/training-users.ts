import type { ExperimentView } from '../experiment';
import type { ServerLaunch } from '../launch';
import type { StudyView } from '../study';

/** What else uses a training, or its checkpoints, in words: `the study "X"`. */
export function trainingUsers(
  trainingId: string,
  lists: {
    readonly experiments: readonly ExperimentView[];
    readonly studies: readonly StudyView[];
    readonly launches: readonly Pick<ServerLaunch, 'id' | 'weights'>[];
  },
): readonly string[] {
  const served = lists.launches.filter(({ weights }) => weights.includes(`/${trainingId}/checkpoints/`));
  const launchIds = new Set(served.map(({ id }) => id));
  const experiments = lists.experiments.filter(({ trainings }) =>
    trainings.some((training) => training.trainingId === trainingId),
  );
  const studies = lists.studies.filter(({ study }) =>
    study.runs.some(({ team }) =>
      team.servers.some(
        (server) =>
          (server.kind === 'pocket' && server.trained?.trainingId === trainingId) ||
          (server.kind === 'launch' && launchIds.has(server.launchId)),
      ),
    ),
  );
  return [
    ...experiments.map(({ order }) => `the experiment "${order.name}"`),
    ...studies.map(({ study }) => `the study "${study.name}"`),
  ];
}

/** While it is in the trash its files are where they were. null: nothing uses it. */
export function trainingUsersText(users: readonly string[]): string | null {
  if (users.length === 0) return null;
  return `Used by ${users.join(', ')}. Their results stay, and its checkpoints can be used until they are deleted for good.`;
}
