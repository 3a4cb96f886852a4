import { basename } from 'node:path';
import {
  type AtHand,
  countedRegrade,
  gradingText,
  type Origin,
  promptFormatText,
  type RegradeFacts,
  type ReportSource,
  type RunConfig,
  type ServerSpec,
  type Study,
  type StudyExtension,
} from '../../preload/contract/index';
import {
  COMPLEMENT_SENTENCE,
  experimentScale,
  hasSeveralFamilies,
  searchInFull,
} from '../../preload/contract/plans/index';
import type { ReportDeps } from './deps';
import { type ExperimentFacts, experimentFacts } from './experiment-facts';
import { type FileDigest, type JournalDigest, journalDigest } from './file-digests';
import { listedStudies } from './listed-studies';
import { paperText } from './logic/paper-text';
import { limitsOf } from './logic/reading';
import type { Conclusions } from './logic/report-table';
import { withoutSecrets } from './logic/without-secrets';
import type { SourceContent } from './report-source';
import { type Checkpoint, checkpointsOf } from './run-checkpoints';
import { allRuns } from './source-runs';

/** The sources of written files, so that the files can be verified and reproduced years later. */
export type Manifest = {
  readonly version: 1;
  readonly workbench: string;
  readonly source: ReportSource;
  /** The terminal command that writes the same files again; null: they are part of a bundle. */
  readonly command: string | null;
  readonly files: readonly FileDigest[];
  /** How the values, intervals and tests in them are computed. */
  readonly methods: readonly string[];
  /** What each table shows and does not show, and what is said of each figure: print has the most important alone. Left out: none. */
  readonly conclusions?: readonly Conclusions[];
  /** What values of the runs' scales say nothing about. */
  readonly limits: readonly string[];
  readonly runs: readonly ManifestRun[];
  /** The servers that each study asked, and what made each of their starts. */
  readonly origins: readonly {
    readonly studyId: string;
    readonly servers: readonly Origin[];
    /** Why they are not known; left out: they are. */
    readonly damage?: string;
  }[];
  readonly reproduction: {
    readonly id: string;
    readonly exhibit: string;
    /** The paper, the place in it, and on what the paper measured, as far as that is known. */
    readonly paper: string;
    readonly exhibitDigest: string;
    readonly trainings: readonly Origin[];
  } | null;
  /** Of lines over trainings at hand; left out: there are none. */
  readonly trainings?: NonNullable<AtHand['trainings']>;
  /** Left out: it is not about an experiment. */
  readonly experiment?: ExperimentFacts;
};

/** Ids of a reproduction's runs are those of the exhibit's configurations, which have the paper's models in them. */
const RUN_IDS_NAME =
  'runId: a name alone, with words of the exhibit, e.g. a model of the paper; "models" names what answered';

/** Known digests of journals, of runs and of re-grades. */
type KnownDigest = (studyId: string, id: string) => JournalDigest | undefined;

export type ManifestRun = {
  readonly runId: string;
  readonly study: {
    readonly id: string;
    readonly name: string;
    readonly createdAt: string;
    /** Left out: it was never extended. */
    readonly extensions?: readonly StudyExtension[];
    /** Which grading counts, in words; left out: there is only one. */
    readonly grading?: string;
    /** The re-grade that counts, with its journal as it was for these files; left out: the first grading counts. */
    readonly regrade?: RegradeFacts & { readonly journal: JournalDigest | null };
  };
  readonly configuration: string;
  readonly seed: number;
  readonly scale: RunConfig['scale'];
  readonly benchmark: {
    readonly id: string;
    readonly digest: string;
    readonly problems: number;
    /** First and last day of its problems, where the library knows them. */
    readonly from: string | null;
    readonly to: string | null;
  };
  readonly search: string;
  /** Left out: it has no trees, but this many programs per problem. */
  readonly nodesPerTree?: number;
  readonly programsPerProblem?: number;
  readonly models: readonly string[];
  /** The checkpoints among them, by training; left out: none was trained here. */
  readonly checkpoints?: readonly Checkpoint[];
  /** Of its agents, in their order; left out: all are asked by the workbench's own. */
  readonly promptFormats?: readonly string[];
  /** The machines of its servers; an external server by its address. */
  readonly machines: readonly string[];
  /** As it was for these files; null: the run has not begun. */
  readonly journal: JournalDigest | null;
};

/** How a command of a manifest begins. */
export const COMMAND: readonly string[] = ['npm', 'run', '-s', 'cli', '--'];

/** Name of the manifest, in the folder that it describes or beside the one file. */
export function manifestName(target: string, isFolder: boolean): string {
  return isFolder ? 'manifest.json' : `${basename(target)}.manifest.json`;
}

/** The file of a manifest; an address in it may have had a key. */
export function manifestBytes(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(withoutSecrets(manifest), null, 2)}\n`);
}

function machineOf(server: ServerSpec, deps: ReportDeps): string {
  switch (server.kind) {
    case 'pocket':
    case 'recorded':
      return server.machineId ?? 'local';
    case 'launch': {
      const launch = deps.registry.read().launches.find(({ id }) => id === server.launchId);
      return launch?.machineId ?? `launch ${server.launchId}`;
    }
    case 'url':
      return server.baseUrl;
  }
}

async function gradingFacts(
  study: Study,
  deps: Pick<ReportDeps, 'regrade'>,
  known: KnownDigest,
): Promise<Partial<ManifestRun['study']>> {
  if ((study.regrades ?? []).length === 0) return {};
  const counted = countedRegrade(study);
  const grading = gradingText(counted);
  if (counted === null) return { grading };
  const journal = await journalDigest(deps.regrade(study.id, counted.id), known(study.id, counted.id));
  return { grading, regrade: { ...counted, journal } };
}

/** In the order of `runIds`. Reads every journal whose digest is not `known`. */
export async function manifestRuns(
  runIds: readonly string[],
  deps: ReportDeps,
  known: KnownDigest = () => undefined,
): Promise<readonly ManifestRun[]> {
  const runs = new Map(
    listedStudies(deps).flatMap((study) =>
      study.runs.map((config) => [config.id, { study, config }] as const),
    ),
  );
  const days = new Map<string, ReadonlyMap<string, string>>();
  const daysOf = async ({
    benchmarkId,
    benchmarkDigest,
  }: RunConfig): Promise<ReadonlyMap<string, string>> => {
    const key = JSON.stringify([benchmarkId, benchmarkDigest]);
    const cached = days.get(key);
    if (cached !== undefined) return cached;
    const isAvailable = deps.library
      .list()
      .some(({ id, digest }) => id === benchmarkId && digest === benchmarkDigest);
    const outline = isAvailable ? await deps.library.outline(benchmarkId) : null;
    const dates = outline?.ok
      ? outline.value.flatMap(({ id, date }) => (date === null ? [] : [[id, date] as const]))
      : [];
    days.set(key, new Map(dates));
    return new Map(dates);
  };
  /** The same for all runs of a study: its journal is read once. */
  const gradings = new Map<string, Promise<Partial<ManifestRun['study']>>>();
  const gradingOf = (study: Study): Promise<Partial<ManifestRun['study']>> => {
    const cached = gradings.get(study.id) ?? gradingFacts(study, deps, known);
    gradings.set(study.id, cached);
    return cached;
  };
  const marks: ManifestRun[] = [];
  for (const runId of runIds) {
    const run = runs.get(runId);
    if (run === undefined) continue;
    const { study, config } = run;
    const knownDays = await daysOf(config);
    const dates = config.problemIds.flatMap((id) => knownDays.get(id) ?? []).sort();
    marks.push({
      runId,
      study: {
        ...{ id: study.id, name: study.name, createdAt: study.createdAt },
        ...(study.extensions === undefined ? {} : { extensions: study.extensions }),
        ...(await gradingOf(study)),
      },
      configuration: config.configuration,
      seed: config.seed,
      scale: config.scale,
      benchmark: {
        id: config.benchmarkId,
        digest: config.benchmarkDigest,
        problems: config.problemIds.length,
        from: dates[0] ?? null,
        to: dates.at(-1) ?? null,
      },
      search: searchInFull(config.search),
      ...(config.search.strategy.kind === 'repeated'
        ? { programsPerProblem: config.search.nodes }
        : { nodesPerTree: config.search.nodes }),
      models: config.team.servers.map(({ model }) => model),
      ...checkpointsOf(config),
      ...(config.team.agents.every(({ promptFormat }) => promptFormat === undefined)
        ? {}
        : { promptFormats: config.team.agents.map(promptFormatText) }),
      machines: [...new Set(config.team.servers.map((server) => machineOf(server, deps)))],
      journal: await journalDigest(deps.journal(study.id, runId), known(study.id, runId)),
    });
  }
  return marks;
}

/** The manifest of a source's exported files. It has no date of writing, so that equal sources give equal bytes. */
export async function manifestOf(
  contents: {
    readonly source: ReportSource;
    readonly content: SourceContent;
    readonly command: string | null;
    readonly files: readonly FileDigest[];
    /** Of the tables and figures in them; the same one may come several times. */
    readonly methods: readonly string[];
    readonly conclusions?: readonly Conclusions[];
    /** What lines of figures are of. */
    readonly atHand?: readonly AtHand[];
    readonly known?: KnownDigest;
  },
  deps: ReportDeps,
): Promise<Manifest> {
  const { source, content, command, files, methods, conclusions = [], atHand = [], known } = contents;
  const trainings = atHand.flatMap((line) => line.trainings ?? []);
  const { reproduction, experiment } = content;
  const runIds = allRuns(content).map(({ runId }) => runId);
  const marks = await manifestRuns(runIds, deps, known);
  const scales = [
    ...[...marks, ...atHand].map(({ scale }) => scale),
    ...(experiment === undefined ? [] : [experimentScale(experiment.order)]),
  ];
  const chosen = new Set(runIds);
  const configs = listedStudies(deps).flatMap(({ runs }) => runs.filter(({ id }) => chosen.has(id)));
  // Tables of exhibits and experiments always have the sentence; runs of one family have nothing that is built in.
  const isOfRuns = source.kind === 'study' || source.kind === 'runs';
  const isBuiltIn = hasSeveralFamilies(configs) || (!isOfRuns && scales.includes('pocket'));
  const studyIds = [...new Set(marks.map(({ study }) => study.id))];
  return {
    version: 1,
    workbench: deps.appVersion,
    source,
    command,
    files,
    methods: [...new Set(methods)].filter((method) => method !== ''),
    ...(conclusions.length === 0 ? {} : { conclusions }),
    limits: [
      ...(isBuiltIn ? [COMPLEMENT_SENTENCE] : []),
      ...[...new Set(scales.map(limitsOf))].filter((limit) => limit !== ''),
      ...(reproduction === null || scales.every((scale) => scale === 'paper') ? [] : [RUN_IDS_NAME]),
    ],
    runs: marks,
    origins: await Promise.all(
      studyIds.map(async (studyId) => {
        const read = await deps.origins.ofStudy(studyId);
        const known = read.ok ? { servers: read.value } : { servers: [], damage: read.error.message };
        return { studyId, ...known };
      }),
    ),
    reproduction:
      reproduction === null
        ? null
        : {
            id: reproduction.id,
            exhibit: reproduction.order.exhibitId,
            paper: paperText(deps.reproductions.exhibitOf(reproduction.id)),
            exhibitDigest: reproduction.exhibitDigest,
            trainings: await deps.origins.ofReproduction(reproduction.id),
          },
    ...(trainings.length === 0 ? {} : { trainings: uniqueById(trainings) }),
    ...(experiment === undefined ? {} : { experiment: await experimentFacts(experiment, deps) }),
  };
}

function uniqueById<T extends { readonly id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}
