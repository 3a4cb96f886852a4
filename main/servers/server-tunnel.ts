import type { Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import { type AsyncResult, type Forward, forwardToNode, type Machine } from '../machines';

/** A forwarded port from this computer to one server: opened on demand, then reused. */
export class ServerTunnel implements Disposable {
  readonly #machine: () => Result<Machine, Refusal>;
  #current: {
    /** A machine whose host was changed is another object, and its forwards are gone. */
    readonly machine: Machine;
    readonly port: number;
    readonly node: string | null;
    readonly forward: Forward;
  } | null = null;
  #opening: Promise<Result<Forward, Refusal>> | null = null;
  #isOver = false;

  constructor(machine: () => Result<Machine, Refusal>) {
    this.#machine = machine;
  }

  /** `node` gives the host that Slurm has put the server on; null: not known yet. Callers at the same time share one opening. */
  open(port: number, node: () => AsyncResult<string | null>): Promise<Result<Forward, Refusal>> {
    this.#opening ??= this.#openNew(port, node).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Closes the current forward; the next `open` makes a new one. */
  close(): void {
    this.#current?.forward.dispose();
    this.#current = null;
  }

  dispose(): void {
    this.#isOver = true;
    this.close();
  }

  async #openNew(port: number, nodeOf: () => AsyncResult<string | null>): Promise<Result<Forward, Refusal>> {
    const machine = this.#machine();
    if (!machine.ok) return machine;
    const isSlurm = machine.value.spec.kind === 'slurm';
    const node = isSlurm ? await nodeOf() : ok(null);
    if (!node.ok) return node;
    const current = this.#current;
    const isSame = current?.machine === machine.value && current.port === port && current.node === node.value;
    if (current !== null && isSame) return ok(current.forward);
    this.close();
    const opened: Result<Forward, Refusal> = isSlurm
      ? await forwardToNode(machine.value, node.value, port, () => {
          if (opened.ok && this.#current?.forward === opened.value) this.close();
        })
      : await machine.value.forward(port);
    if (!opened.ok) return opened;
    if (this.#isOver) {
      opened.value.dispose();
      return failed({ code: 'cancelled', message: 'The server is no longer supervised.' });
    }
    this.#current = { machine: machine.value, port, node: node.value, forward: opened.value };
    return opened;
  }
}
