import type { Refusal, ServerSpec } from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import { reproductionOwner, type ServerService } from '../../servers/index';
import type { PocketCheckpoints } from '../../studies/index';

type Lease = {
  readonly controller: AbortController;
  over: Promise<void>;
  state:
    | { readonly kind: 'starting' }
    | { readonly kind: 'ready' }
    | { readonly kind: 'failed'; readonly refusal: Refusal };
};

/** Servers that reproductions lease, by step, so that they stay up while studies come and go. */
export type ServerLeases = {
  /** Starts it where it is not leased yet. `onEnd` is called once when it answers or cannot be started. */
  readonly acquire: (id: string, stepId: string, spec: ServerSpec, onEnd: () => void) => void;
  /** null: not leased. */
  readonly stateOf: (id: string, stepId: string) => Lease['state'] | null;
  /** Also one that an earlier start of the app leased. The server is stopped unless it is needed elsewhere. */
  readonly release: (id: string, stepId: string) => Promise<void>;
  /** Stops waiting for servers that start, which go on. Resolves when none is in the middle of its launch. */
  readonly dispose: () => Promise<void>;
};

export function createServerLeases(deps: {
  readonly servers: Pick<ServerService, 'ensure' | 'stopOwnedBy'>;
  readonly checkpoints: Pick<PocketCheckpoints, 'ensure' | 'trained'>;
}): ServerLeases {
  const { servers, checkpoints } = deps;
  const leases = new Map<string, Lease>();

  const modelFile = async (
    spec: ServerSpec,
    signal: AbortSignal,
  ): Promise<Result<string | null, Refusal>> => {
    if (spec.kind !== 'pocket') return ok(null);
    return spec.trained === undefined
      ? checkpoints.ensure(spec.family, spec.checkpointSeed, signal)
      : checkpoints.trained(spec.trained);
  };
  const start = async (owner: string, spec: ServerSpec, signal: AbortSignal): Promise<Lease['state']> => {
    const file = await modelFile(spec, signal);
    if (!file.ok) return { kind: 'failed', refusal: file.error };
    const server = await servers.ensure(spec, file.value, owner, signal);
    return server.ok ? { kind: 'ready' } : { kind: 'failed', refusal: server.error };
  };
  return {
    acquire: (id, stepId, spec, onEnd) => {
      const owner = reproductionOwner(id, stepId);
      if (leases.has(owner)) return;
      const lease: Lease = {
        controller: new AbortController(),
        over: Promise.resolve(),
        state: { kind: 'starting' },
      };
      leases.set(owner, lease);
      lease.over = start(owner, spec, lease.controller.signal)
        .catch((error: unknown): Lease['state'] => {
          const message = `The server of "${spec.model}" could not be started: ${String(error)}.`;
          return { kind: 'failed', refusal: { code: 'internal', message } };
        })
        .then((state) => {
          lease.state = state;
          if (!lease.controller.signal.aborted) onEnd();
        });
    },
    stateOf: (id, stepId) => leases.get(reproductionOwner(id, stepId))?.state ?? null,
    release: async (id, stepId) => {
      const owner = reproductionOwner(id, stepId);
      const lease = leases.get(owner);
      lease?.controller.abort();
      leases.delete(owner);
      // A server that is starting belongs to the owner only then.
      await lease?.over;
      await servers.stopOwnedBy(owner);
    },
    dispose: async () => {
      const left = [...leases.values()];
      leases.clear();
      for (const { controller } of left) controller.abort();
      await Promise.all(left.map(({ over }) => over));
    },
  };
}
