import { type FullJobSpec, type JobCommand, PROVENANCE_NOTES } from '../job-spec';

/** What a job's command says about where its code, packages, weights and images are. At most a few of each. */
export type ProvenanceTargets = {
  /** Folders in which its code may be, the likeliest first; may begin with "~/". */
  readonly folders: readonly string[];
  /** Programs whose Python, or whose version, matters; a name is looked up on the machine. */
  readonly programs: readonly string[];
  /** Folders, files and names at the hub. */
  readonly weights: readonly string[];
  /** The hub's revision, where the command names one. */
  readonly revision: string | null;
  /** Container images: files, or names with a digest. */
  readonly images: readonly string[];
  /** Its programs run in a container, which this machine's Python says nothing about. */
  readonly isInContainer: boolean;
  /** Apptainer with an image in a file, and the Python of it; null: another container, or none. */
  readonly readable: { readonly runtime: string; readonly image: string; readonly python: string } | null;
};

const MOST = 8;
/** Commands that run another one. */
const RUNNERS = /^(?:exec|env|nohup|time|nice|srun|mpirun|command|sudo|stdbuf|xargs|setsid|timeout)$/;
const CONTAINERS = /^(?:apptainer|singularity|docker|podman|enroot|shifter|nerdctl)$/;
/** These read an image file as the user, start nothing of it by themselves, and keep nothing. */
const READS_IMAGES = /^(?:apptainer|singularity)$/;
const IMAGE_FILE = /\.(?:sif|simg)$/;
const PYTHON = /(?:^|\/)python[0-9.]*$/;
const SCRIPT = /\.(?:py|sh|bash|js|mjs|cjs)$/;
const IMAGE = /\.(?:sif|sqsh|simg)$|@sha256:[0-9a-f]{64}$/;
const WEIGHTS =
  /^--?(?:model|models?[-_]path|model[-_]name[-_]or[-_]path|hf-repo|pretrain(?:ed)?|checkpoint|recording|lora[-_]path)$/;
const IS_SET = /^[A-Za-z_]\w*=/;

/** Linear in the length of the command. */
export function targetsOf(spec: FullJobSpec): ProvenanceTargets {
  const commands = commandsOf(spec.command);
  const words = commands.flat();
  const slurmOptions = (spec.resources.slurmOptions ?? '').split(/\s+/);
  const values = [...words, ...slurmOptions].map((word) => word.replace(/^--?[\w-]+=/, ''));
  const heads = commands.map(headOf);
  const pythons = words.filter((word) => PYTHON.test(word));
  const named = optionValues(words, WEIGHTS);
  // Our own servers have a file and a name for requests.
  const files = optionValues(words, /^--(?:checkpoint|recording)$/);
  const image = optionValues([...words, ...slurmOptions], /^--container-image$/);
  return {
    folders: plain([
      ...(spec.cwd === null ? [] : [spec.cwd]),
      ...commands.flatMap(([head, folder]) => (head === 'cd' && folder !== undefined ? [folder] : [])),
      ...words.flatMap((word) => (SCRIPT.test(word) && word.includes('/') ? [folderOf(word)] : [])),
    ]),
    programs: plain([...linesOfNote(spec, PROVENANCE_NOTES.python), ...pythons, ...heads]),
    weights: plain([
      ...linesOfNote(spec, PROVENANCE_NOTES.weights),
      ...(files.length > 0 ? files : named),
      ...commands.flatMap((command) => vllmServeModel(command)),
      ...optionValues(words, /^-m$/).filter((value) => value.endsWith('.gguf')),
    ]),
    revision: plain(optionValues(words, /^--revision$/))[0] ?? null,
    images: plain([...values.filter((value) => IMAGE.test(value)), ...image]),
    readable: commands.map(readableImage).find((found) => found !== null) ?? null,
    isInContainer: heads.some((head) => CONTAINERS.test(head)) || image.length > 0,
  };
}

/** Words that the shell would still expand are of no use. */
function plain(words: readonly string[]): readonly string[] {
  const usable = words.filter(
    (word) => word !== '' && word.length <= 1_000 && !/[$`*?{}<>\n\r\0]/.test(word),
  );
  return [...new Set(usable)].slice(0, MOST);
}

function linesOfNote({ notes }: FullJobSpec, name: string): readonly string[] {
  return (notes[name] ?? '').split('\n');
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function optionValues(words: readonly string[], name: RegExp): readonly string[] {
  return words.flatMap((word, index) => {
    const at = word.indexOf('=');
    if (at > 0 && name.test(word.slice(0, at))) return [word.slice(at + 1)];
    const next = words[index + 1];
    return name.test(word) && next !== undefined && !next.startsWith('-') ? [next] : [];
  });
}

/** `vllm serve MODEL` */
function vllmServeModel(command: readonly string[]): readonly string[] {
  const at = command.findIndex(
    (word, index) => word === 'serve' && /(?:^|\/)vllm$/.test(command[index - 1] ?? ''),
  );
  const model = at < 0 ? undefined : command[at + 1];
  return model === undefined || model.startsWith('-') ? [] : [model];
}

/** The program of a command, behind variables and programs that run others. */
function headOf(command: readonly string[]): string {
  return command.find((word) => !IS_SET.test(word) && !RUNNERS.test(word) && !word.startsWith('-')) ?? '';
}

/** `apptainer exec OPTIONS IMAGE PROGRAM`: by the Python that it names, else the image's own. */
function readableImage(command: readonly string[]): ProvenanceTargets['readable'] {
  const runtime = headOf(command);
  const at = command.findIndex((word) => IMAGE_FILE.test(word));
  const image = command[at];
  if (!READS_IMAGES.test(runtime) || image === undefined || plain([image]).length === 0) return null;
  const program = command[at + 1] ?? '';
  const python = PYTHON.test(program) && plain([program]).length > 0 ? program : 'python3';
  return { runtime, image, python };
}

/** The words of each simple command. Not a shell: what it would expand stays as it is. */
function commandsOf(command: JobCommand): readonly (readonly string[])[] {
  if (command.kind === 'program') {
    // `sh -c LINE`
    const [flag, line] = command.args;
    const isShell = /(?:^|\/)(?:ba|da|z|k)?sh$/.test(command.program) && /^-\w*c$/.test(flag ?? '');
    return isShell && line !== undefined ? splitLine(line) : [[command.program, ...command.args]];
  }
  return splitLine(command.line);
}

const TOKEN = /'([^']*)'|"([^"]*)"|\\([\s\S])|([\s]+)|([;&|()\n]+)|([^\s'"\\;&|()]+)/g;

function splitLine(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let open: string | null = null;
  const close = (): void => {
    if (open !== null) commands.at(-1)?.push(open);
    open = null;
  };
  for (const [whole, single, double, escaped, blank, end, bare] of line.matchAll(TOKEN)) {
    if (end !== undefined || blank?.includes('\n')) {
      close();
      commands.push([]);
    } else if (blank !== undefined) close();
    // A line feed behind a backslash joins two lines.
    else if (escaped === '\n') continue;
    else open = `${open ?? ''}${single ?? double ?? escaped ?? bare ?? whole}`;
  }
  close();
  return commands.filter((words) => words.length > 0);
}
