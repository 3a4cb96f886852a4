import type {
  Benchmark,
  Exhibit,
  ExhibitResult,
  Refusal,
  Regrade,
  ReproductionView,
  Study,
} from '../../preload/contract/index';
import type { Result } from '../base/index';
import type { Registry, StudyRecord } from '../storage/index';
import type { HueAssignments, RunComparisons } from '../studies/index';
import type { BenchmarkOutline, BenchmarkOutlines } from './benchmark-outlines';
import type { DrawFigure } from './figure-worker';

/** What reports need of the rest of the workbench. */
export type ReportDeps = {
  readonly comparison: Pick<RunComparisons, 'read'>;
  readonly registry: Pick<Registry, 'read'>;
  readonly reproductions: {
    readonly list: () => readonly ReproductionView[];
    /** As it was when it was ordered; null: there is no such reproduction. */
    readonly exhibitOf: (reproductionId: string) => Exhibit | null;
    readonly result: (
      exhibitId: string,
      scale: ExhibitResult['scale'],
      reproductionId: string,
    ) => Promise<Result<ExhibitResult, Refusal>>;
  };
  readonly library: {
    readonly list: () => readonly Benchmark[];
    readonly outline: (benchmarkId: string) => Promise<Result<BenchmarkOutline['problems'], Refusal>>;
  };
  /** Colours of configurations. */
  readonly hues: HueAssignments;
  /** Path of a run's journal. */
  readonly journal: (studyId: string, runId: string) => string;
  /** `renderFigure`, or the same in a thread of its own. */
  readonly draw: DrawFigure;
  readonly appVersion: string;
};

/** Whoever waits for a bundle hears how far it is, and may call it off. */
export type BundleOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: {
    readonly what: string;
    readonly done: number;
    readonly total: number;
    readonly unit: 'bytes' | 'runs' | 'steps';
  }) => void;
};

/** What bundles need beside that. */
export type BundleDeps = ReportDeps & {
  readonly studies: {
    readonly isRunning: (studyId: string) => boolean;
    /** Where a study's journals are. */
    readonly folder: (studyId: string) => string;
    /** Lists studies whose journals are in place. */
    readonly adopt: (records: readonly StudyRecord[]) => Promise<Result<null, Refusal>>;
    readonly regrade: (study: Study) => Promise<Regrade | null>;
    readonly saveRegrade: (study: Study, regrade: Regrade) => Promise<void>;
  };
  readonly reproductions: ReportDeps['reproductions'] & {
    readonly folder: (reproductionId: string) => string;
    /** Takes the files of a reproduction from the folder `from` and lists it, to be looked at alone. */
    readonly adopt: (reproductionId: string, from: string) => Promise<Result<null, Refusal>>;
  };
  readonly exhibits: {
    /** Keeps one that the library does not have. */
    readonly save: (exhibit: Exhibit) => Promise<void>;
  };
  readonly outlines: Pick<BenchmarkOutlines, 'save'>;
  readonly dataDir: string;
};
