import { Button, Textarea } from '@mantine/core';
import type { Fit, LaunchPlan, ServerLaunch } from '../../preload/contract/launch';
import type { MachineView } from '../../preload/contract/machine';
import { type Loadable, useDebouncedQuery, useWorkbench } from '../state/index';
import { gpuNames } from '../text/gpus';
import {
  CommandText,
  count,
  Fact,
  Facts,
  FormError,
  FormNote,
  FormWarning,
  LoadingState,
  Section,
  StateMark,
  usePress,
} from '../widgets/index';
import styles from './servers.module.css';

/** The plan of a launch; null while the form has errors. */
export function useLaunchPlan(launch: ServerLaunch | null): Loadable<LaunchPlan> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(launch, (value) => client.call('server.plan', value));
}

const VERDICTS: Readonly<
  Record<Fit['verdict'], { readonly tone: 'good' | 'unsure' | 'bad' | 'quiet'; readonly text: string }>
> = {
  fits: { tone: 'good', text: 'Should fit' },
  tight: { tone: 'unsure', text: 'Tight fit' },
  'too-big': { tone: 'bad', text: 'Does not fit' },
  unknown: { tone: 'quiet', text: 'Unknown' },
};

/** Next to the form: whether it fits, and the command. */
export function LaunchPlanView(props: {
  readonly plan: Loadable<LaunchPlan> | null;
  readonly machine: MachineView | null;
  /** The edited command; null: the generated one. */
  readonly commandLine: string | null;
  readonly error: string | undefined;
  /** How many fields are marked. */
  readonly markedFields: number;
  readonly onCommandLine: (text: string | null) => void;
}) {
  const { plan, machine, commandLine, error, markedFields, onCommandLine } = props;
  const todo =
    markedFields > 0
      ? `Correct the ${markedFields === 1 ? 'marked field' : `${markedFields} marked fields`}`
      : 'Choose a machine and a model';
  const ready = plan?.kind === 'ready' ? plan.value : null;
  return (
    <>
      <Section title="Does it fit?" aside={<small className={styles.estimate}>an estimate</small>}>
        {plan === null && <FormNote>{`${todo}.`}</FormNote>}
        {plan?.kind === 'loading' && <LoadingState text="Checking the machine" />}
        {plan?.kind === 'failed' && <FormWarning text={plan.error.message} />}
        {ready !== null && <FitView fit={ready.fit} gpus={gpuNames(ready.gpuIds, machine)} />}
      </Section>
      {ready !== null && ready.problems.length > 0 && (
        <Section title="Problems on the machine">
          {ready.problems.map((problem) => (
            <FormWarning key={problem} text={problem} />
          ))}
          {ready.install !== null && machine !== null && (
            <InstallButton machine={machine} withModel={ready.install === 'server-and-model'} />
          )}
        </Section>
      )}
      <Section
        title="Command"
        aside={
          commandLine === null ? (
            <Button
              variant="subtle"
              size="compact-xs"
              disabled={ready === null}
              onClick={() => onCommandLine(ready?.commandLine ?? '')}
            >
              Edit
            </Button>
          ) : (
            <Button variant="subtle" size="compact-xs" onClick={() => onCommandLine(null)}>
              Use the generated one
            </Button>
          )
        }
      >
        {commandLine === null ? (
          <CommandText label="command" text={ready?.commandLine ?? null} unknown={`${todo} to see it.`} />
        ) : (
          <>
            <Textarea
              className={styles.mono}
              size="xs"
              aria-label="Command"
              autosize
              minRows={4}
              maxRows={18}
              spellCheck={false}
              value={commandLine}
              onChange={(event) => onCommandLine(event.currentTarget.value)}
            />
            <FormError text={error} />
            <FormNote>
              <code>{'{port}'}</code> is replaced by the port. The form fields no longer change the command.
            </FormNote>
          </>
        )}
      </Section>
    </>
  );
}

/** Its job, with its log, is shown next; the draft of the form is kept. */
function InstallButton(props: { readonly machine: MachineView; readonly withModel: boolean }) {
  const { spec } = props.machine;
  const { launches } = useWorkbench();
  const { busy, press } = usePress(() => launches.install(spec.id, props.withModel));
  return (
    <Button variant="default" size="compact-sm" loading={busy} onClick={press}>
      Install llama.cpp {props.withModel ? 'and SmolLM2-135M ' : ''}on {spec.name}
    </Button>
  );
}

function FitView(props: { readonly fit: Fit; readonly gpus: string }) {
  const { fit, gpus } = props;
  const hasFacts = fit.weightsGib !== null || fit.freeGib !== null || gpus !== '';
  const gib = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} GiB`);
  return (
    <>
      <StateMark {...VERDICTS[fit.verdict]} />
      {hasFacts && (
        <Facts label="Memory of each GPU">
          {gpus !== '' && <Fact name="On">{gpus}</Fact>}
          <Fact name="Weights">{gib(fit.weightsGib)}</Fact>
          <Fact name="Cache">
            {gib(fit.cacheGib)}
            {fit.cacheTokens !== null && `, ${count(fit.cacheTokens)} tokens`}
          </Fact>
          <Fact name="Free now">{gib(fit.freeGib)}</Fact>
        </Facts>
      )}
      <FormNote>{fit.text}</FormNote>
    </>
  );
}
