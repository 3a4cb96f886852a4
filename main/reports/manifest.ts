import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type Exhibit,
  type ExperimentRequest,
  type ExperimentView,
  type Origin,
  promptFormatText,
  type ReportSource,
  type RunConfig,
  type ServerSpec,
  type StudyExtension,
} from '../../preload/contract/index';
import type { ReportDeps } from './deps';
import { listedStudies } from './listed-studies';
import { exhibitTitle } from './logic/exhibit-tables';
import { limitsOf, paperBasis } from './logic/reading';
import { withoutSecrets } from './logic/without-secrets';
import type { SourceContent } from './report-source';

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
  /** What values of the runs' scales say nothing about. */
  readonly limits: readonly string[];
  readonly runs: readonly ManifestRun[];
  /** The servers that each study asked, and what made each of their starts. */
  readonly origins: readonly { readonly studyId: string; readonly servers: readonly Origin[] }[];
  readonly reproduction: {
    readonly id: string;
    readonly exhibit: string;
    /** The paper, the place in it, and on what the paper measured, as far as that is known. */
    readonly paper: string;
    readonly exhibitDigest: string;
    readonly trainings: readonly Origin[];
  } | null;
  /** Of an experiment: what was asked for, and its trainings that are in the files; left out: none. */
  readonly experiment?: {
    readonly id: string;
    readonly request: ExperimentRequest;
    readonly trainings: readonly {
      readonly label: string;
      readonly seed: number;
      readonly trainingId: string;
    }[];
  };
};

export type FileDigest = { readonly name: string; readonly bytes: number; readonly sha256: string };

/** Known digests of journals. */
type KnownDigest = (studyId: string, runId: string) => Omit<FileDigest, 'name'> | undefined;

export type ManifestRun = {
  readonly runId: string;
  readonly study: {
    readonly id: string;
    readonly name: string;
    readonly createdAt: string;
    /** Left out: it was never extended. */
    readonly extensions?: readonly StudyExtension[];
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
  readonly nodesPerTree: number;
  readonly models: readonly string[];
  /** Of its agents, in their order; left out: all are asked by the workbench's own. */
  readonly promptFormats?: readonly string[];
  /** The machines of its servers; an outside server by its address. */
  readonly machines: readonly string[];
  /** As it was for these files; `lastLine`: the SHA-256 of its last line. null: the run has not begun. */
  readonly journal: (Omit<FileDigest, 'name'> & { readonly lastLine: string }) | null;
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

export function digestOf(name: string, bytes: Buffer): FileDigest {
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Of the whole file or its first `most` bytes; `whole`: nothing follows them. null: there is no such file. */
export async function digestOfFile(
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<(Omit<FileDigest, 'name'> & { readonly whole: boolean }) | null> {
  const status = await stat(path).catch(() => null);
  if (status === null || !status.isFile()) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  // `end` is inclusive.
  const part = Number.isFinite(most) ? { end: Math.max(0, most - 1) } : {};
  for await (const chunk of createReadStream(path, part) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex'), whole: status.size <= bytes };
}

/** SHA-256 of a journal's last line, its newline included; null: there is no such file. Reads nothing before it. */
async function lastLineDigest(path: string): Promise<string | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    for (let held = Math.min(size, 64 * 1024); ; held = Math.min(size, 4 * held)) {
      const bytes = Buffer.alloc(held);
      await handle.read(bytes, 0, held, size - held);
      const before = bytes.subarray(0, Math.max(0, held - 1)).lastIndexOf(0x0a);
      if (before === -1 && held < size) continue;
      return createHash('sha256')
        .update(bytes.subarray(before + 1))
        .digest('hex');
    }
  } finally {
    await handle.close();
  }
}

/** What a journal is now; `packed`: its digest where that is known. null: there is no journal. */
async function journalDigest(
  path: string,
  packed: Omit<FileDigest, 'name'> | undefined,
): Promise<ManifestRun['journal']> {
  const lastLine = await lastLineDigest(path);
  const whole = packed ?? (await digestOfFile(path));
  return whole === null || lastLine === null ? null : { bytes: whole.bytes, sha256: whole.sha256, lastLine };
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
      nodesPerTree: config.search.nodes,
      models: config.team.servers.map(({ model }) => model),
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
    readonly known?: KnownDigest;
  },
  deps: ReportDeps,
): Promise<Manifest> {
  const { source, content, command, files, methods, known } = contents;
  const { reproduction, runs, experiment } = content;
  const marks = await manifestRuns(
    runs.map(({ runId }) => runId),
    deps,
    known,
  );
  const studyIds = [...new Set(marks.map(({ study }) => study.id))];
  return {
    version: 1,
    workbench: deps.appVersion,
    source,
    command,
    files,
    methods: [...new Set(methods)].filter((method) => method !== ''),
    limits: [...new Set(marks.map(({ scale }) => limitsOf(scale)))].filter((limit) => limit !== ''),
    runs: marks,
    origins: await Promise.all(
      studyIds.map(async (studyId) => ({ studyId, servers: await deps.origins.ofStudy(studyId) })),
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
    ...(experiment === undefined ? {} : { experiment: experimentFacts(experiment) }),
  };
}

function paperText(exhibit: Exhibit | null): string {
  if (exhibit === null) return '';
  const basis = paperBasis(exhibit);
  return `${exhibitTitle(exhibit)}.${basis === '' ? '' : ` Measured there on ${basis}.`}`;
}

function experimentFacts({ id, order, trainings }: ExperimentView): NonNullable<Manifest['experiment']> {
  return {
    id,
    request: order,
    trainings: trainings.flatMap(({ label, seed, trainingId }) =>
      trainingId === null ? [] : [{ label, seed, trainingId }],
    ),
  };
}
