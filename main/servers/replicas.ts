import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { abortable } from './abortable';
import type { ChatClient, CompletionRequest } from './chat-client';
import type { Completion } from './logic/chat-answer';
import type { ChatFailure } from './logic/chat-failure';
import type { RunningServer } from './running-server';

/** One of several servers of the same model. */
export type Replica = {
  readonly id: string;
  readonly isReady: boolean;
  /** It is ready or may be soon. */
  readonly isUsable: boolean;
  /** Resolves with the outcome of the start in progress, or of the last one. */
  readonly ready: () => Promise<Result<RunningServer, Refusal>>;
};

/**
 * Several servers of one model as one: each request goes to the least busy server that is ready. When one cannot be
 * reached, its request goes to another, and it gets no more until it is ready again. Resolves when the first is ready, or
 * all have failed; the others join later.
 */
export async function runReplicas(replicas: readonly Replica[]): Promise<Result<RunningServer, Refusal>> {
  const [first] = replicas;
  if (first === undefined) throw new RangeError('No replica');
  if (replicas.length === 1) return first.ready();
  const clients = new Map<string, RunningServer>();
  const starts = replicas.map(async (replica) => {
    const started = await replica.ready();
    if (started.ok) clients.set(replica.id, started.value);
    return started;
  });
  const firstReady = await firstOk(starts);
  if (!firstReady.ok) return firstReady;

  const untried = (tried: ReadonlySet<string>) => replicas.filter(({ id }) => !tried.has(id));
  const leastBusy = (tried: ReadonlySet<string>): Replica | null => {
    let best: Replica | null = null;
    for (const replica of untried(tried)) {
      if (!replica.isReady) continue;
      if (best === null || requestsInFlight(clients.get(replica.id)) < requestsInFlight(clients.get(best.id)))
        best = replica;
    }
    return best;
  };

  const complete = async (
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Result<Completion, ChatFailure>> => {
    const tried = new Set<string>();
    let last: ChatFailure = { kind: 'transport', message: 'none of its servers is running' };
    while (!signal.aborted) {
      const replica = leastBusy(tried);
      if (replica === null) {
        const starting = untried(tried).filter(({ isUsable }) => isUsable);
        if (starting.length === 0) return failed(last);
        const started = await abortable(firstOk(starting.map((server) => server.ready())), signal);
        if (started === null) break;
        if (!started.ok) return failed({ kind: 'transport', message: started.error.message });
        continue;
      }
      const running = clients.get(replica.id) ?? runningOf(await replica.ready());
      if (running === null) {
        tried.add(replica.id);
        continue;
      }
      clients.set(replica.id, running);
      const answer = await running.client.complete(request, signal);
      if (answer.ok || answer.error.kind !== 'transport') return answer;
      last = answer.error;
      tried.add(replica.id);
    }
    return failed({ kind: 'cancelled' });
  };

  const sum = (of: (client: ChatClient) => number): number =>
    [...clients.values()].reduce((total, { client }) => total + of(client), 0);
  return ok({
    id: first.id,
    baseUrl: firstReady.value.baseUrl,
    client: {
      complete,
      models: (signal) => firstReady.value.client.models(signal),
      maxInFlight: firstReady.value.client.maxInFlight * replicas.length,
      inFlight: () => sum((client) => client.inFlight()),
      answered: () => sum((client) => client.answered()),
      // Each belongs to its own server.
      dispose: () => undefined,
    },
  });
}

function requestsInFlight(running: RunningServer | undefined): number {
  return running === undefined ? 0 : running.client.inFlight();
}

function runningOf(started: Result<RunningServer, Refusal>): RunningServer | null {
  return started.ok ? started.value : null;
}

/** The first success; otherwise the failure of the first in the list. */
async function firstOk(
  all: readonly Promise<Result<RunningServer, Refusal>>[],
): Promise<Result<RunningServer, Refusal>> {
  const good = all.map(async (promise) => {
    const outcome = await promise;
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome;
  });
  return Promise.any(good).catch(() => all[0] as Promise<Result<RunningServer, Refusal>>);
}
