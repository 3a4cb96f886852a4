import type { AsyncResult, Machine } from '../../main/machines';
import { createLocalMachine } from '../../main/machines';
import type { MachineSpec } from '../../preload/contract';

/** A machine whose line a test cuts; everything else about it is real. */
export type CutMachine = {
  readonly machine: Machine;
  /** From now on nothing is answered. */
  readonly cut: () => void;
  readonly mend: () => void;
  /**
   * The next call but so many is the last that is answered: `lost` says whether it is still done there. Afterwards
   * nothing is, until `mend`.
   */
  readonly cutAt: (calls: number, lost: 'question' | 'answer') => void;
  /** Calls since the last `cutAt` or `mend`. */
  readonly calls: () => number;
};

const LAB: MachineSpec = { kind: 'ssh', id: 'lab', name: 'Lab', host: 'lab' };

/** This computer, behind a line of its own. */
export function cutMachine(home: string, spec: MachineSpec = LAB): CutMachine {
  const real = createLocalMachine(home, spec);
  let isCut = false;
  let left = Number.POSITIVE_INFINITY;
  let lost: 'question' | 'answer' = 'question';
  let calls = 0;

  const silence = () =>
    ({ ok: false, error: { code: 'unreachable', message: 'Lab does not answer.' } }) as const;
  const over = <Given extends readonly unknown[], T>(call: (...args: Given) => AsyncResult<T>) => {
    return async (...args: Given): AsyncResult<T> => {
      if (isCut) return silence();
      calls += 1;
      left -= 1;
      if (left >= 0) {
        const answer = await call(...args);
        // Cut while it was under way.
        return isCut ? silence() : answer;
      }
      isCut = true;
      if (lost === 'answer') await call(...args);
      return silence();
    };
  };

  return {
    machine: {
      ...real,
      home: over(real.home),
      run: over(real.run),
      spawnDetached: over(real.spawnDetached),
      makeFolder: over(real.makeFolder),
      listFolder: over(real.listFolder),
      removeFolder: over(real.removeFolder),
      removeFile: over(real.removeFile),
      readText: over(real.readText),
      writeText: over(real.writeText),
      readSlice: over(real.readSlice),
    },
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
      left = Number.POSITIVE_INFINITY;
      calls = 0;
    },
    cutAt: (count, what) => {
      left = count;
      lost = what;
      calls = 0;
    },
    calls: () => calls,
  };
}
