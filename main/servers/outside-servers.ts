import type { Refusal, ServerSpec } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { Machine } from '../machines';
import { serverKey } from './logic/launch-notes';
import { OutsideServer } from './outside-server';
import { wayTo } from './outside-way';
import type { SupervisionOptions } from './supervision';

type OutsideParts = {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** A key by its name; null where there is none. It is not stored here. */
  readonly secretOf: (name: string) => Promise<string | null>;
  readonly options: SupervisionOptions;
  readonly clock: { readonly now: () => number };
  readonly onChange: () => void;
};

/** All servers that somebody else runs. */
export class OutsideServers {
  readonly #parts: OutsideParts;
  readonly #servers = new Map<string, OutsideServer>();
  #count = 0;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  all(): readonly OutsideServer[] {
    return [...this.#servers.values()];
  }

  get(id: string): OutsideServer | undefined {
    return this.#servers.get(id);
  }

  /** One with the same address that is usable, or a new one. */
  async ensure(spec: Extract<ServerSpec, { kind: 'url' }>): Promise<Result<OutsideServer, Refusal>> {
    const key = serverKey(spec, '', '');
    const existing = this.all().find((server) => server.key === key && server.isUsable);
    if (existing !== undefined) return ok(existing);
    // Replaces one that failed or was stopped.
    for (const old of this.all()) if (old.key === key) this.#servers.delete(old.id);
    const { machines, secretOf, options, clock, onChange } = this.#parts;
    const way = await wayTo(spec, machines);
    if (!way.ok) return way;
    this.#count += 1;
    const id = `outside-${this.#count}`;
    const server = new OutsideServer({ id, key, spec, way: way.value, secretOf, options, clock, onChange });
    this.#servers.set(id, server);
    return ok(server);
  }

  /** False: there is no such server here. */
  remove(id: string): boolean {
    const had = this.#servers.delete(id);
    if (had) this.#parts.onChange();
    return had;
  }
}
