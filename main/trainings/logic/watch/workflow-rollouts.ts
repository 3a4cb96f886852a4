import { z } from 'zod';
import type { Rollout } from '../../../../preload/contract';
import { shellPath, shellWord } from '../../../base';

/** Longer texts are cut: a page shows about twenty at a time. */
const LONGEST_TEXT = 40_000;

/** Separates prompt and answer in Qwen's chat template without special tokens. */
const TURN = '\nassistant\n';

/**
 * Parses MARTI's text `train/agent_<i>/generated_samples`: "Sample:", the whole sequence, "Reward: 0.5000". It names
 * neither the problem nor the position in the tree.
 */
export function generatedSample(text: string, agentId: string, step: number): Rollout {
  const { body, reward } = sampleIn(text) ?? { body: text, reward: undefined };
  const turn = body.indexOf(TURN);
  const value = Number(reward ?? Number.NaN);
  return {
    agentId,
    step,
    problemId: '',
    node: null,
    parent: null,
    prompt: turn === -1 ? '' : shortened(body.slice(0, turn)),
    answer: shortened(turn === -1 ? body : body.slice(turn + TURN.length)),
    reward: null,
    shapedReward: Number.isFinite(value) ? value : null,
    advantage: null,
  };
}

/**
 * What stands between the first line and the last one; null where the text has not this form. OpenRLHF 0.11 writes the two
 * characters "\\n" where MARTI begins a line.
 */
function sampleIn(text: string): { readonly body: string; readonly reward: string } | null {
  const line = text.trimEnd();
  const [open, close] = ['Sample:\\n', '\\n\\nReward: '];
  const end = line.lastIndexOf(close);
  if (line.startsWith(open) && end >= open.length) {
    return { body: line.slice(open.length, end), reward: line.slice(end + close.length) };
  }
  const lastLine = line.lastIndexOf('\n');
  const [, reward] = /^\s*Reward: (\S+)$/.exec(line.slice(lastLine + 1)) ?? [];
  const [head] = /^Sample:\s*\n/.exec(line) ?? [];
  if (reward === undefined || head === undefined) return null;
  const between = line.slice(head.length, Math.max(head.length, lastLine));
  const filled = between.trimEnd();
  const [blank = ''] = between.slice(filled.length).split('\n');
  return { body: filled + blank, reward };
}

export function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}\n...`;
}

/**
 * Prints the newest answers of MARTI's workflow: files `<prompt>/llm_logs/log_<time>_<agent>.txt`, indented JSON with
 * each text on one line. The token lists, which are most of a file, are not read. Prints each file's time and path, then
 * those lines. `agent`: only this position; `beforeSeconds`: none that is newer.
 */
export function workflowScript(query: {
  readonly folder: string;
  readonly agent: number | null;
  readonly beforeSeconds: number | null;
  readonly limit: number;
}): string {
  const name = query.agent === null ? 'log_*.txt' : `log_*_${query.agent}.txt`;
  const bound = query.beforeSeconds === null ? '' : ` && $1 <= ${query.beforeSeconds}`;
  return `
export LC_ALL=C
cd ${shellPath(query.folder)} 2>/dev/null || exit 0
if stat -c %Y / >/dev/null 2>&1; then facts='stat -c %Y\\ %n'; else facts='stat -f %m\\ %N'; fi
find . -path '*/llm_logs/*' -name ${shellWord(name)} -type f -exec sh -c "$facts"' "$@"' facts {} + 2>/dev/null |
awk '$1 > 0${bound}' | sort -k 1,1rn -k 2r | head -n ${query.limit} |
while read -r seconds file; do
  echo "file $seconds $file"
  grep -E -m 4 '^ *"(agent_id|messages|action_text|generation)": ' "$file" | cut -b 1-200000
done
exit 0
`;
}

const fieldSchema = z.object({
  agent_id: z.union([z.string(), z.number()]).optional(),
  messages: z.string().optional(),
  action_text: z.string().optional(),
  generation: z.string().optional(),
});

/** Parses the output of `workflowScript`, newest first. `stepAt`: the global step at a time of the machine's clock. */
export function parseWorkflow(
  stdout: string,
  agentAt: (position: number) => string,
  stepAt: (ms: number) => number,
): readonly Rollout[] {
  const files = stdout.split(/^file /m).slice(1);
  return files.flatMap((text) => {
    const [head = '', ...lines] = text.split('\n');
    const [, seconds, path = ''] = /^(\d+) \.\/([\s\S]*)/.exec(head) ?? [];
    const [file = '', folder, problem] = path.split('/').reverse();
    const [, agent] = /^log_.*_(\d+)\.txt$/.exec(file) ?? [];
    if (agent === undefined || folder !== 'llm_logs' || problem === undefined || problem === '') return [];
    let [prompt, answer] = ['', ''];
    for (const line of lines) {
      const fields = fieldOf(line);
      prompt = fields?.messages ?? prompt;
      answer = fields?.action_text ?? fields?.generation ?? answer;
    }
    return [
      {
        agentId: agentAt(Number(agent)),
        step: stepAt(Number(seconds) * 1_000),
        problemId: problem,
        node: null,
        parent: null,
        prompt: shortened(prompt),
        answer: shortened(answer),
        reward: null,
        shapedReward: null,
        advantage: null,
      },
    ];
  });
}

/** Parses one line of an object, e.g. `    "action_text": "...",`; a truncated text is closed. */
function fieldOf(line: string): z.infer<typeof fieldSchema> | null {
  const bare = line.trim().replace(/,$/, '');
  for (const text of [bare, `${bare.replace(/\\[^"\\]{0,5}$/, '')}"`]) {
    try {
      const parsed = fieldSchema.safeParse(JSON.parse(`{${text}}`));
      return parsed.success ? parsed.data : null;
    } catch {
      // Try the next one.
    }
  }
  return null;
}
