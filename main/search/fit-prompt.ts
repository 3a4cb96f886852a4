import type { ChatMessage } from '../../preload/contract';
import { utf8Length } from '../base';
import { truncateMiddle } from './prompt-text';
import { PROGRAM_HEADING } from './prompts';

/** A shorter rest of an earlier program and its results is of no use. */
const MIN_CHARACTERS = 400;
/**
 * Bytes of a token, fewer than tokenizers need for English or code, so that an estimate is too high rather than too
 * low.
 */
const BYTES_PER_TOKEN = 2.5;
/** Tokens that a chat template adds to each message. */
const TOKENS_PER_MESSAGE = 16;

/**
 * The prompt, shortened by rule where it does not fit: the problem stays whole, the earlier program and its results
 * lose their middle. null: it still does not fit, or it is a first attempt. `fits` is asked some ten times at most.
 */
export async function fitPrompt(
  messages: readonly ChatMessage[],
  fits: (messages: readonly ChatMessage[]) => boolean | Promise<boolean>,
): Promise<readonly ChatMessage[] | null> {
  if (await fits(messages)) return messages;
  const at = messages.findLastIndex(({ content }) => content.includes(PROGRAM_HEADING));
  const message = messages[at];
  if (message === undefined) return null;
  const from = message.content.lastIndexOf(PROGRAM_HEADING) + PROGRAM_HEADING.length;
  const [problem, refinement] = [message.content.slice(0, from), message.content.slice(from)];
  const shortened = (characters: number): readonly ChatMessage[] =>
    messages.with(at, { ...message, content: problem + truncateMiddle(refinement, characters) });
  let [least, most] = [MIN_CHARACTERS, refinement.length - 1];
  if (least > most || !(await fits(shortened(least)))) return null;
  while (most - least > MIN_CHARACTERS / 4) {
    const middle = Math.ceil((least + most) / 2);
    if (await fits(shortened(middle))) least = middle;
    else most = middle - 1;
  }
  return shortened(least);
}

/** Whether the prompt leaves room for `maxTokens`, by an estimate that needs no tokenizer. */
export function isEstimatedToFit(
  messages: readonly ChatMessage[],
  { contextTokens, maxTokens }: { readonly contextTokens: number; readonly maxTokens: number },
): boolean {
  const tokens = messages.reduce(
    (sum, { content }) => sum + TOKENS_PER_MESSAGE + utf8Length(content) / BYTES_PER_TOKEN,
    0,
  );
  return tokens + maxTokens <= contextTokens;
}
