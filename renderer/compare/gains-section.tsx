import type { TeamGain } from '../../preload/contract/run-comparison';
import { percent, pointsDifference, Section } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import styles from './tables.module.css';

const NO_POOLED = 'Needs as many seeds of each member alone as the team has agents of that model';

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
  const colorOf = (name: string): string => rows.find((row) => row.name === name)?.color ?? '';
  return (
    <Section title="What a team adds">
      <div className={styles.wide}>
        <table className={styles.figures} aria-label="What a team adds over its members">
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
              <th scope="col" title="In percentage points">
                Gain, pp
              </th>
              <th
                scope="col"
                title="Equal shares of the members' own trees pooled: the same number of nodes, no shared tree"
              >
                Pooled, %
              </th>
              <th scope="col" title="Gain of a shared tree over the pooled trees">
                Gain, pp
              </th>
              <th scope="col">Problems</th>
            </tr>
          </thead>
          <tbody>
            {gains.map(({ team, members, team01, bestMember01, sideBySide01, problems }) => (
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
                <td>{pointsDifference(team01 - bestMember01)}</td>
                <td title={sideBySide01 === null ? NO_POOLED : undefined}>
                  {sideBySide01 === null ? '–' : percent(sideBySide01)}
                </td>
                <td title={sideBySide01 === null ? NO_POOLED : undefined}>
                  {sideBySide01 === null ? '–' : pointsDifference(team01 - sideBySide01)}
                </td>
                <td className={styles.soft}>{problems}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
