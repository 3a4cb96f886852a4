import type { WorkbenchEvent } from '../../../preload/contract/index';
import type { Emitter } from '../../base/index';
import type { BenchmarkLibrary } from '../../benchmarks/index';
import type { ExhibitLibrary } from '../../exhibits/index';
import type { JobService } from '../../jobs/index';
import type { MachineFleet, MachineMonitor } from '../../machines/index';
import type { ServerService } from '../../servers/index';
import type { Registry } from '../../storage/index';
import type { PocketCheckpoints, RunComparisons, StudyService } from '../../studies/index';
import type { TrainingService } from '../../trainings/index';
import type { OnProblem } from '../plan-store';
import type { PlanTrainings } from '../training-steps';

/** What reproductions need from the rest of the workbench. */
export type ReproductionDeps = {
  readonly exhibits: Pick<ExhibitLibrary, 'get' | 'list' | 'enteredIds' | 'onChange'>;
  readonly trainings: PlanTrainings & Pick<TrainingService, 'checkpoints' | 'estimate' | 'leaveReproduction'>;
  readonly studies: Pick<StudyService, 'list' | 'conflict' | 'add' | 'start' | 'stop' | 'results'>;
  readonly servers: Pick<ServerService, 'ensure' | 'views' | 'stopOwnedBy'>;
  readonly checkpoints: Pick<PocketCheckpoints, 'ensure' | 'trained'>;
  readonly machines: Pick<MachineFleet, 'get'>;
  readonly monitor: Pick<MachineMonitor, 'views'>;
  readonly jobs: Pick<JobService, 'list'>;
  readonly library: Pick<BenchmarkLibrary, 'list' | 'outline' | 'ensurePocket' | 'find'>;
  readonly registry: Pick<Registry, 'read' | 'update'>;
  readonly comparison: Pick<RunComparisons, 'viewsOf' | 'diversity'>;
  readonly events: Emitter<WorkbenchEvent>;
  /** Of the records. */
  readonly folder: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other reproduction has; a plain file name. */
  readonly newId: () => string;
  /** Pocket trainings that may run at once. */
  readonly slots: number;
  readonly onError: OnProblem;
};
