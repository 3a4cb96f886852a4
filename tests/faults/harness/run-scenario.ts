import { randomStream } from '../../../main/base';
import { type Broken, createLedger, type Ledger } from './promises';
import type { Scenario } from './scenario';
import type { Site } from './site';

export type Outcome = {
  readonly scenario: Scenario;
  /** Why it was not run; null: it was. */
  readonly missing: string | null;
  /** It was not run as there was no time left for it. */
  readonly isLate: boolean;
  readonly faults: number;
  readonly ledger: Ledger;
  readonly notes: readonly string[];
  readonly seconds: number;
};

export type RunOptions = {
  readonly site: Site;
  readonly seed: number;
  /** Of all scenarios. */
  readonly secondsLeft: () => number;
};

/** Runs one scenario to its end. An error of the harness counts as a broken promise: nothing was proven. */
export async function runScenario(
  scenario: Scenario,
  { site, seed, secondsLeft }: RunOptions,
): Promise<Outcome> {
  const ledger = createLedger();
  const notes: string[] = [];
  let faults = 0;
  const startMs = performance.now();
  const isLate = secondsLeft() <= 0;
  const missing = scenario.missing?.() ?? (isLate ? 'there was no time left for it' : null);
  const seconds = () => (performance.now() - startMs) / 1_000;
  if (missing === null) {
    try {
      await scenario.run({
        site,
        random: randomStream('faults', scenario.name, seed),
        check: ledger.check,
        count: () => {
          faults += 1;
        },
        isOver: () => seconds() > scenario.seconds || secondsLeft() <= 0,
        note: (text) => notes.push(text),
      });
    } catch (error) {
      ledger.check(
        'kept',
        `the scenario broke off: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return { scenario, missing, isLate, faults, ledger, notes, seconds: seconds() };
}

export function brokenIn(outcomes: readonly Outcome[]): readonly (Broken & { readonly scenario: string })[] {
  return outcomes.flatMap(({ scenario, ledger }) =>
    ledger.broken.map((one) => ({ ...one, scenario: scenario.name })),
  );
}
