import type { TeamGain } from '../../preload/contract/run-comparison';
import { percent, pointsDifference, Section } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import styles from './tables.module.css';

const NO_SIDE_BY_SIDE = 'It needs as many seeds of a member alone as the team has agents of it';

/** What a team adds over its members alone with as many nodes; where no team has its members here, what is missing. */
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
          It is told where every model of a team is a configuration of its own too, with as many nodes: choose
          those runs as well.
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
              <th scope="col" title="Problems that some node of its trees solves">
                Pass@N, %
              </th>
              <th scope="col" title="The member that does best alone, with as many nodes">
                Best member, %
              </th>
              <th scope="col">Gain, points</th>
              <th
                scope="col"
                title="Equal shares of the members' own trees put together: as many nodes, no shared tree"
              >
                Side by side, %
              </th>
              <th scope="col" title="What sharing one tree adds over searching side by side">
                Gain, points
              </th>
              <th scope="col">n</th>
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
                <td title={sideBySide01 === null ? NO_SIDE_BY_SIDE : undefined}>
                  {sideBySide01 === null ? '–' : percent(sideBySide01)}
                </td>
                <td title={sideBySide01 === null ? NO_SIDE_BY_SIDE : undefined}>
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
