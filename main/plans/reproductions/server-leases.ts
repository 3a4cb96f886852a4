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

/** The servers that reproductions hold, by step, beside the studies that use them. */
export type ServerLeases = {
  /** Starts it where it is not held yet. `onEnd` is called once when it answers, or can not be started. */
  readonly hold: (id: string, stepId: string, spec: ServerSpec, onEnd: () => void) => void;
  /** null: not held. */
  readonly stateOf: (id: string, stepId: string) => Lease['state'] | null;
  /** Lets go of it; it is stopped where nobody else needs it. Also of one that an earlier start of the app held. */
  readonly release: (id: string, stepId: string) => Promise<void>;
  /** Ends the waiting for those that start; they go on. Resolves when none is in the middle of being launched. */
  readonly dispose: () => Promise<void>;
};

export function createServerLeases(around: {
  readonly servers: Pick<ServerService, 'ensure' | 'stopOwnedBy'>;
  readonly checkpoints: Pick<PocketCheckpoints, 'ensure' | 'trained'>;
}): ServerLeases {
  const { servers, checkpoints } = around;
  const holds = new Map<string, Lease>();

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
    hold: (id, stepId, spec, onEnd) => {
      const owner = reproductionOwner(id, stepId);
      if (holds.has(owner)) return;
      const hold: Lease = {
        controller: new AbortController(),
        over: Promise.resolve(),
        state: { kind: 'starting' },
      };
      holds.set(owner, hold);
      hold.over = start(owner, spec, hold.controller.signal)
        .catch((error: unknown): Lease['state'] => {
          const message = `The server of "${spec.model}" could not be started: ${String(error)}.`;
          return { kind: 'failed', refusal: { code: 'internal', message } };
        })
        .then((state) => {
          hold.state = state;
          if (!hold.controller.signal.aborted) onEnd();
        });
    },
    stateOf: (id, stepId) => holds.get(reproductionOwner(id, stepId))?.state ?? null,
    release: async (id, stepId) => {
      const owner = reproductionOwner(id, stepId);
      const hold = holds.get(owner);
      hold?.controller.abort();
      holds.delete(owner);
      // What is being started is the owner's only then.
      await hold?.over;
      await servers.stopOwnedBy(owner);
    },
    dispose: async () => {
      const left = [...holds.values()];
      holds.clear();
      for (const { controller } of left) controller.abort();
      await Promise.all(left.map(({ over }) => over));
    },
  };
}
