import { Agent } from 'node:http';
import type { ServerMetrics } from '../../preload/contract';
import { exchange } from './http-exchange';
import type { EngineKind, EngineNumbers } from './logic/engines';

/** Engines count anew every few seconds. */
const LOOK_EVERY_MS = 3_000;
const PATIENCE_MS = 3_000;

/** Looks at what a server tells of itself, at most every three seconds. The first look finds out in whose words. */
export class MetricsWatch {
  readonly #engines: readonly EngineKind[];
  readonly #clock: { readonly now: () => number };
  readonly #agent = new Agent();
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #last: { readonly atMs: number; readonly numbers: EngineNumbers } | null = null;
  #metrics: ServerMetrics | null = null;
  #isLooking = false;

  /** `engines`: the one that it is, or all that it may be. */
  constructor(engines: readonly EngineKind[], clock: { readonly now: () => number }) {
    this.#engines = engines.filter(({ metricsPath }) => metricsPath !== null);
    this.#clock = clock;
  }

  get metrics(): ServerMetrics | null {
    return this.#metrics;
  }

  /** It is not ready any more: what it told is past. */
  forget(): void {
    this.#last = null;
    this.#metrics = null;
  }

  /** `baseUrl` with its "/v1". Never rejects. */
  async look(baseUrl: string, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.now();
    if (this.#isLooking || this.#engines.length === 0 || nowMs - this.#lookedAtMs < LOOK_EVERY_MS) return;
    // Only an engine on this computer's loopback or plain http is asked: metrics have no key of their own.
    if (!baseUrl.startsWith('http:')) return;
    this.#isLooking = true;
    this.#lookedAtMs = nowMs;
    try {
      const numbers = await this.#ask(baseUrl, signal);
      if (numbers === null) this.forget();
      else this.#take(numbers, this.#clock.now());
    } finally {
      this.#isLooking = false;
    }
  }

  async #ask(baseUrl: string, signal: AbortSignal): Promise<EngineNumbers | null> {
    const pages = new Map<string, string | null>();
    for (const { metricsPath, numbersOf } of this.#engines) {
      const path = metricsPath ?? '';
      if (!pages.has(path)) {
        const url = new URL(path, baseUrl).href;
        const asked = {
          method: 'GET',
          url,
          body: null,
          agent: this.#agent,
          timeoutMs: PATIENCE_MS,
          signal,
        } as const;
        const answer = await exchange(asked);
        pages.set(path, answer.ok && answer.value.status === 200 ? answer.value.body : null);
      }
      const page = pages.get(path) ?? null;
      if (page === null) continue;
      const numbers = numbersOf(page);
      if (Object.values(numbers).some((one) => one !== null)) return numbers;
    }
    return null;
  }

  #take(numbers: EngineNumbers, atMs: number): void {
    const before = this.#last;
    this.#last = { atMs, numbers };
    const { running, waiting, cacheUse } = numbers;
    this.#metrics = {
      at: new Date(atMs).toISOString(),
      running,
      waiting,
      tokensPerSecond: before === null ? null : speed(before, { atMs, numbers }),
      cacheUse: cacheUse === null ? null : Math.min(1, Math.max(0, cacheUse)),
    };
  }
}

type Reading = { readonly atMs: number; readonly numbers: EngineNumbers };

/** Tokens per second between two looks; null where the count began anew. */
function speed(before: Reading, now: Reading): number | null {
  const [first, last] = [before.numbers.generatedTokens, now.numbers.generatedTokens];
  const ms = now.atMs - before.atMs;
  if (first === null || last === null || ms <= 0 || last < first) return null;
  return ((last - first) * 1_000) / ms;
}
