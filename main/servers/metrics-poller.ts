import { Agent } from 'node:http';
import type { ServerMetrics } from '../../preload/contract';
import { exchange } from './http-exchange';
import type { EngineKind, EngineNumbers } from './logic/engines';

/** Engines update their metrics every few seconds. */
const POLL_MS = 3_000;
const TIMEOUT_MS = 3_000;
/** An engine's page has some 100 kB. A longer one is not read, and the server has no metrics. */
const MAX_PAGE_BYTES = 2_000_000;

/** Polls a server's metrics, at most every three seconds. The first poll finds out which engine's format they have. */
export class MetricsPoller {
  readonly #engines: readonly EngineKind[];
  readonly #clock: { readonly now: () => number };
  readonly #agent = new Agent();
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #last: { readonly atMs: number; readonly numbers: EngineNumbers } | null = null;
  #metrics: ServerMetrics | null = null;
  #isPolling = false;

  /** `engines`: the server's engine, or all that it may be. */
  constructor(engines: readonly EngineKind[], clock: { readonly now: () => number }) {
    this.#engines = engines.filter(({ metricsPath }) => metricsPath !== null);
    this.#clock = clock;
  }

  get metrics(): ServerMetrics | null {
    return this.#metrics;
  }

  /** The server is no longer ready. */
  clear(): void {
    this.#last = null;
    this.#metrics = null;
  }

  /** `baseUrl` with its "/v1". Never rejects. */
  async poll(baseUrl: string, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.now();
    if (this.#isPolling || this.#engines.length === 0 || nowMs - this.#polledAtMs < POLL_MS) return;
    // Only over plain http (the loopback or the lab's network): metrics need no key.
    if (!baseUrl.startsWith('http:')) return;
    this.#isPolling = true;
    this.#polledAtMs = nowMs;
    try {
      const numbers = await this.#ask(baseUrl, signal);
      if (numbers === null) this.clear();
      else this.#store(numbers, this.#clock.now());
    } finally {
      this.#isPolling = false;
    }
  }

  async #ask(baseUrl: string, signal: AbortSignal): Promise<EngineNumbers | null> {
    const pages = new Map<string, string | null>();
    for (const { metricsPath, numbersOf } of this.#engines) {
      const path = metricsPath ?? '';
      if (!pages.has(path)) {
        const url = new URL(path, baseUrl).href;
        const request = {
          method: 'GET',
          url,
          body: null,
          agent: this.#agent,
          timeoutMs: TIMEOUT_MS,
          maxAnswerBytes: MAX_PAGE_BYTES,
          signal,
        } as const;
        const answer = await exchange(request);
        pages.set(path, answer.ok && answer.value.status === 200 ? answer.value.body : null);
      }
      const page = pages.get(path) ?? null;
      if (page === null) continue;
      const numbers = numbersOf(page);
      if (Object.values(numbers).some((value) => value !== null)) return numbers;
    }
    return null;
  }

  #store(numbers: EngineNumbers, atMs: number): void {
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

/** Tokens per second between two polls; null where the count was reset. */
function speed(before: Reading, now: Reading): number | null {
  const [first, last] = [before.numbers.generatedTokens, now.numbers.generatedTokens];
  const ms = now.atMs - before.atMs;
  if (first === null || last === null || ms <= 0 || last < first) return null;
  return ((last - first) * 1_000) / ms;
}
