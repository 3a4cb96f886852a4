import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { QuickstartPlan } from '../../preload/contract/study';
import { OutcomeGrid, OutcomeLegend, ScaleTag } from '../shared/studies/index';
import { readyValue, useHues, useQuickstartPlan, useWorkbench } from '../state/index';
import { agentStyle, configurationColor } from '../theme/index';
import { AgentShapeMark, count, FailedState, Hint, roughDuration, Section, usePress } from '../widgets/index';
import styles from './first-start.module.css';

export function FirstStart() {
  const plan = useQuickstartPlan();
  const { plan: plans, studyCommands } = useWorkbench();
  const { busy, press } = usePress(studyCommands.startQuickstart);
  const readyPlan = readyValue(plan);
  const sandboxProblem = readyPlan?.sandboxProblem ?? null;
  return (
    <div className={styles.first}>
      <header>
        <h1>Compare teams of code-writing agents</h1>
        <p>
          One agent, one model in several roles, or different models together search a tree of programs for
          each problem. The workbench runs the search, grades every program in a sandbox and shows what the
          team was worth.
        </p>
      </header>
      {plan.kind === 'failed' && (
        <FailedState
          title="The quickstart study cannot be planned"
          message={plan.error.message}
          hint={plan.error.hint}
          action={{ label: 'Try again', run: () => plans.refreshAll() }}
        />
      )}
      {sandboxProblem !== null && (
        <div className={styles.missing} role="alert">
          <h2>Programs cannot be graded on this computer yet</h2>
          <p>Candidate programs are untrusted and run only in a sandbox.</p>
          <Hint text={sandboxProblem} />
          <Button variant="default" mt={8} onClick={() => plans.refreshAll()}>
            Check again
          </Button>
          <Button component="a" href="#/settings" variant="default" mt={8} ml={8}>
            Grade on another machine
          </Button>
        </div>
      )}
      <div className={styles.start}>
        <Button
          data-tour="quickstart"
          size="md"
          loading={busy}
          disabled={readyPlan === null || sandboxProblem !== null}
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          onClick={press}
        >
          Run the quickstart study
        </Button>
        <span className={styles.promise}>
          {readyPlan === null ? (
            plan.kind === 'loading' && 'Estimating the time'
          ) : sandboxProblem === null ? (
            <>
              <b>about {roughDuration(readyPlan.estimatedSeconds * 1000)}</b> on this computer · no GPU, no
              network
            </>
          ) : (
            'The sandbox is missing'
          )}
        </span>
        <a href="#/exhibits">Reproduce a paper's table</a>
      </div>
      {readyPlan !== null && <Plan plan={readyPlan} />}
    </div>
  );
}

/** What will run, and the empty grid that it will fill. */
function Plan(props: { readonly plan: QuickstartPlan }) {
  const { plan } = props;
  const hues = useHues(plan.configurations.map(({ configuration }) => configuration));
  const models = [...new Set(plan.configurations.flatMap(({ agents }) => agents.map(modelOf)))];
  const agents = plan.configurations.reduce((sum, own) => sum + own.agents.length, 0);
  return (
    <>
      <Section title="What runs" aside={<ScaleTag scale="pocket" />}>
        <table className={styles.teams} aria-label="Configurations of the quickstart study">
          <tbody>
            {plan.configurations.map(({ configuration, team, agents }, position) => (
              <tr key={configuration}>
                <th scope="row">
                  <i style={{ background: configurationColor(hues[position] ?? 0) }} />
                  {configuration}
                </th>
                <td>{TEAM_LABELS[team] ?? team}</td>
                <td>
                  {agents.map((agent, index) => (
                    <span key={index} className={styles.agent}>
                      <AgentShapeMark agent={agentStyle(models.indexOf(modelOf(agent)))} />
                      {agent}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className={styles.sum}>
          {count(plan.problems)} problems × {plan.configurations.length} configurations × {plan.nodesPerTree}{' '}
          nodes
          {plan.samplesPerAgent > 0 &&
            ` + ${count(plan.problems)} problems × ${agents} agents of all teams × ${plan.samplesPerAgent} independent samples`}{' '}
          = <b>{count(plan.candidates)} programs</b>, each written, run and graded for real. Generated
          problems and small models: the numbers are labelled <i>pocket</i> and say nothing about large
          models.
        </p>
        <p className={styles.sum}>
          Results go to <code>{plan.dataDir}</code>. You can pause it; after a crash it resumes where it was.
        </p>
      </Section>
      <Section title="Preview" aside={<OutcomeLegend entries={LEGEND} />}>
        <OutcomeGrid
          isPicture
          label="The grid of problems by configuration, empty"
          columns={plan.problems}
          // As the generated problems are called: "pocket/test/007".
          columnNames={Array.from({ length: plan.problems }, (_, at) => String(at).padStart(3, '0'))}
          rows={plan.configurations.map(({ configuration }, position) => ({
            id: configuration,
            label: configuration,
            color: configurationColor(hues[position] ?? 0),
            cells: Array.from({ length: plan.problems }, () => WAITING),
          }))}
        />
      </Section>
    </>
  );
}

/** For "reader as solver": one model has one mark through all rows. */
function modelOf(agent: string): string {
  return agent.split(' ')[0] ?? agent;
}

const TEAM_LABELS: Readonly<Record<string, string>> = {
  single: 'one agent',
  homogeneous: 'one model, several roles',
  heterogeneous: 'different models',
};
const WAITING = { kind: 'waiting', fill: 0, label: 'waiting' } as const;
const LEGEND = [
  { kind: 'solved', label: 'solved' },
  { kind: 'found', label: 'found, not chosen' },
  { kind: 'public-only', label: 'public tests only' },
  { kind: 'unsolved', label: 'unsolved' },
  { kind: 'searching', label: 'searching' },
  { kind: 'waiting', label: 'waiting' },
] as const;
