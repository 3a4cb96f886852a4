import type { Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { Forward } from './readiness';
import { hopTo } from './slurm-hop';

/** The way from this computer to the port of one server: made when it is asked for, and kept. */
export class Reach implements Disposable {
  readonly #machine: () => Result<Machine, Refusal>;
  #held: {
    /** A machine whose host was changed is another one, and its forwards are gone. */
    readonly machine: Machine;
    readonly port: number;
    readonly node: string | null;
    readonly forward: Forward;
  } | null = null;
  #making: Promise<Result<Forward, Refusal>> | null = null;
  #isOver = false;

  constructor(machine: () => Result<Machine, Refusal>) {
    this.#machine = machine;
  }

  /** `node` tells the host that Slurm has put the server on; null: not known yet. One asks at a time. */
  to(port: number, node: () => Asked<string | null>): Promise<Result<Forward, Refusal>> {
    this.#making ??= this.#make(port, node).finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  /** What is held leads nowhere any more. */
  drop(): void {
    this.#held?.forward.dispose();
    this.#held = null;
  }

  dispose(): void {
    this.#isOver = true;
    this.drop();
  }

  async #make(port: number, nodeOf: () => Asked<string | null>): Promise<Result<Forward, Refusal>> {
    const machine = this.#machine();
    if (!machine.ok) return machine;
    const isSlurm = machine.value.spec.kind === 'slurm';
    const node = isSlurm ? await nodeOf() : ok(null);
    if (!node.ok) return node;
    const held = this.#held;
    const isSame = held?.machine === machine.value && held.port === port && held.node === node.value;
    if (held !== null && isSame) return ok(held.forward);
    this.drop();
    const made: Result<Forward, Refusal> = isSlurm
      ? await hopTo(machine.value, node.value, port, () => {
          if (made.ok && this.#held?.forward === made.value) this.drop();
        })
      : await machine.value.forward(port);
    if (!made.ok) return made;
    if (this.#isOver) {
      made.value.dispose();
      return failed({ code: 'cancelled', message: 'The server is not looked after any more.' });
    }
    this.#held = { machine: machine.value, port, node: node.value, forward: made.value };
    return made;
  }
}
