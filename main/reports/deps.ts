import type {
  Analysis,
  Benchmark,
  CheckedPayload,
  Exhibit,
  ExhibitFill,
  ExhibitResult,
  ExperimentDetails,
  ExperimentLine,
  ExperimentResult,
  ExperimentView,
  FilledExhibit,
  Origin,
  Refusal,
  Regrade,
  ReproductionRequest,
  ReproductionView,
  Study,
  StudyOutcomes,
  Usage,
  UsageRequest,
  Value,
} from '../../preload/contract/index';
import type { CsvFile, Result } from '../base/index';
import type { OutcomeFile, Registry, StudyRecord } from '../storage/index';
import type { HueAssignments, RunComparisons } from '../studies/index';
import type { BenchmarkOutline, BenchmarkOutlines } from './benchmark-outlines';
import type { DrawFigure } from './figure-worker';

/** What reports need from the rest of the workbench. */
export type ReportDeps = {
  readonly comparison: Pick<RunComparisons, 'read'>;
  readonly registry: Pick<Registry, 'read'>;
  readonly reproductions: {
    readonly list: () => readonly ReproductionView[];
    /** The exhibit as it was when the reproduction started; null: there is no such reproduction. */
    readonly exhibitOf: (reproductionId: string) => Exhibit | null;
    readonly result: (
      exhibitId: string,
      scale: ReproductionRequest['scale'],
      reproductionId: string,
    ) => Promise<Result<ExhibitResult, Refusal>>;
    readonly outcomeFiles: (reproductionId: string) => Promise<readonly OutcomeFile[]>;
  };
  readonly experiments: {
    readonly list: () => readonly ExperimentView[];
    readonly result: (experimentId: string) => Promise<Result<ExperimentResult, Refusal>>;
    readonly details: (experimentId: string) => Promise<Result<ExperimentDetails, Refusal>>;
    readonly lines: (experimentId: string) => Promise<Result<readonly ExperimentLine[], Refusal>>;
    readonly outcomeFiles: (experimentId: string) => Promise<readonly OutcomeFile[]>;
  };
  /** Rows of an exhibit that a study of small language models fills. */
  readonly fillExhibit: (fill: ExhibitFill) => Promise<Result<FilledExhibit, Refusal>>;
  readonly library: {
    readonly list: () => readonly Benchmark[];
    readonly outline: (benchmarkId: string) => Promise<Result<BenchmarkOutline['problems'], Refusal>>;
  };
  /** Colours of configurations. */
  readonly hues: HueAssignments;
  /** What a study's journals have, and which of them are damaged. */
  readonly outcomes: (studyId: string) => Promise<Result<StudyOutcomes, Refusal>>;
  /** Path of a run's journal. */
  readonly journal: (studyId: string, runId: string) => string;
  /** Path of the journal of a re-grade. */
  readonly regrade: (studyId: string, regradeId: string) => string;
  /** What made the servers of a study and the trainings of a reproduction. */
  readonly origins: {
    readonly ofStudy: (studyId: string) => Promise<Result<readonly Origin[], Refusal>>;
    readonly ofReproduction: (reproductionId: string) => Promise<readonly Origin[]>;
  };
  readonly usage: (request: UsageRequest) => Promise<Result<Usage, Refusal>>;
  /** `renderFigure`, or the same in a worker thread. */
  readonly draw: DrawFigure;
  readonly appVersion: string;
};

export type BundleOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: {
    readonly activity: string;
    readonly done: number;
    readonly total: number;
    readonly unit: 'bytes' | 'runs' | 'steps';
  }) => void;
};

/** What bundles need in addition. */
export type BundleDeps = ReportDeps & {
  readonly studies: {
    readonly isRunning: (studyId: string) => boolean;
    /** Refused where the study's journals are missing. */
    readonly readable: (studyId: string) => Promise<Result<Study, Refusal>>;
    readonly analysis: (studyId: string) => Promise<Result<Analysis, Refusal>>;
    /** Writes one of its CSV files, without a manifest. */
    readonly exportCsv: (
      request: CheckedPayload<'export.write'>,
    ) => Promise<Result<Value<'export.write'>, Refusal>>;
    /** Where a study's journals are. */
    readonly folder: (studyId: string) => string;
    /** Adds studies whose journals are already in their folders. */
    readonly adopt: (records: readonly StudyRecord[]) => Promise<Result<null, Refusal>>;
    readonly regrade: (study: Study) => Promise<Result<Regrade | null, Refusal>>;
    readonly saveRegrade: (study: Study, regrade: Regrade) => Promise<void>;
  };
  readonly reproductions: ReportDeps['reproductions'] & {
    readonly folder: (reproductionId: string) => string;
    /** Moves a reproduction's files from the folder `from` into place and lists the reproduction, read-only. */
    readonly adopt: (reproductionId: string, from: string) => Promise<Result<null, Refusal>>;
  };
  readonly experiments: ReportDeps['experiments'] & {
    readonly folderOf: (experimentId: string) => string;
    /** One of its CSV files, refused where what a training measured is damaged. */
    readonly exportCsv: (experimentId: string, kind: 'cells' | 'pairs') => Promise<Result<CsvFile, Refusal>>;
    /** As of a reproduction; `bundle`: its name. */
    readonly adopt: (experimentId: string, from: string, bundle: string) => Promise<Result<null, Refusal>>;
  };
  readonly exhibits: {
    /** Saves an outline of a benchmark that the library does not have. */
    readonly save: (exhibit: Exhibit) => Promise<void>;
  };
  readonly outlines: Pick<BenchmarkOutlines, 'save'>;
  readonly dataDir: string;
};
