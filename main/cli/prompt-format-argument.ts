import { readFileSync, statSync } from 'node:fs';
import {
  namedPromptFormat,
  PROMPT_FORMATS,
  type PromptFormat,
  promptTemplateSchema,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { ArgumentError } from './agent-arguments';

/** A template has two texts of at most 20,000 characters; escaped in JSON they may be some times longer. */
const MAX_FILE_BYTES = 1_000_000;

const fileSchema = promptTemplateSchema
  .extend({ system: promptTemplateSchema.shape.system.default('') })
  .strict();

/** "bare", "completion", "completion-trimmed", "file:PATH" of a JSON file {"system": "...", "user": "..."}; undefined: the workbench's own. */
export function promptFormatOf(text: string | undefined): Result<PromptFormat | undefined, ArgumentError> {
  if (text === undefined || text === 'workbench') return ok(undefined);
  if (text === 'bare' || text === 'completion' || text === 'completion-trimmed') {
    return ok(namedPromptFormat(text));
  }
  if (text.startsWith('file:')) return templateOf(text.slice('file:'.length));
  const names = PROMPT_FORMATS.map(({ name }) => (name === 'file' ? 'file:PATH' : name)).join(', ');
  return failed({ message: `format of an agent is ${names}, not "${text}".` });
}

function templateOf(path: string): Result<PromptFormat, ArgumentError> {
  const refused = (problem: string) => failed({ message: `The prompt template ${path} ${problem}.` });
  let json: unknown;
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return refused(`has more than ${MAX_FILE_BYTES} bytes`);
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return refused('is not JSON: write {"system": "...", "user": "..."}');
    return refused(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = fileSchema.safeParse(json);
  if (parsed.success) return ok({ kind: 'file', ...parsed.data, digest: '' });
  const [issue] = parsed.error.issues;
  const where =
    issue === undefined || issue.path.length === 0 ? 'is not valid' : `: "${issue.path.join('.')}"`;
  return refused(`${where} ${issue?.message ?? ''}`.trim());
}
