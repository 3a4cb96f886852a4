import { z } from 'zod';
import { parsedJson, shellPath } from '../../base';
import type { ConsoleRow } from './watch/console-reader';
import { ConsoleReader } from './watch/console-reader';

/** Of a folder with many logs the newest are read. */
const MAX_LOGS = 3;
/** Names of runs in a message. */
const MAX_NAMED = 8;

/** What lies in a folder, for who wants to watch it. Paths are absolute. */
export type FolderContents = {
  readonly folder: string;
  readonly hasMetrics: boolean;
  /** Oldest first. */
  readonly logs: readonly string[];
  /** Folders that hold event files. */
  readonly runs: readonly string[];
};

/** Looks into a folder without changing anything; prints nothing where there is none. Of a file: just this log. */
export function folderScript(path: string): string {
  return `path=${shellPath(path)}
if [ -f "$path" ]; then
  cd "$(dirname "$path")" && echo "folder $(pwd -P)" && echo "log ./$(basename "$path")"
  exit 0
fi
cd "$path" 2>/dev/null || exit 0
echo "folder $(pwd -P)"
[ -f metrics.jsonl ] && echo metrics
find -L . -maxdepth 2 -type f \\( -name '*.log' -o -name '*.out' \\) 2>/dev/null | head -n 1000 | while IFS= read -r file; do
  echo "$(stat -L -c %Y "$file" 2>/dev/null || stat -L -f %m "$file") $file"
done | sort -n | tail -n ${MAX_LOGS} | sed 's/^[0-9]* /log /'
find -L . -maxdepth 4 -type f -name '*tfevents*' 2>/dev/null | head -n 1000 | sed 's|/[^/]*$||' | sort -u | sed 's/^/run /'
exit 0
`;
}

/** Parses the output of `folderScript`; null: there is no such folder. */
export function parseFolder(stdout: string): FolderContents | null {
  const lines = stdout.split('\n');
  const folder = lines.find((line) => line.startsWith('folder /'))?.slice('folder '.length);
  if (folder === undefined) return null;
  const below = (word: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${word} .`) ? [`${folder}${line.slice(word.length + 2)}`] : [],
    );
  return { folder, hasMetrics: lines.includes('metrics'), logs: below('log'), runs: below('run') };
}

/** Why the folder cannot be watched as one run, a sentence; null: it can. */
export function folderProblem({ folder, hasMetrics, logs, runs }: FolderContents): string | null {
  if (!hasMetrics && logs.length === 0 && runs.length === 0) {
    return `${folder} holds neither event files of TensorBoard nor logs (*.log, *.out) nor the metrics.jsonl of our own trainer.`;
  }
  if (runs.length < 2) return null;
  const named = runs.slice(0, MAX_NAMED).join(', ');
  const more = runs.length > MAX_NAMED ? ` and ${runs.length - MAX_NAMED} more` : '';
  return `${folder} holds event files of ${runs.length} runs, whose curves would be mixed. Name the folder of one: ${named}${more}.`;
}

const specFileSchema = z.object({
  spec: z.object({ kind: z.string() }),
  agents: z.array(z.object({ id: z.string().min(1).max(80) })).max(8),
});

/** What spec.json of our own trainer says of a run: its agents, and whether its policies are small ones. */
export function ownRun(text: string): { readonly agents: readonly string[]; readonly isPocket: boolean } {
  const read = specFileSchema.safeParse(parsedJson(text));
  if (!read.success) return { agents: [], isPocket: false };
  return { agents: read.data.agents.map(({ id }) => id), isPocket: read.data.spec.kind === 'pocket' };
}

/** The form of a log's numbers, by which of the two more of them are found. */
export function logFormOf(text: string): 'python-dict' | 'pairs' {
  const found = (form: 'python-dict' | 'pairs'): number => {
    const rows: ConsoleRow[] = [];
    const reader = new ConsoleReader({ form, stepKey: null, names: {}, agentAt: () => null });
    reader.push(`${text}\n`, (row) => rows.push(row));
    return rows.length;
  };
  return found('pairs') > found('python-dict') ? 'pairs' : 'python-dict';
}
