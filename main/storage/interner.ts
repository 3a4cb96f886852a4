import { createHash } from 'node:crypto';
import type { RunEvent, Verdict } from '../../preload/contract';

/**
 * Events of a journal repeat a few problem ids, agents and rows of verdicts; sharing them takes a third of the memory.
 */
export class Interner {
  readonly #texts = new Map<string, string>();
  readonly #verdicts = new Map<string, Verdict[]>();

  /** The same event with shared values. Changes the event in place: the caller must not keep another copy. */
  share(event: RunEvent): RunEvent {
    if (!('problemId' in event)) return event;
    event.problemId = this.#text(event.problemId);
    if (event.kind === 'node-added') {
      event.agentId = this.#text(event.agentId);
      event.publicVerdicts = this.#row(event.publicVerdicts);
    } else if (event.kind === 'node-graded') {
      event.privateVerdicts = this.#row(event.privateVerdicts);
    } else if (event.kind === 'trial-failed') {
      event.agentId = this.#text(event.agentId);
    }
    return event;
  }

  #text(text: string): string {
    const interned = this.#texts.get(text);
    if (interned !== undefined) return interned;
    this.#texts.set(text, text);
    return text;
  }

  #row(verdicts: Verdict[]): Verdict[] {
    const key = verdicts.join();
    const interned = this.#verdicts.get(key);
    if (interned !== undefined) return interned;
    this.#verdicts.set(key, verdicts);
    return verdicts;
  }
}

/** The first 16 hex digits of SHA-256: identifies prompts and programs in journals and recordings. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
