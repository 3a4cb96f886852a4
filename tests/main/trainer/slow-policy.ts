import { failed, ok } from '../../../main/base';
import type { PocketPolicy } from '../../../main/pocket';
import { PocketLearner, type PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import type { Policy, Sampled } from '../../../main/trainer/policy';

export type SlowPolicy = Policy<PocketTrace> & {
  /** Names of the calls, in order; answers are not among them. */
  readonly calls: readonly string[];
  readonly learner: PocketLearner;
};

/**
 * A pocket policy that answers like a model server: later, the newest request first, and not at all once it is cancelled.
 * `rounding` is added to what it reports of its answers, as by an engine that computes otherwise than the learner.
 */
export function slowPolicy(id: string, base: PocketPolicy, rounding = 0): SlowPolicy {
  const learner = new PocketLearner(id, base, 'test');
  const calls: string[] = [];
  const waiting: (() => void)[] = [];
  const noted =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name);
      return call(...args);
    };
  return {
    id,
    learner,
    calls,
    hasReference: true,
    write: async (request) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setTimeout(() => waiting.pop()?.());
      });
      if (request.signal.aborted) return failed({ kind: 'stopped' });
      const written = await learner.write(request);
      if (!written.ok) return written;
      return ok({ ...written.value, rollout: Array.from(written.value.rollout, (log) => log + rounding) });
    },
    score: (traces, by) => noted(`score ${by}`, () => learner.score(traces, by))(),
    backward: noted('backward', (traces, slopes) => learner.backward(traces, slopes)),
    entropy: (traces) => learner.entropy(traces),
    step: noted('step', (rate) => learner.step(rate)),
    publish: noted('publish', () => learner.publish()),
    save: noted('save', () => learner.save()),
    restore: noted('restore', (mark) => learner.restore(mark)),
    exportTo: noted('export', (path) => learner.exportTo(path)),
    codec: {
      encode: (sample: Sampled<PocketTrace>) => learner.codec.encode(sample),
      decode: (kept) => learner.codec.decode(kept),
    },
  };
}
