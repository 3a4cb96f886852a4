import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addsWork,
  extensionCost,
  extensionNote,
  extensionText,
  looksAt,
  PRESETS,
} from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { Study, StudyView } from '../../preload/contract/study';
import { readyValue, useBenchmarks, useDebouncedQuery, useWorkbench } from '../state/index';
import { isActive } from '../text/studies';
import {
  count,
  Dialog,
  Fields,
  FormNote,
  FormRefusal,
  FormWarning,
  plural,
  Select,
  SubmitByKey,
} from '../widgets/index';
import {
  type AddedConfiguration,
  addedName,
  checkExtension,
  type ExtendDraft,
  type ExtendField,
  NOTHING_ADDED,
  nextConfiguration,
  problemsOf,
  teamChoices,
} from './extend-draft';
import styles from './study.module.css';

/**
 * Adds seeds, problems and configurations to a study, and sets other limits of its trees; one that runs continues with
 * them.
 */
export function ExtendDialog(props: { readonly view: StudyView; readonly onClose: () => void }) {
  const { view, onClose } = props;
  const { study, progress } = view;
  const { studyCommands } = useWorkbench();
  const [draft, setDraft] = useState(NOTHING_ADDED);
  const [busy, setBusy] = useState<'extend' | 'run' | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const benchmarkId = study.runs[0]?.benchmarkId;
  const benchmark = readyValue(useBenchmarks())?.find(({ id }) => id === benchmarkId);
  const benchmarkProblems = benchmark?.problems ?? null;
  const { errors, rowErrors, request } = checkExtension(draft, study, benchmarkProblems);
  const isWrong = Object.keys(errors).length + rowErrors.size > 0;
  const answer = useDebouncedQuery(request, studyCommands.askExtension);
  const change = (part: Partial<ExtendDraft>): void => {
    setRefusal(null);
    setDraft({ ...draft, ...part });
  };
  const extend = async (start: boolean): Promise<void> => {
    if (request === null || busy !== null) return;
    setBusy(start ? 'run' : 'extend');
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
          <AddedRows study={study} draft={draft} errors={rowErrors} change={change} />
          {refused === null ? (
            <p role="status">
              {request === null
                ? isWrong
                  ? 'Correct what is marked.'
                  : 'Nothing is added yet.'
                : answer?.kind === 'ready'
                  ? `${addsWork(answer.value.extension) ? 'Adds' : 'Sets'} ${extensionText(answer.value.extension)}: ${extensionCost(answer.value.programs)}.`
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

/** Value of the list for the strategy of the study. */
const AS_STUDY = 'as the study';
const NO_TRANSITION = { transitionProps: { duration: 0 } };

function AddedRows({
  study,
  draft,
  errors,
  change,
}: PartProps & { readonly errors: ReturnType<typeof checkExtension>['rowErrors'] }) {
  const { configurations } = draft;
  const choices = teamChoices(study);
  const group = (title: string, isNew: boolean) => ({
    group: title,
    items: choices.filter((choice) => choice.isNew === isNew).map(({ label }) => label),
  });
  const edit = (key: number, part: Partial<AddedConfiguration>): void =>
    change({ configurations: configurations.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  return (
    <div className={styles.added}>
      <b>Configurations to add</b>
      {configurations.map((row, at) => (
        <div key={row.key} className={styles.addedRow}>
          <Select
            aria-label={`Team of new configuration ${at + 1}`}
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={row.team}
            data={[group('Other teams of its models', true), group('As in a configuration', false)]}
            onChange={(team) => team !== null && edit(row.key, { team })}
          />
          <Select
            aria-label={`Strategy of new configuration ${at + 1}`}
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={row.preset ?? AS_STUDY}
            data={[
              { value: AS_STUDY, label: 'strategy of the study' },
              ...PRESETS.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => edit(row.key, { preset: id === AS_STUDY ? null : id })}
          />
          <TextInput
            aria-label={`Name of new configuration ${at + 1}`}
            placeholder={addedName({ ...row, name: '' })}
            maxLength={80}
            error={errors.get(row.key)}
            value={row.name}
            onChange={(event) => edit(row.key, { name: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={`Remove new configuration ${at + 1}`}
            title="Remove"
            onClick={() => change({ configurations: configurations.filter(({ key }) => key !== row.key) })}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus size={12} aria-hidden="true" />}
        onClick={() =>
          change({ configurations: [...configurations, nextConfiguration(study, configurations)] })
        }
      >
        Add configuration
      </Button>
      {configurations.length > 0 && (
        <FormNote>Of models that the study has. For other models, create a study and compare both.</FormNote>
      )}
    </div>
  );
}
