import { z } from 'zod';
import { parsedJson } from '../../base';

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z.object({ completion_tokens: z.int().nonnegative() }).nullish(),
});

/** Characters; a line of a stream holds a token or some, and how probable they were. */
const LONGEST_LINE = 1_000_000;

/** Reads an answer that comes token by token ("server-sent events"), piece by piece. */
export class StreamAnswer {
  #rest = '';
  #pieces = 0;
  #tokens: number | null = null;
  #isOver = false;

  /** True once a token has come. */
  get hasBegun(): boolean {
    return this.#pieces > 0;
  }

  /** Completion tokens: as the server counts them, else the pieces that came. */
  get tokens(): number {
    return this.#tokens ?? this.#pieces;
  }

  /** It came to its end, and was not cut. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A line does not end: nothing is read any more. */
  get isTooLong(): boolean {
    return this.#rest.length > LONGEST_LINE;
  }

  read(text: string): void {
    if (this.isTooLong) return;
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) this.#take(line.slice('data:'.length).trim());
    }
  }

  #take(data: string): void {
    if (data === '[DONE]') {
      this.#isOver = true;
      return;
    }
    const chunk = chunkSchema.safeParse(parsedJson(data));
    if (!chunk.success) return;
    const { choices, usage } = chunk.data;
    for (const { delta, finish_reason: reason } of choices) {
      // `transformers serve` says nothing after it.
      if (reason) this.#isOver = true;
      const text = delta?.content || delta?.reasoning_content || delta?.reasoning;
      if (text) this.#pieces += 1;
    }
    if (usage) this.#tokens = usage.completion_tokens;
  }
}
