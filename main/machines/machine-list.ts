import { LOCAL_MACHINE, type MachineSpec, machineSpecSchema, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Registry } from '../storage';
import { THIS_COMPUTER } from './local-machine';
import { type AsyncResult, hostOf } from './machine';

/** The user's machines, as the registry stores them; this computer is always one. */
export class MachineList {
  readonly #registry: Pick<Registry, 'read' | 'update'>;

  constructor(registry: Pick<Registry, 'read' | 'update'>) {
    this.#registry = registry;
  }

  all(): readonly MachineSpec[] {
    const saved = this.#registry.read().machines;
    return saved.some(({ id }) => id === LOCAL_MACHINE) ? saved : [THIS_COMPUTER, ...saved];
  }

  find(id: string): MachineSpec | undefined {
    return this.all().find((spec) => spec.id === id);
  }

  onHost(host: string): readonly MachineSpec[] {
    return this.all().filter((spec) => hostOf(spec) === host);
  }

  async add(candidate: MachineSpec): AsyncResult<MachineSpec> {
    const spec = checked(candidate);
    if (!spec.ok) return spec;
    const { id, kind } = spec.value;
    if (kind === 'local') return failed(onlyOneLocal());
    const saved = await this.#save((machines) =>
      machines.some((machine) => machine.id === id) || id === LOCAL_MACHINE
        ? failed({
            code: 'conflict',
            message: `A machine "${id}" already exists. Choose another short name.`,
          })
        : ok([...machines, spec.value]),
    );
    return saved.ok ? spec : saved;
  }

  async change(candidate: MachineSpec): AsyncResult<MachineSpec> {
    const spec = checked(candidate);
    if (!spec.ok) return spec;
    const { id, kind } = spec.value;
    if ((kind === 'local') !== (id === LOCAL_MACHINE)) return failed(onlyOneLocal());
    const saved = await this.#save((machines) =>
      machines.some((machine) => machine.id === id)
        ? ok(machines.map((machine) => (machine.id === id ? spec.value : machine)))
        : failed(noSuchMachine(id)),
    );
    return saved.ok ? spec : saved;
  }

  async remove(id: string): AsyncResult<null> {
    if (id === LOCAL_MACHINE)
      return failed({ code: 'not-allowed', message: 'This computer cannot be removed.' });
    return this.#save((machines) =>
      machines.some((machine) => machine.id === id)
        ? ok(machines.filter((machine) => machine.id !== id))
        : failed(noSuchMachine(id)),
    );
  }

  async #save(
    next: (machines: readonly MachineSpec[]) => Result<readonly MachineSpec[], Refusal>,
  ): AsyncResult<null> {
    let refusal: Refusal | null = null;
    const answer = await this.#registry.update((data) => {
      const changed = next(data.machines);
      if (!changed.ok) refusal = changed.error;
      return changed.ok ? { ...data, machines: [...changed.value] } : data;
    });
    if (!answer.ok) return answer;
    return refusal === null ? ok(null) : failed<Refusal>(refusal);
  }
}

function checked(spec: MachineSpec): Result<MachineSpec, Refusal> {
  const parsed = machineSpecSchema.safeParse(spec);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return failed({
    code: 'bad-input',
    message: `Cannot save the machine: its ${issue?.path.join('.') || 'format'} ${issue?.message}.`,
  });
}

export function noSuchMachine(id: string): Refusal {
  return {
    code: 'not-found',
    message: `There is no machine "${id}".`,
    hint: 'The machines that there are: mars2 machines list',
  };
}

function onlyOneLocal(): Refusal {
  return {
    code: 'bad-input',
    message: 'This computer is already in the list of machines.',
  };
}
