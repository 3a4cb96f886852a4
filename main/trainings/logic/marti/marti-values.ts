import {
  flagProblem,
  MARTI_FLAGS,
  type MartiFlagValue,
  type MartiTraining,
  martiDefaults,
  martiFlag,
} from '../../../../preload/contract';

/** What a training passes to MARTI, by flag; the order is that of the table. */
export type MartiValues = {
  readonly get: (name: string) => MartiFlagValue | null;
  readonly number: (name: string, whereLeftOut: number) => number;
  readonly isOn: (name: string) => boolean;
  /** In the order of the table. */
  readonly names: readonly string[];
};

/** The preset with the order's own values over it. */
export function martiValues({ preset, flags }: Pick<MartiTraining, 'preset' | 'flags'>): MartiValues {
  const values: Readonly<Record<string, MartiFlagValue>> = { ...martiDefaults(preset), ...flags };
  const get = (name: string) => values[name] ?? null;
  return {
    get,
    number: (name, whereLeftOut) => {
      const value = get(name);
      return typeof value === 'number' ? value : whereLeftOut;
    },
    isOn: (name) => get(name) === true,
    names: MARTI_FLAGS.map(({ name }) => name).filter((name) => get(name) !== null),
  };
}

/** What is wrong with the values one by one, a sentence each. */
export function valueProblems({ flags }: Pick<MartiTraining, 'flags'>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = martiFlag(name);
    if (flag === null) {
      return [
        `There is no setting "${name}". Put flags that the form does not know into the extra arguments.`,
      ];
    }
    const problem = flagProblem(flag, value);
    return problem === null ? [] : [problem];
  });
}
