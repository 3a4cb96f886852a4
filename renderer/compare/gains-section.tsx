import {
  ODDS_NOTE,
  oddsRatioText,
  pEquation,
  pText,
  SIDE_BY_SIDE_NOTE,
} from '../../preload/contract/plans/index';
import type { GainDifference, TeamGain } from '../../preload/contract/run-comparison';
import { percent, pointsDifference, Section, spreadRange, WideTable } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import styles from './tables.module.css';

const NO_SIDE_BY_SIDE = 'Needs as many seeds of each member alone as the team has agents of that model';

function testText({ p, pHolm }: GainDifference): string {
  return `95 % interval over problems, and seeds where there are several (SD: their standard deviation); paired test: ${pEquation(p)}, ${pText(pHolm)} corrected over all gains (Holm)`;
}

const ODDS = (
  <th scope="col" title={ODDS_NOTE}>
    Odds ratio
  </th>
);

function Gain({ gain }: { readonly gain: GainDifference }) {
  return (
    <>
      {pointsDifference(gain.value)}{' '}
      <span className={styles.soft}>{spreadRange(gain.low, gain.high, gain.seedSpread)}</span>
    </>
  );
}

/** Gain of a team over its members alone with the same number of nodes, or a hint what to select for it. */
export function GainsSection(props: {
  readonly gains: readonly TeamGain[];
  readonly rows: readonly NamedRow[];
}) {
  const { gains, rows } = props;
  if (rows.length < 2) return null;
  if (gains.length === 0) {
    return (
      <Section title="What a team adds">
        <p className={styles.soft}>
          Also choose runs in which each model of the team searches alone with the same number of nodes.
        </p>
      </Section>
    );
  }
  const hasSideBySide = gains.some(({ sideBySide01 }) => sideBySide01 !== null);
  const colorOf = (name: string): string => rows.find((row) => row.name === name)?.color ?? '';
  return (
    <Section title="What a team adds">
      <WideTable className={styles.figures} label="What a team adds over its members">
        <thead>
          <tr>
            <th scope="col">Team</th>
            <th scope="col" className={styles.names}>
              Members alone
            </th>
            <th scope="col" title="Problems solved by some node of its trees">
              Pass@N, %
            </th>
            <th scope="col" title="The best member alone, with the same number of nodes">
              Best member, %
            </th>
            <th scope="col" title="Gain over the best member, in percentage points">
              Gain over best, pp
            </th>
            {ODDS}
            {hasSideBySide && (
              <>
                <th scope="col">Side by side, %</th>
                <th scope="col" title="Gain of a shared tree, in percentage points">
                  Gain over side by side, pp
                </th>
                {ODDS}
              </>
            )}
            <th scope="col">Problems</th>
          </tr>
        </thead>
        <tbody>
          {gains.map(({ team, members, team01, bestMember01, sideBySide01, problems, ...over }) => (
            <tr key={team}>
              <th scope="row">
                <ConfigurationName name={team} color={colorOf(team)} />
              </th>
              <td className={styles.names}>
                {members.map((name) => (
                  <ConfigurationName key={name} name={name} color={colorOf(name)} />
                ))}
              </td>
              <td>
                <b>{percent(team01)}</b>
              </td>
              <td>{percent(bestMember01)}</td>
              <td title={testText(over.overBest)}>
                <Gain gain={over.overBest} />
              </td>
              <td className={styles.soft}>{oddsRatioText(over.overBest.oddsRatio)}</td>
              {hasSideBySide && (
                <>
                  <td title={sideBySide01 === null ? NO_SIDE_BY_SIDE : undefined}>
                    {sideBySide01 === null ? '–' : percent(sideBySide01)}
                  </td>
                  <td title={over.overSideBySide === null ? NO_SIDE_BY_SIDE : testText(over.overSideBySide)}>
                    {over.overSideBySide === null ? '–' : <Gain gain={over.overSideBySide} />}
                  </td>
                  <td className={styles.soft}>{oddsRatioText(over.overSideBySide?.oddsRatio ?? null)}</td>
                </>
              )}
              <td className={styles.soft}>{problems}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {hasSideBySide && <p className={styles.soft}>{SIDE_BY_SIDE_NOTE}</p>}
    </Section>
  );
}
