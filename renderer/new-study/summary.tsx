import type { Refusal } from '../../preload/contract/refusal';
import { isPocketPolicy, Warnings } from '../shared/agents/index';
import { readyValue, useHues, useInfo, useQuickstartPlan, useStudies } from '../state/index';
import { isActive } from '../text/studies';
import { configurationColor } from '../theme/index';
import { count, Hint, plural, roughDuration, Section } from '../widgets/index';
import type { FormSectionProps } from './form-messages';
import styles from './new-study.module.css';
import classes from './summary.module.css';
import { workText } from './work-text';

/**
 * Cost, errors and warnings, these above the configurations, which may be many. Stays visible while the form scrolls.
 */
export function Summary(
  props: FormSectionProps & { readonly errors: number; readonly refusal: Refusal | null },
) {
  const { checked, messages, errors, refusal } = props;
  const { programs, problems, rows } = checked;
  const active = (readyValue(useStudies()) ?? []).find(({ state }) => isActive(state));
  const sandboxProblem = readyValue(useInfo())?.sandboxProblem ?? null;
  const estimate = useEstimate(props);
  const hues = useHues(rows.map(({ name }) => name));
  const warnings = messages.warnings('study');
  return (
    <aside className={styles.summary}>
      <Section title="Cost">
        <p className={classes.total} role="status" aria-label="Programs to write and grade">
          <b>{programs === null ? '–' : count(programs)}</b> {programs === 1 ? 'program' : 'programs'} to
          write and grade
        </p>
        {refusal !== null && (
          <div className={classes.refused} role="alert">
            <b>The study was not created</b>
            <span data-selectable>{refusal.message}</span>
            {refusal.hint !== undefined && <Hint text={refusal.hint} />}
          </div>
        )}
        {errors > 0 && (
          <p className={styles.error} role="status">
            Fix {plural(errors, 'problem')} to create the study.
          </p>
        )}
        {sandboxProblem !== null && (
          <Warnings texts={['This computer cannot grade programs yet; see Settings.']} />
        )}
        {active !== undefined && (
          <Warnings
            texts={[
              `${active.study.name} is running. If this study needs the same machine or server, it begins when that one is done.`,
            ]}
          />
        )}
        <Warnings texts={warnings} />
        <table className={classes.costs} aria-label="Programs by configuration">
          <tbody>
            {rows.map(({ key, name, variants, programs: own }, position) => (
              <tr key={key}>
                <th scope="row">
                  <i style={{ background: configurationColor(hues[position] ?? 0) }} />
                  {variants > 1 ? `${name}, ${variants} variants` : name}
                </th>
                <td>{own === null ? '–' : count(own)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {problems !== null && <p className={styles.soft}>{workText(props.draft, problems)}</p>}
        {estimate !== null && <p className={styles.soft}>about {roughDuration(estimate)} on this computer</p>}
      </Section>
    </aside>
  );
}

/** Milliseconds, from the quickstart's speed on this computer; null for anything but pocket studies. */
function useEstimate({ draft, benchmark, checked }: FormSectionProps): number | null {
  const plan = readyValue(useQuickstartPlan());
  const pocket =
    benchmark.scale === 'pocket' && draft.configurations.every(({ agents }) => agents.every(isPocketPolicy));
  if (plan === null || !pocket || checked.programs === null || plan.candidates === 0) return null;
  return (checked.programs / plan.candidates) * plan.estimatedSeconds * 1_000;
}
