import { join } from 'node:path';
import type { WorkbenchEvent } from '../../../preload/contract/index';
import type { Emitter } from '../../base/index';
import { createProblemReader } from '../../reports/index';
import type { Registry } from '../../storage/index';
import type { AppLog } from '../app-log';
import { cleanMachine, machineRoom } from '../cleaning/clean-machines';
import type { WorkbenchKind } from '../control/frames';
import { createDiagnostics } from '../diagnostics/create-diagnostics';
import type { Handlers } from '../dispatch';
import type { Services } from '../open-services';
import { programVersion } from '../program-version';
import type { RecentMessages } from '../recent-messages';
import type { SecretStore } from '../secrets';
import type { MachineSockets } from '../service/machine-sockets';
import { clock } from '../service-context';
import { appHandlers, graderInfo } from './app-handlers';
import { comparisonHandlers } from './comparison-handlers';
import { diagnosticsHandlers } from './diagnostics-handlers';
import { exhibitHandlers, reproductionHandlers } from './exhibit-handlers';
import { experimentHandlers } from './experiment-handlers';
import { jobHandlers, serverHandlers } from './job-handlers';
import { libraryHandlers } from './library-handlers';
import { machineHandlers } from './machine-handlers';
import { machineServiceHandlers } from './machine-service-handlers';
import { reportHandlers } from './report-handlers';
import { serviceHandlers } from './service-handlers';
import { studyHandlers } from './study-handlers';
import { trainingHandlers } from './training-handlers';

/** The handlers of all commands but those of the window's file dialogs. */
export function commandHandlers(
  services: Services,
  app: {
    readonly registry: Registry;
    readonly secrets: SecretStore;
    readonly events: Emitter<WorkbenchEvent>;
    readonly appVersion: string;
    readonly dataDir: string;
    /** The project's folder. */
    readonly project: string;
    readonly log: AppLog;
    readonly messages: RecentMessages;
    readonly kind: WorkbenchKind;
    readonly damage: () => string | null;
    readonly wake: () => void;
    readonly machineSockets: MachineSockets;
    readonly onStop: (() => void) | null;
  },
): Handlers {
  const { registry, secrets, events, dataDir } = app;
  const resourcesDir = join(app.project, 'resources');
  const { fleet, monitor, forwards, jobs, terminals, servers, library, outlines, studies, studyDeps } =
    services;
  const { trainings, experiments, comparison, reproductions, reports, exhibits, grader, tasks, gpuDays } =
    services;
  const exhibitOf = (studyId: string): string | null =>
    reproductions.list().find(({ steps }) => steps.some((step) => step.studyId === studyId))?.title ?? null;
  const ofStudies = studyHandlers({
    ...{ registry, studies, studyDeps, trainings, grader, tasks, dataDir, exhibitOf },
    papers: async () =>
      (await exhibits.list()).exhibits.flatMap(({ exhibit }) => exhibit.scales.paper?.benchmark ?? []),
  });
  const work = () => ({
    studies: studies.list(),
    jobs: jobs.views(),
    servers: servers.views(),
    trainings: trainings.list(),
    experiments: experiments.list(),
    reproductions: reproductions.list(),
  });
  const diagnostics = createDiagnostics({
    ...app,
    log: app.log.path,
    monitor,
    grading: async () => ({
      grader: graderInfo(grader.current()),
      ...(await grader.problem()),
    }),
    work,
    messages: app.messages.list,
    now: clock.now,
  });
  const room = { fleet, jobs, clock };
  return {
    ...appHandlers({ ...app, grader }),
    ...serviceHandlers({
      ...{ ...app, work, end: app.onStop },
      version: programVersion(app.project, app.appVersion),
    }),
    ...machineServiceHandlers({
      ...{ fleet, tasks, sockets: app.machineSockets },
      program: { project: app.project, version: app.appVersion },
    }),
    ...diagnosticsHandlers({ diagnostics, log: app.log }),
    ...serverHandlers({ servers, fleet, jobs, registry, tasks, secrets, resourcesDir }),
    ...jobHandlers({ jobs, tasks, fleet, gpus: services.gpus }),
    ...machineHandlers({
      fleet,
      monitor,
      forwards,
      jobs,
      terminals,
      tasks,
      gpuDays,
      resourcesDir,
      onRemoved: (machineId) => events.emit({ kind: 'machine-removed', machineId }),
    }),
    ...libraryHandlers({
      ...{ library, tasks, events, grader, studies },
      problem: createProblemReader(library, outlines),
    }),
    ...ofStudies,
    ...trainingHandlers({ trainings, servers, registry, studies: ofStudies }),
    ...experimentHandlers({ experiments }),
    ...comparisonHandlers({ comparison, tasks }),
    ...reproductionHandlers({ reproductions }),
    ...reportHandlers({ reports, tasks }),
    'machine.room': ({ machineId }) => machineRoom(machineId, room),
    'machine.clean': ({ machineId, ids }) => cleanMachine(machineId, ids, room),
    'job.usage': services.usage.read,
    ...exhibitHandlers({
      ...{ exhibits, fillExhibit: services.fillExhibit },
      ...{ studies: services.studies, trainings: services.trainings },
    }),
  };
}
