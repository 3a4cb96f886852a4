import type { CodeState, Provenance, WeightsState } from '../provenance';
import { counted } from './number-text';

/** Characters of a commit or digest that people compare by eye. */
const SHORT = 10;
/** Differences of one kind that are listed; the rest is counted. */
const MAX_LISTED = 15;

export type ProvenanceFact = { readonly name: string; readonly text: string };

/** What made a start, a line a fact, without lists of packages and without the diff. */
export function provenanceFacts(record: Provenance): readonly ProvenanceFact[] {
  const { code, python, gpu } = record;
  const facts: (readonly [name: string, text: string | null])[] = [
    ['Code', code === null ? null : codeText(code)],
    ['Changes', code === null ? null : changesText(code)],
    ['Repository', code?.remote ?? null],
    ['Folder', code?.folder ?? null],
    [
      'Python',
      python === null
        ? null
        : `${python.version}, ${counted(python.packages.length, 'package')} (${python.executable})`,
    ],
    ...record.engines.map((engine): readonly [string, string] => ['Engine', engine]),
    ['Main packages', enginePackages(record).join(', ') || null],
    ...record.weights.map((weights): readonly [string, string] => ['Weights', weightsText(weights)]),
    ...record.images.map(({ name, digest }): readonly [string, string] => [
      'Container image',
      digest === null || name.includes(digest) ? name : `${name}: ${digest}`,
    ]),
    ['GPUs', gpu === null || gpu.names.length === 0 ? null : countedNames(gpu.names)],
    ['Driver', gpu === null ? null : driverText(gpu)],
    ['Machine', [record.host, record.system].filter((part) => part !== null).join(', ') || null],
    ['Slurm', record.slurm === null ? null : `job ${record.slurm.jobId} on ${record.slurm.node}`],
    ['Workbench', record.workbench],
  ];
  return facts.flatMap(([name, text]) => (text === null ? [] : [{ name, text }]));
}

/** Everything that is recorded, to be copied or printed. */
export function provenanceText(record: Provenance): string {
  const { code, python, problems } = record;
  return [
    ...(record.at === null ? [] : [`Recorded ${record.at}, start ${record.attempt} of the job.`]),
    ...provenanceFacts(record).map(({ name, text }) => `${name}: ${text}`),
    ...record.weights.flatMap(({ files }) => files.map((file) => `  ${fileText(file)}`)),
    ...problems.map((problem) => `Not recorded: ${problem}`),
    ...(python === null ? [] : ['', 'Packages:', ...python.packages]),
    ...(code === null || code.untracked.length === 0 ? [] : ['', 'New files:', ...code.untracked]),
    ...(code === null || code.diff === '' ? [] : ['', `${changesText(code)}:`, code.diff]),
  ].join('\n');
}

/** What serves or trains, where it is a package. */
function enginePackages({ python }: Provenance): readonly string[] {
  return (python?.packages ?? []).filter((line) =>
    /^(?:vllm|sglang|transformers|torch|verl|openrlhf|trl)==/i.test(line),
  );
}

function codeText({ commit, branch }: CodeState): string {
  if (commit === null) return 'nothing is committed yet';
  return branch === null ? `commit ${commit}` : `commit ${commit} (${branch})`;
}

function changesText(code: CodeState): string {
  const { diffBytes, isCut, untracked, leftOut } = code;
  const cut = isCut ? `, the first ${Math.round(code.diff.length / 1_024)} KiB of it stored` : '';
  const parts = [
    diffBytes === 0 ? 'none' : `a diff of ${sizeText(diffBytes)}${cut}`,
    ...(untracked.length === 0
      ? []
      : [`${untracked.length} new ${untracked.length === 1 ? 'file' : 'files'}`]),
    ...(leftOut.length === 0 ? [] : [`left out because they may hold keys: ${listed(leftOut)}`]),
  ];
  return parts.join('; ');
}

function weightsText({ name, path, revision, files }: WeightsState): string {
  if (path === null) return `${name}: not on the machine when it started`;
  const known = files.filter(({ digest }) => digest !== null).length;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${sizeText(bytes)}`;
  const digests =
    known === files.length
      ? `${files.length === 1 ? '' : 'each '}with its SHA-256`
      : `${known} with SHA-256, the others by size and time alone`;
  return [name, ...(revision === null ? [] : [`revision ${revision}`]), `${count}, ${digests}`].join(', ');
}

function fileText({ name, bytes, changedAt, digest }: WeightsState['files'][number]): string {
  return `${name}: ${digest ?? `no digest, ${bytes} bytes, changed ${changedAt ?? 'at an unknown time'}`}`;
}

function driverText({
  driver,
  cuda,
}: {
  readonly driver: string | null;
  readonly cuda: string | null;
}): string | null {
  if (driver === null) return null;
  return cuda === null ? driver : `${driver}, for CUDA up to ${cuda}`;
}

/**
 * What differs in what made two starts, a sentence each; the first record's value always comes first. None: nothing that
 * is recorded. Times, process numbers and folders of jobs are no differences.
 */
export function provenanceDifferences(first: Provenance, second: Provenance): readonly string[] {
  const named = (name: string, value: (record: Provenance) => string | null): readonly string[] => {
    const [one, other] = [value(first), value(second)];
    return one === other ? [] : [`${name}: ${one ?? 'not recorded'}, and ${other ?? 'not recorded'}.`];
  };
  return [
    ...codeDifferences(first.code, second.code),
    ...named('Python', ({ python }) => python?.version ?? null),
    ...listDifferences('Packages', packagesOf(first), packagesOf(second)),
    ...named('Engine', ({ engines }) => (engines.length === 0 ? null : engines.join(', '))),
    ...listDifferences('Weights', weightsOf(first), weightsOf(second)),
    ...named('Container images', ({ images }) =>
      images.length === 0
        ? null
        : images.map(({ name, digest }) => `${name} ${digest ?? ''}`.trim()).join(', '),
    ),
    ...named('GPUs', ({ gpu }) => (gpu === null || gpu.names.length === 0 ? null : countedNames(gpu.names))),
    ...named('Driver', ({ gpu }) => (gpu === null ? null : driverText(gpu))),
    ...named('Machine', ({ host }) => host),
    ...named('System', ({ system }) => system),
    ...named('Workbench', ({ workbench }) => workbench),
  ];
}

function codeDifferences(first: CodeState | null, second: CodeState | null): readonly string[] {
  if (first === null || second === null) {
    if (first === second) return [];
    return [
      `Code: ${first === null ? 'not recorded' : codeText(first)}, and ${second === null ? 'not recorded' : codeText(second)}.`,
    ];
  }
  const sentences: string[] = [];
  if (first.remote !== second.remote)
    sentences.push(`Repository: ${first.remote ?? first.folder}, and ${second.remote ?? second.folder}.`);
  if (first.commit !== second.commit) {
    const [one, other] = [first, second].map((code) =>
      codeText({ ...code, commit: code.commit?.slice(0, SHORT) ?? null }),
    );
    sentences.push(`Code: ${one}, and ${other}.`);
  }
  const isSame = first.diffDigest === second.diffDigest && first.diffBytes === second.diffBytes;
  if (isSame) return sentences;
  const files = changedFiles(first.diff, second.diff);
  const fileNames = files.length === 0 ? '' : ` They differ in ${listed(files)}.`;
  const sizes = [first, second].map(({ diffBytes }) =>
    diffBytes === 0 ? 'none' : `a diff of ${sizeText(diffBytes)}`,
  );
  const after = first.commit === second.commit ? ' after the same commit' : '';
  return [...sentences, `Changes${after}: ${sizes.join(', and ')}.${fileNames}`];
}

/** Files whose part in one diff is not that in the other. */
function changedFiles(first: string, second: string): readonly string[] {
  const [one, other] = [partsOf(first), partsOf(second)];
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

function partsOf(diff: string): ReadonlyMap<string, string> {
  const parts = diff === '' ? [] : diff.split(/^diff --git /m).filter((part) => part !== '');
  return new Map(
    parts.map((part) => {
      const head = part.slice(0, part.indexOf('\n'));
      return [head.slice(head.lastIndexOf(' b/') + 3), part] as const;
    }),
  );
}

function packagesOf({ python }: Provenance): ReadonlyMap<string, string> {
  return new Map(
    (python?.packages ?? []).map((line) => {
      const at = line.indexOf('==');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
}

function weightsOf({ weights }: Provenance): ReadonlyMap<string, string> {
  return new Map(
    weights.map(({ name, revision, files }) => [
      name,
      revision === null
        ? files
            .map(
              (file) =>
                `${file.name} ${file.digest?.slice(0, SHORT) ?? `${file.bytes} bytes of ${file.changedAt}`}`,
            )
            .join(' ')
        : `revision ${revision.slice(0, SHORT)}`,
    ]),
  );
}

function listDifferences(
  title: string,
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...first].flatMap(([name, value]) => {
    const other = second.get(name);
    return other === undefined || other === value ? [] : [`${name} ${value}, and ${other}`];
  });
  const [onlyFirst, onlySecond] = [missing(first, second), missing(second, first)];
  return [
    ...(changed.length === 0 ? [] : [`${title}: ${listed(changed, '; ')}.`]),
    ...(onlyFirst.length === 0 ? [] : [`${title} only in the first: ${listed(onlyFirst)}.`]),
    ...(onlySecond.length === 0 ? [] : [`${title} only in the second: ${listed(onlySecond)}.`]),
  ];
}

function missing(from: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
  return [...from].flatMap(([name, value]) =>
    other.has(name) ? [] : [value === '' ? name : `${name} ${value}`],
  );
}

function listed(items: readonly string[], between = ', '): string {
  const more = items.length - MAX_LISTED;
  return `${items.slice(0, MAX_LISTED).join(between)}${more > 0 ? `${between}and ${more} more` : ''}`;
}

/** "2 × NVIDIA H100, 1 × NVIDIA T4" */
function countedNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}

function sizeText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 10_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 10_000_000_000 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
