import { MAX_DIFF_BYTES, type Provenance, provenanceSchema } from '../../../../preload/contract';
import { hideSecrets, parseSections, printableText, type Section, sectionOf } from '../../../base';

/** Longest line that is used, in characters; the schema's limit. */
const MAX_LINE_CHARACTERS = 1_000;
const MAX_PROBLEMS = 50;

/**
 * Reads what `recordScript` wrote for one start: another machine's text, which is checked and freed of secrets again before
 * anything stores or shows it. null: it is not complete.
 */
export function readProvenance(output: string, attempt: number): Provenance | null {
  const sections = parseSections(output);
  if (sections.at(-1)?.name !== 'end') return null;
  const [host, code, packages, weights, gpu] = ['host', 'code', 'packages', 'weights', 'gpu'].map((name) =>
    factsOf(sectionOf(sections, name)),
  ) as [Facts, Facts, Facts, Facts, Facts];
  const slurm = host.one('slurm')?.split(' ') ?? [];
  const parts = { host, code, packages, weights, gpu };
  const record = {
    workbench: host.one('workbench') ?? '',
    attempt,
    at: host.one('at'),
    host: host.one('host'),
    system: host.one('system'),
    slurm: slurm[0] === undefined ? null : { jobId: slurm[0], node: slurm[1] ?? '' },
    code: codeOf(code, sectionOf(sections, 'code.diff')),
    python: pythonOf(packages),
    engines: packages.all('engine').slice(0, 10),
    gpu: gpuOf(gpu),
    weights: weightsOf(weights),
    images: imagesOf(host),
    problems: [
      ...Object.values(parts).flatMap((facts) => facts.all('problem').map(problemText)),
      ...unfinished(sections),
    ].slice(0, MAX_PROBLEMS),
  };
  const parsed = provenanceSchema.safeParse(record);
  return parsed.success ? parsed.data : null;
}

/** Lines "key value" of one section. */
type Facts = {
  readonly lines: readonly (readonly [key: string, value: string])[];
  readonly one: (key: string) => string | null;
  readonly all: (key: string) => readonly string[];
};

function factsOf(section: Section | null): Facts {
  const lines = (section?.text ?? '').split('\n').flatMap((line): readonly (readonly [string, string])[] => {
    const at = line.indexOf(' ');
    const value = hideSecrets(printableText(line.slice(at + 1, at + 1 + MAX_LINE_CHARACTERS))).slice(
      0,
      MAX_LINE_CHARACTERS,
    );
    return at <= 0 || value === '' ? [] : [[line.slice(0, at), value]];
  });
  const all = (key: string) => lines.flatMap(([name, value]) => (name === key ? [value] : []));
  return { lines, all, one: (key) => all(key)[0] ?? null };
}

const wholeNumber = (text: string | null | undefined): number | null =>
  text != null && /^\d{1,15}$/.test(text) ? Number(text) : null;
const digestOf = (text: string | null | undefined): string | null =>
  text != null && /^[0-9a-f]{64}$/.test(text) ? text : null;

function codeOf(facts: Facts, diff: Section | null): Provenance['code'] {
  const folder = facts.one('folder');
  if (folder === null) return null;
  const commit = facts.one('commit');
  const bytes = wholeNumber(facts.one('diff-bytes')) ?? 0;
  const isCut = bytes > MAX_DIFF_BYTES;
  const text = hideSecrets(withoutControls(diff?.text ?? ''));
  // Its last line may be half of one, with half of a key in it.
  const lines = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  return {
    folder,
    commit: commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? commit : null,
    branch: facts.one('branch'),
    remote: facts.one('remote'),
    diff: lines.slice(0, 2 * MAX_DIFF_BYTES),
    diffBytes: bytes,
    diffDigest: digestOf(facts.one('diff-digest')),
    isCut,
    untracked: facts.all('untracked').slice(0, 1_000),
    leftOut: [...new Set(facts.all('left-out'))].slice(0, 1_000),
  };
}

/** A diff's lines and tabs stay; nothing that moves a cursor does. */
function withoutControls(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function pythonOf(facts: Facts): Provenance['python'] {
  const [executable, version] = [facts.one('executable'), facts.one('version')];
  if (executable === null || version === null) return null;
  const packages = [...facts.all('package')].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return { executable, version, packages: packages.slice(0, 3_000) };
}

function gpuOf(facts: Facts): Provenance['gpu'] {
  const cards = facts.all('gpu').flatMap((line) => {
    const [index = '', id = '', driver = '', ...name] = line.split(',').map((cell) => cell.trim());
    return name.length === 0 ? [] : [{ index, id, driver, name: name.join(', ') }];
  });
  if (cards.length === 0) return null;
  const visible = facts.one('visible') ?? '';
  const visibleIds = visible === 'all' ? null : visible.split(',').map((word) => word.trim());
  const used = cards.filter(
    ({ index, id }) =>
      visibleIds === null ||
      visibleIds.some((word) => word === index || (word !== '' && id.startsWith(word))),
  );
  // A slice of a card has an id of its own, which the list does not have.
  const shown = used.length === 0 && visibleIds?.some((word) => word.startsWith('MIG-')) ? cards : used;
  return {
    driver: cards[0]?.driver || null,
    cuda: facts.one('cuda'),
    names: shown.map(({ name }) => name).slice(0, 256),
  };
}

function weightsOf(facts: Facts): Provenance['weights'] {
  const models: {
    name: string;
    path: string | null;
    revision: string | null;
    files: Provenance['weights'][number]['files'];
  }[] = [];
  for (const [key, value] of facts.lines) {
    if (key === 'weights') models.push({ name: value, path: null, revision: null, files: [] });
    const model = models.at(-1);
    if (model === undefined) continue;
    if (key === 'path') model.path = value;
    if (key === 'revision') model.revision = value;
    if (key !== 'file') continue;
    const [bytes, changedAt, digest, ...name] = value.split(' ');
    const size = wholeNumber(bytes);
    if (size === null || name.length === 0 || model.files.length >= 60) continue;
    model.files.push({
      name: name.join(' '),
      bytes: size,
      changedAt: isoOf(changedAt),
      digest: digestOf(digest),
    });
  }
  return models.slice(0, 10);
}

function isoOf(text: string | undefined): string | null {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text : null;
}

function imagesOf(facts: Facts): Provenance['images'] {
  const images: { name: string; digest: string | null }[] = [];
  for (const [key, value] of facts.lines) {
    if (key === 'image' && !images.some(({ name }) => name === value)) {
      images.push({ name: value, digest: /@(sha256:[0-9a-f]{64})$/.exec(value)?.[1] ?? null });
    }
    const image = images.at(-1);
    if (image === undefined || image.digest !== null) continue;
    if (key === 'image-digest') image.digest = value;
    if (key === 'image-file') {
      const [bytes, at] = value.split(' ');
      const changedAt = isoOf(at);
      if (changedAt !== null) image.digest = `${bytes} bytes, changed ${changedAt} (no digest: a large file)`;
    }
  }
  return images.slice(0, 10);
}

function unfinished(sections: readonly Section[]): readonly string[] {
  const names: Readonly<Record<string, string>> = {
    host: 'the machine',
    code: 'the code',
    packages: 'the packages',
    weights: 'the weights',
    gpu: 'the GPUs',
  };
  return Object.entries(names).flatMap(([name, shown]) =>
    sectionOf(sections, name)?.code === 124
      ? [`Reading ${shown} took too long, so its record may be incomplete.`]
      : [],
  );
}

/** What a part wrote behind "problem", as a sentence. */
function problemText(problem: string): string {
  const [kind = '', ...rest] = problem.split(' ');
  const detail = rest.join(' ');
  switch (kind) {
    case 'no-git':
      return 'git is not installed there, so the commit of the code is unknown.';
    case 'git-owner':
      return `git refuses to read ${detail}, which belongs to another user. Allow it with \`git config --global --add safe.directory ${detail}\`.`;
    case 'no-repository':
      return `${detail} is not in a repository of git, so its code has no commit.`;
    case 'git-diff':
      return 'The changes against the commit could not be read completely.';
    case 'in-container':
      return 'It runs in a container, whose packages were not read: its image has them.';
    case 'docker':
      return 'The job runs in a Docker container, which does not report the digest of its image.';
    case 'python':
      return `${rest.slice(1).join(' ')} did not list its packages (exit code ${rest[0]}).`;
    case 'old-python':
      return 'Its Python is older than 3.8, so its packages are unknown.';
    case 'package':
      return 'Some packages could not be read.';
    case 'nvidia-smi':
      return `nvidia-smi failed (exit code ${detail}), so the driver and the GPUs are unknown.`;
    default:
      return printableText(problem);
  }
}
