import type { ChatFailure } from './chat-failure';

/** What "compatible" servers differ in: OpenAI's newer models refuse what all others want, and the other way round. */
export type Dialect = {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** OpenAI takes metadata only with requests that it stores; Google's address takes none. */
  readonly hasMetadata: boolean;
};

export const PLAIN_DIALECT: Dialect = { tokenLimit: 'max_tokens', hasMetadata: true };

/** The dialect to ask again in; null where the refusal is about something else. */
export function dialectAfter(spoken: Dialect, failure: ChatFailure): Dialect | null {
  if (failure.kind !== 'refused' || (failure.status !== 400 && failure.status !== 422)) return null;
  if (spoken.tokenLimit === 'max_tokens' && failure.message.includes('max_completion_tokens')) {
    return { ...spoken, tokenLimit: 'max_completion_tokens' };
  }
  if (spoken.hasMetadata && /\bmetadata\b/.test(failure.message)) return { ...spoken, hasMetadata: false };
  return null;
}
