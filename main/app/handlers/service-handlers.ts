import { hostname } from 'node:os';
import type { ServiceInfo } from '../../../preload/contract/index';
import { failed, ok } from '../../base/index';
import type { Registry } from '../../storage/index';
import type { WorkbenchKind } from '../control/frames';
import type { Handlers } from '../dispatch';
import { unfinishedNames, type Work } from '../logic/running-text';

/** About the process that runs the workbench, and for windows that are not that process. */
export function serviceHandlers(deps: {
  readonly kind: WorkbenchKind;
  /** With its build. */
  readonly version: string;
  readonly registry: Pick<Registry, 'update'>;
  readonly damage: () => string | null;
  readonly work: () => Work;
  readonly wake: () => void;
  /** Ends the process once the answer is sent; null: this process is no service, and a person ends it. */
  readonly end: (() => void) | null;
}): Handlers {
  const { kind, version, registry, damage, work, wake, end } = deps;
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  return {
    'service.info': async () =>
      ok({
        kind,
        version,
        pid: process.pid,
        startedAt,
        host: hostname(),
        memoryBytes: process.memoryUsage.rss(),
        damage: damage(),
        unfinished: [...unfinishedNames(work())],
        through: null,
        otherWindow: null,
      } satisfies ServiceInfo),
    'service.stop': async () => {
      if (end === null) {
        return failed({
          code: 'conflict',
          message: `No service runs: a ${kind} has this data folder open.`,
          hint:
            kind === 'window'
              ? 'To start one: Settings > Background service in that window.'
              : 'To start one when that command has ended: mars2 service start',
        });
      }
      end();
      return ok(null);
    },
    'service.wake': async () => {
      wake();
      return ok(null);
    },
    'service.saveWindow': async (bounds) => {
      const saved = await registry.update((data) => ({ ...data, window: bounds }));
      return saved.ok ? ok(null) : saved;
    },
  };
}
