import type { Answer, WorkbenchEvent } from '../../preload/contract/index';
import type { Emitter } from '../base/index';
import type { Call } from './dispatch';

/** This many are enough to see what led to a problem. */
const MOST = 40;
/** Far more than is shown of one: what is secret in it is hidden before it is cut. */
const LONGEST = 4_000;

/** A warning, an error or a refusal that was shown. */
export type RecentMessage = {
  /** ISO date. */
  readonly at: string;
  /** e.g. "warning", or "study.start, unavailable". */
  readonly about: string;
  readonly message: string;
};

/** The latest messages about problems, in memory, for the report of one. */
export type RecentMessages = {
  /** Oldest first. */
  readonly list: () => readonly RecentMessage[];
  /** The same calls; notes each refusal but of what the user cancelled. */
  readonly noting: (call: Call) => Call;
};

export function createRecentMessages(events: Emitter<WorkbenchEvent>, now: () => Date): RecentMessages {
  let messages: readonly RecentMessage[] = [];
  const note = (about: string, message: string): void => {
    const at = now().toISOString();
    messages = [...messages, { at, about, message: message.slice(0, LONGEST) }].slice(-MOST);
  };
  events.on((event) => {
    if (event.kind === 'notice' && event.level !== 'info') note(event.level, event.message);
  });
  const noted = (name: string, answer: Answer<unknown>): Answer<unknown> => {
    if (!answer.ok && answer.error.code !== 'cancelled')
      note(`${name.slice(0, 60)}, ${answer.error.code}`, answer.error.message);
    return answer;
  };
  return {
    list: () => messages,
    noting: (call) => async (name, payload, host) => noted(name, await call(name, payload, host)),
  };
}
