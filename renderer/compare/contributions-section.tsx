import type { SeedSpread } from '../../preload/contract/analysis';
import { agentPositions } from '../../preload/contract/plans/index';
import type { Contribution } from '../../preload/contract/run-comparison';
import { agentStyle } from '../theme/index';
import { AgentShapeMark, count, percent, plural, Section, WideTable } from '../widgets/index';
import styles from './agents.module.css';
import { ConfigurationName, type NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';
import tables from './tables.module.css';

/** First attempts, refinements and solved problems by agent, and who refines whom. */
export function ContributionsSection(props: {
  readonly contributions: readonly Contribution[];
  readonly rows: readonly NamedRow[];
}) {
  const { contributions, rows } = props;
  const { shown, hidden, more } = useVisibleRows(contributions);
  const positions = agentPositions(contributions);
  return (
    <Section title="Contributions by agent">
      {contributions.length === 0 && <p className={tables.soft}>No problems graded yet.</p>}
      <div className={styles.blocks}>
        {shown.map((contribution) => (
          <section
            key={contribution.configuration}
            className={styles.block}
            aria-label={contribution.configuration}
          >
            <h3>
              <ConfigurationName
                name={contribution.configuration}
                color={rows.find(({ name }) => name === contribution.configuration)?.color ?? ''}
              />
            </h3>
            <AgentTable
              contribution={contribution}
              positions={positions.get(contribution.configuration) ?? []}
            />
            {contribution.agents.length > 1 && (
              <TransitionTable
                contribution={contribution}
                positions={positions.get(contribution.configuration) ?? []}
              />
            )}
          </section>
        ))}
      </div>
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
    </Section>
  );
}

/** "184 23 % pass": the count, and the share that passes the private tests. */
function Passing(props: {
  readonly passed: number;
  readonly of: number;
  readonly seedSpread: SeedSpread | undefined;
}) {
  const { passed, of, seedSpread } = props;
  return (
    <td title={overSeeds(seedSpread)}>
      {count(of)} <Spread of={seedSpread} />{' '}
      {of > 0 && <span className={tables.soft}>{percent(passed / of, 0)} % pass</span>}
    </td>
  );
}

/** The standard deviation of the seeds' own counts; nothing with one seed. */
function Spread(props: { readonly of: SeedSpread | undefined }) {
  const { of } = props;
  return of === undefined ? null : <small className={tables.soft}>SD {of.sd.toFixed(1)}</small>;
}

/** How far apart the seeds' own counts are, e.g. "By seed: 10 to 14, SD 1.7"; undefined: there is one seed. */
function overSeeds(spread: SeedSpread | undefined): string | undefined {
  return spread && `By seed: ${count(spread.min)} to ${count(spread.max)}, SD ${spread.sd.toFixed(1)}`;
}

type TeamProps = {
  readonly contribution: Contribution;
  /** Of its agents, for their looks. */
  readonly positions: readonly number[];
};

function AgentTable({ contribution, positions }: TeamProps) {
  return (
    <WideTable className={tables.figures} label={`Agents of ${contribution.configuration}`}>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th
            scope="col"
            title="Programs written without a parent, and the share that passes the private tests"
          >
            First attempts
          </th>
          <th scope="col" title="Programs that refine another, and the share that passes the private tests">
            Refinements
          </th>
          <th scope="col" title="Problems whose selected node passes and was written by this agent">
            Solved
          </th>
          <th scope="col" title="Problems whose selected node passes and refines a program of this agent">
            Solved by child
          </th>
          <th scope="col">Tokens</th>
        </tr>
      </thead>
      <tbody>
        {contribution.agents.map((agent, at) => (
          <tr key={agent.agentId}>
            <th scope="row">
              <span className={styles.agent}>
                <AgentShapeMark agent={agentStyle(positions[at] ?? at)} />
                <span title={agent.name}>{agent.name}</span>
              </span>
            </th>
            <Passing
              of={agent.firstAttempts}
              passed={agent.firstAttemptsPassed}
              seedSpread={agent.seedSpreads?.firstAttempts}
            />
            <Passing
              of={agent.refinements}
              passed={agent.refinementsPassed}
              seedSpread={agent.seedSpreads?.refinements}
            />
            <td title={overSeeds(agent.seedSpreads?.solved)}>
              <b>{count(agent.solved)}</b> <Spread of={agent.seedSpreads?.solved} />
            </td>
            <td title={overSeeds(agent.seedSpreads?.childSolved)}>
              {count(agent.childSolved)} <Spread of={agent.seedSpreads?.childSolved} />
            </td>
            <td className={tables.soft} title={overSeeds(agent.seedSpreads?.tokens)}>
              {count(agent.tokens)} <Spread of={agent.seedSpreads?.tokens} />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

/** Who refined whose programs: how often, and how often that fixed them. */
function TransitionTable({ contribution, positions }: TeamProps) {
  const { agents, transitions, configuration } = contribution;
  const most = Math.max(1, ...transitions.flat().map((transition) => transition.count));
  return (
    <WideTable className={styles.transitions} label={`Who refines whom in ${configuration}`}>
      <thead>
        <tr>
          <th scope="col">
            <span className={tables.soft}>written by ↓, refined by →</span>
          </th>
          {agents.map(({ agentId, name }, at) => (
            <th key={agentId} scope="col" title={name}>
              <span className={styles.agent}>
                <AgentShapeMark agent={agentStyle(positions[at] ?? at)} />
                <span>{name}</span>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map(({ agentId, name }, from) => (
          <tr key={agentId}>
            <th scope="row" title={name}>
              <span className={styles.agent}>
                <AgentShapeMark agent={agentStyle(positions[from] ?? from)} />
                <span>{name}</span>
              </span>
            </th>
            {agents.map((to, at) => {
              const { count: times = 0, repaired = 0, seedSpreads } = transitions[from]?.[at] ?? {};
              const spread = overSeeds(seedSpreads?.count);
              const label = `${to.name} refined ${plural(times, 'program')} of ${name} and fixed ${count(repaired)}${spread === undefined ? '' : `. ${spread}`}`;
              return (
                <td key={to.agentId} title={label}>
                  <i style={{ width: `${(100 * times) / most}%` }} aria-hidden="true" />
                  <span>{count(times)}</span> <Spread of={seedSpreads?.count} />{' '}
                  <small>{times === 0 ? '' : `${percent(repaired / times, 0)} % fixed`}</small>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
