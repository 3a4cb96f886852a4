import type { DoctorCheck } from '../../../../preload/contract';

/** The result of a check. */
export type Finding = Pick<DoctorCheck, 'state' | 'found' | 'todo' | 'isAbsent'>;

/** How a script ended. */
export type ScriptOutput = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** `id` is stable. */
export type CheckTitle = Pick<DoctorCheck, 'id' | 'title'>;

/** A script whose output answers several checks. */
export type ScriptSurvey = {
  /** The script's time limit. */
  readonly seconds: number;
  readonly script: string;
  readonly checks: readonly (CheckTitle & { readonly judge: (output: ScriptOutput) => Finding })[];
};

/** A check that is one script and the judgement of its output. */
export type ScriptCheck = CheckTitle &
  Omit<ScriptSurvey, 'checks'> & { readonly judge: (output: ScriptOutput) => Finding };

export function good(message: string): Finding {
  return { state: 'good', found: message, todo: null };
}

/** Something that this machine has not, which is nothing to fix unless it is wanted. */
export function absent(message: string): Finding {
  return { ...good(message), isAbsent: true };
}

export function warning(message: string, todo: string): Finding {
  return { state: 'warning', found: message, todo };
}

export function bad(message: string, todo: string): Finding {
  return { state: 'bad', found: message, todo };
}

/** Not known: why not, and what might help. */
export function unknown(why: string, todo: string | null = null): Finding {
  return { state: 'unknown', found: why, todo };
}

/** "name=value" lines of a script; the first of a name counts. */
export function valuesIn(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const split = line.indexOf('=');
    const name = line.slice(0, split);
    if (split > 0 && /^[\w.-]+$/.test(name) && !values.has(name))
      values.set(name, line.slice(split + 1).trim());
  }
  return values;
}

/** "1.5 GiB" of a number of KiB. */
export function sizeText(kib: number): string {
  const steps: readonly [number, string][] = [
    [1_073_741_824, 'TiB'],
    [1_048_576, 'GiB'],
    [1_024, 'MiB'],
  ];
  const [unit, name] = steps.find(([size]) => kib >= size) ?? [1, 'KiB'];
  const amount = kib / unit;
  return `${amount >= 100 || Number.isInteger(amount) ? Math.round(amount) : amount.toFixed(1)} ${name}`;
}
