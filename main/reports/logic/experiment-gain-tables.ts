import { experimentTestsNote, ODDS_NOTE } from '../../../preload/contract/plans/index';
import { type ExperimentSource, experimentTable, methodWith } from './experiment-measures';
import { differenceCell, EXPERIMENT_TESTS, TESTED, testedCells } from './experiment-pair-tables';
import { column, number, POINTS, plainEstimate, RATE, type ReportTable, text } from './report-table';

const FAMILY = 'the gains of all methods';

/** A row per method: what its team finds over the best of its agents alone. */
export function methodGainsTable(source: ExperimentSource): ReportTable {
  const { view, details } = source;
  return experimentTable(
    source,
    {
      id: 'gains',
      title: `What teams add: ${view.order.name}`,
      rowTitle: 'Method',
      tests: EXPERIMENT_TESTS,
      method: methodWith(FAMILY),
      columns: [
        column('best_agent', 'Best agent'),
        column('team', 'Team', RATE),
        column('best_member', 'Best agent alone', RATE),
        column('over_best', 'Over best agent', POINTS),
        ...TESTED,
      ],
      notes: [
        'Problems that some node solves, with as many nodes for the team as for each agent alone. The best agent is the one that finds most in these problems, chosen afterwards, so the gain is a little too small.',
        `${ODDS_NOTE} A is the team. ${experimentTestsNote(FAMILY)}`,
      ],
    },
    details.gains.map((gain) => ({
      label: gain.label,
      group: '',
      cells: [
        text(gain.bestAgent),
        number(gain.team01),
        number(gain.best01),
        differenceCell(gain),
        ...testedCells(gain),
      ],
    })),
  );
}

/** A row per agent of a method, alone; the columns are those of studies. */
export function methodStabilityTable(source: ExperimentSource): ReportTable {
  const { view, details } = source;
  const keyOf = ({ k, tau }: { readonly k: number; readonly tau: number }): string =>
    `g-pass@${k}-tau-${tau}`;
  const shown = new Map(details.stability.map((entry) => [keyOf(entry), entry]));
  const agents = new Map(
    details.stability.map((entry) => [JSON.stringify([entry.label, entry.agentId]), entry]),
  );
  return experimentTable(
    source,
    {
      id: 'stability',
      title: `Stability of independent samples, G-Pass@k: ${view.order.name}`,
      rowTitle: 'Agent',
      columns: [...shown].map(([key, { k, tau }]) => column(key, `${Math.ceil(tau * k)} of ${k}`, RATE)),
      notes: ['Chance that at least so many of k independent first attempts of the agent pass.'],
    },
    [...agents.values()].map(({ label, agentId }) => ({
      label: agentId,
      group: label,
      cells: [...shown.keys()].map((key) =>
        plainEstimate(
          details.stability.find(
            (one) => one.label === label && one.agentId === agentId && keyOf(one) === key,
          ) ?? null,
        ),
      ),
    })),
  );
}
