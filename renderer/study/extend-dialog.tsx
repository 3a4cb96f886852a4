import { Button, Group, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import {
  extensionCost,
  extensionKind,
  extensionNote,
  extensionText,
  lastAddition,
  looksAt,
} from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { Study, StudyView } from '../../preload/contract/study';
import { checkpointErrors, type FieldError, useLibrary } from '../shared/agents/index';
import { readyValue, useDebouncedQuery, useWorkbench } from '../state/index';
import { isActive } from '../text/studies';
import {
  count,
  Dialog,
  Fields,
  FormRefusal,
  FormWarning,
  plural,
  SubmitByKey,
  usePress,
} from '../widgets/index';
import { AddedRows } from './added-rows';
import {
  checkExtension,
  type ExtendDraft,
  type ExtendField,
  NOTHING_ADDED,
  problemsOf,
} from './extend-draft';
import styles from './study.module.css';

/**
 * Adds seeds, problems and configurations to a study, and sets other limits of its trees; one that runs continues with
 * them.
 */
export function ExtendDialog(props: { readonly view: StudyView; readonly onClose: () => void }) {
  const { view, onClose } = props;
  const { study, progress } = view;
  const { studyCommands, trainings } = useWorkbench();
  const [draft, setDraft] = useState(NOTHING_ADDED);
  const [busy, setBusy] = useState<'extend' | 'run' | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const benchmarkId = study.runs[0]?.benchmarkId;
  const library = readyValue(useLibrary());
  const benchmark = library?.benchmarks.find(({ id }) => id === benchmarkId) ?? null;
  const benchmarkProblems = benchmark?.problems ?? null;
  const [gone, setGone] = useState<readonly FieldError[]>([]);
  const checked = checkExtension(draft, study, { benchmark, library });
  const { errors, rowErrors, request } = checked;
  const agentErrors = [...checked.agentErrors, ...gone];
  const isWrong =
    Object.keys(errors).length + rowErrors.size > 0 || agentErrors.some(({ kind }) => kind === 'wrong');
  const answer = useDebouncedQuery(request, studyCommands.askExtension);
  const change = (part: Partial<ExtendDraft>): void => {
    setRefusal(null);
    setGone([]);
    setDraft({ ...draft, ...part });
  };
  const extend = async (start: boolean): Promise<void> => {
    if (request === null || busy !== null) return;
    setBusy(start ? 'run' : 'extend');
    const ownTeams = draft.configurations.filter(({ team }) => team === null);
    const lost = await checkpointErrors(ownTeams, trainings.checkMember);
    setGone(lost);
    if (lost.length > 0) return setBusy(null);
    const refused = await studyCommands.extend(request, { start });
    setBusy(null);
    setRefusal(refused);
    if (refused === null) onClose();
  };
  const refused = refusal ?? (request !== null && answer?.kind === 'failed' ? answer.error : null);
  const isPossible = request !== null && refused === null;
  const runs = isActive(view.state);
  const note =
    refused === null && answer?.kind === 'ready' && progress.nodesDone > 0
      ? extensionNote(answer.value.extension)
      : null;
  return (
    <Dialog opened onClose={onClose} title={`Extend ${study.name}`} size="xl" withCloseButton={false}>
      <SubmitByKey busy={busy !== null} onSubmit={() => void extend(!runs)}>
        <div className={styles.check}>
          <p>
            {runs
              ? 'Everything that it has stays as it is. It stops for this and goes on by itself; programs on their way now are asked for again.'
              : 'Everything that it has stays as it is. What is added is searched when it goes on.'}
          </p>
          <NumberFields {...{ study, benchmarkProblems, draft, errors, change }} />
          <AddedRows {...{ study, benchmark, library, draft, change, agentErrors }} errors={rowErrors} />
          {refused === null ? (
            <p role="status">
              {request === null
                ? isWrong
                  ? 'Correct what is marked.'
                  : agentErrors.length > 0
                    ? `${agentErrors[0]?.message}`
                    : 'Nothing is added yet.'
                : answer?.kind === 'ready'
                  ? `${extensionKind(answer.value.extension) === 'adds' ? 'Adds' : 'Sets'} ${extensionText(answer.value.extension)}: ${extensionCost(answer.value.programs)}.`
                  : 'Counting what that adds …'}
            </p>
          ) : (
            <FormRefusal title="This cannot be added" {...refused} />
          )}
          {note !== null && <FormWarning text={note} />}
          {progress.nodesDone > 0 && request !== null && (
            <FormWarning
              text={`Its results were seen before: intervals do not correct for the ${looksAt(study) + 1} looks, and its tables say so.`}
            />
          )}
          <TakeBack view={view} onDone={onClose} />
        </div>
        <Group justify="flex-end" gap="sm" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant={runs ? 'filled' : 'default'}
            disabled={!isPossible}
            loading={busy === 'extend'}
            {...(runs && { title: 'Extend (Ctrl+Enter)' })}
            onClick={() => void extend(false)}
          >
            Extend
          </Button>
          {!runs && (
            <Button
              disabled={!isPossible}
              loading={busy === 'run'}
              leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
              title="Extend and run (Ctrl+Enter)"
              onClick={() => void extend(true)}
            >
              Extend and run
            </Button>
          )}
        </Group>
      </SubmitByKey>
    </Dialog>
  );
}

/** Of an extension that is not searched to its end: a new agent may not answer. */
function TakeBack({ view, onDone }: { readonly view: StudyView; readonly onDone: () => void }) {
  const { study, state } = view;
  const { studyCommands } = useWorkbench();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const last = lastAddition(study);
  const taking = usePress(async () => {
    const refused = await studyCommands.extend({ studyId: study.id, takeBack: true }, { start: false });
    setRefusal(refused);
    if (refused === null) onDone();
  });
  if (last === undefined || state.kind === 'finished') return null;
  const { seeds, configurations } = last;
  const added = extensionText({ ...last, problems: 0, nodes: null, tokens: undefined, seconds: undefined });
  return (
    <div className={styles.again}>
      <p>
        {`Its last extension, ${added}, is not searched to its end. `}
        <Button variant="default" size="compact-xs" loading={taking.busy} onClick={taking.press}>
          Take it back
        </Button>
      </p>
      <p className={styles.soft}>
        {`The plan is then without ${seeds.length + configurations.length === 1 ? 'it' : 'them'}; journals that were begun for it are kept in the study’s folder.`}
      </p>
      {refusal !== null && <FormRefusal title="This cannot be taken back" {...refusal} />}
    </div>
  );
}

type PartProps = {
  readonly study: Study;
  readonly draft: ExtendDraft;
  readonly change: (part: Partial<ExtendDraft>) => void;
};

function NumberFields(
  props: PartProps & {
    readonly benchmarkProblems: number | null;
    readonly errors: ReturnType<typeof checkExtension>['errors'];
  },
) {
  const { study, benchmarkProblems, draft, errors, change } = props;
  const seeds = [...new Set(study.runs.map(({ seed }) => seed))];
  const problems = problemsOf(study);
  const hasAll = benchmarkProblems !== null && benchmarkProblems <= problems;
  const nodes = Math.max(...study.runs.map(({ search }) => search.nodes));
  const has = (limit: 'tokens' | 'seconds'): string => {
    const limits = [...new Set(study.runs.map(({ search }) => search.treeBudget[limit]))];
    const isNone = limits.every((value) => value === null);
    return isNone
      ? 'has no limit'
      : `has ${limits.map((value) => (value === null ? 'no limit' : count(value))).join(', ')}; max: no limit`;
  };
  const input = (field: ExtendField, label: string, now: string, example: string) => (
    <TextInput
      label={label}
      description={now}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      placeholder={example}
      inputMode="numeric"
      autoComplete="off"
      error={errors[field]}
      disabled={field === 'problems' && hasAll}
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...(field === 'seeds' && { 'data-autofocus': true })}
    />
  );
  const next = Math.max(...seeds) + 1;
  return (
    <>
      <Fields>
        {input(
          'seeds',
          'Seeds to add',
          `has ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`,
          `e.g. ${next} or ${next}-${next + 3}`,
        )}
        {input(
          'problems',
          'Problems in all',
          hasAll
            ? `has all ${problems} of its benchmark; for more, create a study on a larger one`
            : `has ${plural(problems, 'problem')}${benchmarkProblems === null ? '' : `; the benchmark has ${count(benchmarkProblems)}`}`,
          hasAll ? '' : `more than ${problems}`,
        )}
      </Fields>
      <Fields>
        {input(
          'nodes',
          'Nodes per tree',
          `has ${nodes}; with fewer, the first ones count`,
          `e.g. ${2 * nodes}`,
        )}
        {input('tokens', 'Tokens per tree', has('tokens'), 'e.g. 100000')}
        {input('seconds', 'Seconds per tree', has('seconds'), 'e.g. 600')}
      </Fields>
    </>
  );
}
