import type { Engine } from '../launch';
import type { Problem } from '../problem';
import type { PromptFormat, PromptTemplate } from '../prompt-format';
import type { SearchOptions } from '../strategy';
import type { Agent, ServerSpec } from '../team';
import { namesTheProblem } from './prompt-template';
import { STRATEGIES } from './strategy-fields';

export type PromptFormatName = 'workbench' | 'completion-trimmed' | PromptFormat['kind'];

/** The formats by name, the default first. */
export const PROMPT_FORMATS: ReadonlyArray<{
  readonly name: PromptFormatName;
  readonly label: string;
  readonly help: string;
}> = [
  {
    name: 'workbench',
    label: "The workbench's",
    help: 'The statement, and how to give the program.',
  },
  {
    name: 'bare',
    label: 'Statement only',
    help: "Nothing but the statement, no system prompt: MARTI's first prompt.",
  },
  {
    name: 'completion',
    label: 'Completion (base models)',
    help: 'The model continues the starter code as plain text, without a chat template. First attempts only.',
  },
  {
    name: 'completion-trimmed',
    label: 'Completion, trimmed',
    help: "The same without the line end behind the starter code, as in bigcode's harness. First attempts only.",
  },
  {
    name: 'file',
    label: 'Own template',
    help: 'Your text, with {statement}, {starter} and {format} in it.',
  },
];

/** The format of this name, where the name says all of it. */
export function namedPromptFormat(name: 'bare' | 'completion' | 'completion-trimmed'): PromptFormat {
  return name === 'completion-trimmed' ? { kind: 'completion', isTrimmed: true } : { kind: name };
}

/** Texts that end a completion: Chen et al. 2021 (arXiv 2107.03374), section 3.2. */
export const COMPLETION_STOPS: readonly string[] = ['\nclass', '\ndef', '\n#', '\nif', '\nprint'];

/** Those that continue a plain text by /v1/completions; Ollama puts it into the model's template first. */
const COMPLETION_ENGINES: readonly Engine[] = ['vllm', 'sglang', 'llama-cpp', 'pytorch'];

/** "completion", "file 0123456789abcdef": the format's name, and of a template its digest. */
export function promptFormatText({ promptFormat }: Pick<Agent, 'promptFormat'>): string {
  if (promptFormat === undefined) return 'workbench';
  if (promptFormat.kind === 'completion') return promptFormat.isTrimmed ? 'completion-trimmed' : 'completion';
  if (promptFormat.kind === 'bare' || promptFormat.digest === '') return promptFormat.kind;
  return `file ${promptFormat.digest}`;
}

/** The text that a completion continues, and that its program begins with. */
export function completionPrompt(
  { starterCode }: Pick<Problem, 'starterCode'>,
  { isTrimmed }: Extract<PromptFormat, { kind: 'completion' }>,
): string {
  return isTrimmed ? starterCode.trimEnd() : starterCode;
}

/** The formats of a team's agents, each once; null: all are asked by the workbench's own. */
export function teamPromptFormats(agents: readonly Pick<Agent, 'promptFormat'>[]): string | null {
  if (agents.every(({ promptFormat }) => promptFormat === undefined)) return null;
  return [...new Set(agents.map(promptFormatText))].join(', ');
}

/** A format that sends no system prompt. */
export function isWithoutSystemPrompt(format: PromptFormat | undefined): boolean {
  return format?.kind === 'bare' || format?.kind === 'completion';
}

/** The text that a template's digest is of. */
export function templateText({ system, user }: PromptTemplate): string {
  return JSON.stringify({ system, user });
}

/** Has the problem a function whose body is to be written? The statement is then in its docstring. */
export function hasFunctionToComplete(
  problem: Pick<Problem, 'starterCode' | 'publicTests' | 'privateTests'>,
): boolean {
  const kind = (problem.privateTests[0] ?? problem.publicTests[0])?.kind;
  return problem.starterCode !== '' && (kind === 'check' || kind === 'reference');
}

/** Why this agent cannot be asked as it says, as a sentence with what to do; null: it can. */
export function promptFormatProblem(
  agent: Agent,
  context: {
    readonly server: ServerSpec | undefined;
    readonly search: Pick<SearchOptions, 'strategy'>;
    /** Of a saved launch; undefined: there is no such launch. */
    readonly engineOf: (launchId: string) => Engine | undefined;
  },
): string | null {
  const { promptFormat, role, sampling, extraction, name } = agent;
  const { server, search } = context;
  if (promptFormat === undefined) return null;
  if (server?.kind === 'recorded')
    return `${name} is recorded, so it is not asked: leave out its prompt format.`;
  if (isWithoutSystemPrompt(promptFormat) && role !== null && role.systemPrompt !== '') {
    return `The prompt format ${promptFormat.kind} has no system prompt: leave out the role prompt of ${name}, or choose another format.`;
  }
  if (promptFormat.kind === 'file' && !namesTheProblem(promptFormat.user)) {
    return `The user text of ${name} must contain {statement} or {starter}.`;
  }
  if (promptFormat.kind !== 'completion') return null;
  if (extraction !== 'completion') {
    return `A completion continues the starter code: set the extraction of ${name} to completion.`;
  }
  if (sampling.thinking !== undefined) {
    return `Thinking is a switch of the chat template, and a completion has none: leave it out for ${name}.`;
  }
  const strategy = STRATEGIES[search.strategy.kind];
  if (!strategy.firstAttemptsOnly) {
    const names = Object.entries(STRATEGIES).flatMap(([kind, info]) =>
      info.firstAttemptsOnly ? [kind] : [],
    );
    return `${strategy.name} refines programs, and a completion has no place for an earlier program and its results: search with ${names.join(' or ')}, or choose another prompt format for ${name}.`;
  }
  return completionServerProblem(name, server, context.engineOf);
}

function completionServerProblem(
  name: string,
  server: ServerSpec | undefined,
  engineOf: (launchId: string) => Engine | undefined,
): string | null {
  if (server?.kind === 'pocket') {
    return `${name} is a pocket policy, which continues no plain text: leave out its prompt format.`;
  }
  const engine = server?.kind === 'launch' ? engineOf(server.launchId) : undefined;
  if (engine === undefined || COMPLETION_ENGINES.includes(engine)) return null;
  return `A server of ${engine} does not continue a plain text without a chat template: serve the model of ${name} with ${COMPLETION_ENGINES.join(', ')}.`;
}
