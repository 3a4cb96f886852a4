import type { Refusal, ServerSpec } from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { forwardTargetOf } from '../../preload/contract/plans/index';
import { type Disposable, failed, ok, type Result } from '../base';
import type { AsyncResult, Machine } from '../machines';

/** How this computer reaches the API of an address; over a machine until it is disposed. */
export type ExternalAccess = Disposable & {
  readonly baseUrl: string;
  /** Name of the machine between; null: none. */
  readonly through: string | null;
};

/** The address itself, or a forwarded port of the machine that sees it. */
export async function openAccess(
  { baseUrl, machineId }: Extract<ServerSpec, { kind: 'url' }>,
  machines: { readonly get: (id: string) => Result<Machine, Refusal> },
): AsyncResult<ExternalAccess> {
  if (machineId === undefined || machineId === LOCAL_MACHINE)
    return ok({ baseUrl, through: null, dispose: () => undefined });
  const machine = machines.get(machineId);
  if (!machine.ok) return machine;
  const target = forwardTargetOf(baseUrl);
  if (target === null) {
    const message = `${baseUrl} cannot be reached through ${machine.value.spec.name}: the URL must begin with http://.`;
    return failed({ code: 'bad-input', message });
  }
  const forward = await machine.value.forward(target.port, 0, target.host);
  if (!forward.ok) return forward;
  const there = new URL(baseUrl);
  there.host = `127.0.0.1:${forward.value.localPort}`;
  return ok({
    baseUrl: there.href.replace(/\/$/, ''),
    through: machine.value.spec.name,
    dispose: () => forward.value.dispose(),
  });
}
