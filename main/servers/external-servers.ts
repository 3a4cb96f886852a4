import type { Refusal, ServerSpec } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { Machine } from '../machines';
import { openAccess } from './external-access';
import { ExternalServer } from './external-server';
import { serverKey } from './logic/launch-notes';
import type { SupervisionOptions } from './supervision';

type ExternalServersDeps = {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** A key by its name; null where there is none. It is not stored here. */
  readonly secretOf: (name: string) => Promise<string | null>;
  readonly options: SupervisionOptions;
  readonly clock: { readonly now: () => number };
  readonly onChange: () => void;
};

/** All servers that somebody else runs. */
export class ExternalServers {
  readonly #deps: ExternalServersDeps;
  readonly #servers = new Map<string, ExternalServer>();
  #count = 0;

  constructor(deps: ExternalServersDeps) {
    this.#deps = deps;
  }

  all(): readonly ExternalServer[] {
    return [...this.#servers.values()];
  }

  get(id: string): ExternalServer | undefined {
    return this.#servers.get(id);
  }

  /** One with the same address that is usable, or a new one. */
  async ensure(spec: Extract<ServerSpec, { kind: 'url' }>): Promise<Result<ExternalServer, Refusal>> {
    const key = serverKey(spec, '', '');
    const existing = this.all().find((server) => server.key === key && server.isUsable);
    if (existing !== undefined) return ok(existing);
    // Replaces one that failed or was stopped.
    for (const old of this.all()) if (old.key === key) this.#servers.delete(old.id);
    const access = await openAccess(spec, this.#deps.machines);
    if (!access.ok) return access;
    this.#count += 1;
    const id = `url-${this.#count}`;
    const server = new ExternalServer({ ...this.#deps, id, key, spec, access: access.value });
    this.#servers.set(id, server);
    return ok(server);
  }

  /** False: there is no such server here. */
  remove(id: string): boolean {
    const had = this.#servers.delete(id);
    if (had) this.#deps.onChange();
    return had;
  }
}
