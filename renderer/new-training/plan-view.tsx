import { Button } from '@mantine/core';
import type { DoctorCheck } from '../../preload/contract/machine';
import { isOwnTraining, trainingPrograms } from '../../preload/contract/plans/index';
import type { TrainingPlan } from '../../preload/contract/training';
import type { ModelTraining, PocketTraining, TrainingRequest } from '../../preload/contract/training-spec';
import type { Loadable } from '../state/index';
import {
  CommandText,
  count,
  FormNote,
  FormRefusal,
  FormWarning,
  LoadingState,
  plural,
  roughDuration,
  Section,
  usePress,
} from '../widgets/index';
import { MemoryPicture } from './memory-picture';
import styles from './new-training.module.css';
import type { MachineCheck } from './use-training-plan';

const GLYPHS: Readonly<Record<DoctorCheck['state'], string>> = {
  good: '✓',
  warning: '!',
  bad: '✗',
  unknown: '?',
};

/** Cost, checks and command of the training, next to the form. */
export function PlanView(props: {
  readonly kind: TrainingRequest['spec']['kind'];
  /** null while the form has errors. */
  readonly request: TrainingRequest | null;
  readonly plan: Loadable<TrainingPlan> | null;
  readonly machineCheck: MachineCheck;
  /** It is the first of several trainings. */
  readonly isFirst: boolean;
}) {
  const { kind, request, plan, machineCheck, isFirst } = props;
  const shownPlan = machineCheck.plan ?? (plan?.kind === 'ready' ? plan.value : null);
  const isPocket = kind === 'pocket';
  const isOwn = isPocket || kind === 'model';
  return (
    <>
      {plan?.kind === 'failed' && <FormWarning text={plan.error.message} />}
      {shownPlan !== null && shownPlan.problems.length > 0 && (
        <Section title="Problems">
          {shownPlan.problems.map((problem) => (
            <FormWarning key={problem} text={problem} />
          ))}
        </Section>
      )}
      {isOwn && (
        <Section title="Cost">
          {request !== null && isOwnTraining(request.spec) ? (
            <Cost spec={request.spec} />
          ) : (
            <FormNote>Complete the form to see the cost.</FormNote>
          )}
          {kind === 'model' ? (
            <>
              <Expected lines={shownPlan?.expected ?? []} />
              {shownPlan?.memory !== undefined && <MemoryPicture memory={shownPlan.memory} />}
            </>
          ) : (
            <Estimate
              seconds={shownPlan?.estimateSeconds ?? null}
              isKnown={shownPlan !== null}
              isPocket={isPocket}
            />
          )}
        </Section>
      )}
      {!isPocket && (
        <Section title={isFirst ? 'GPUs of the first' : 'GPUs in all'}>
          <p className={styles.total}>
            <b>{shownPlan === null ? '–' : count(shownPlan.gpus)}</b> {shownPlan?.gpus === 1 ? 'GPU' : 'GPUs'}
          </p>
          {!isOwn && shownPlan !== null && (
            <Estimate seconds={shownPlan.estimateSeconds} isKnown isPocket={false} />
          )}
        </Section>
      )}
      {!isPocket && <Checks kind={kind} machineCheck={machineCheck} canCheck={request !== null} />}
      <Section title="Command">
        {plan?.kind === 'loading' ? (
          <LoadingState text="Building the command" />
        ) : (
          <CommandText
            label="command"
            text={shownPlan?.commandLine ?? null}
            unknown="Complete the form to see it."
          />
        )}
      </Section>
      {shownPlan !== null && shownPlan.notes.length > 0 && (
        <Section title="Notes">
          <ul className={styles.notes}>
            {shownPlan.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Cost({ spec }: { readonly spec: PocketTraining | ModelTraining }) {
  const agents = spec.kind === 'pocket' ? spec.families.length : spec.agents.length;
  const { learned, evaluations, evaluated, final } = trainingPrograms(spec);
  return (
    <>
      <p className={styles.total}>
        <b>{count(learned)}</b> training samples
      </p>
      {spec.method !== 'base' && (
        <p className={styles.soft}>
          {plural(agents, 'agent')} × {plural(spec.updates, 'update')} × {plural(spec.batch, 'sample')}
        </p>
      )}
      {spec.kind === 'model' && <p className={styles.soft}>{answerLimits(spec)}</p>}
      {evaluations > 0 && (
        <p className={styles.soft}>
          and {plural(evaluated, 'program')} in {plural(evaluations, 'evaluation')} before its end
        </p>
      )}
      <p className={styles.soft}>and {plural(final, 'program')} in the final evaluation</p>
    </>
  );
}

/** "answers of at most 512 tokens" */
function answerLimits({ agents }: ModelTraining): string {
  const limits = agents.map(({ maxTokens }) => maxTokens);
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  return `answers of at most ${least === most ? '' : `${count(least)} to `}${plural(most, 'token')}`;
}

/** Hours and memory first. */
function Expected({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label="Expected">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Estimate(props: {
  readonly seconds: number | null;
  readonly isKnown: boolean;
  readonly isPocket: boolean;
}) {
  const { seconds, isKnown } = props;
  if (!isKnown) return null;
  return (
    <p className={styles.soft}>
      {seconds === null
        ? props.isPocket
          ? 'Time unknown until a pocket training of this length has run; 300 updates take about a minute on two cores.'
          : 'Time unknown until one with the same settings has run on this machine.'
        : `about ${roughDuration(seconds * 1_000)}, as earlier trainings`}
    </p>
  );
}

const CHECKED: Readonly<Record<TrainingRequest['spec']['kind'], string>> = {
  pocket: '',
  model: 'Checks Python, its packages, the models, GPUs and disk on the machine.',
  marti: 'Checks repository, packages, data, models and disk on the machine.',
  recipe: "Checks Python, the trainer's package and GPUs on the machine.",
  watched: '',
};

function Checks({
  kind,
  machineCheck,
  canCheck,
}: {
  readonly kind: TrainingRequest['spec']['kind'];
  readonly machineCheck: MachineCheck;
  readonly canCheck: boolean;
}) {
  const { press } = usePress(async () => machineCheck.check());
  return (
    <Section
      title="Check of the machine"
      aside={
        <Button
          variant="default"
          size="compact-xs"
          loading={machineCheck.busy}
          disabled={!canCheck}
          onClick={press}
        >
          Check machine
        </Button>
      }
    >
      {machineCheck.refusal !== null && (
        <FormRefusal
          title="The machine could not be checked"
          message={machineCheck.refusal.message}
          hint={machineCheck.refusal.hint}
        />
      )}
      {machineCheck.plan === null ? (
        <FormNote>{canCheck ? CHECKED[kind] : 'Complete the form to check the machine.'}</FormNote>
      ) : (
        <ul className={styles.checks} aria-label="Checks">
          {machineCheck.plan.checks.map(({ id, title, state, found, todo }) => (
            <li key={id} data-state={state}>
              <i role="img" aria-label={state}>
                {GLYPHS[state]}
              </i>
              <span>
                {title}: {found}
                {todo !== null && <small>{todo}</small>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
