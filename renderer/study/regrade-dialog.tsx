import { Button, Group, Radio } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Value } from '../../preload/contract/commands/index';
import { capitalised, differsSentence, EQUAL_ONCE, gradingText } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { RegradeFacts } from '../../preload/contract/regrade';
import type { Study } from '../../preload/contract/study';
import { readyValue, useBenchmarks, useDebouncedQuery, useWorkbench } from '../state/index';
import type { GradingMode } from '../text/search';
import { count, Hint, plural, Select } from '../widgets/index';
import { ChangedVerdicts, CheckDialog } from './checks-dialog';
import styles from './study.module.css';

const HOW_MANY = [
  { value: 'all', label: 'all; the result is kept' },
  { value: '1000', label: '1,000; a check, not kept' },
  { value: '200', label: '200; a check, not kept' },
] as const;
const GRADING_MODES = [
  { value: 'same', label: 'as in the study' },
  { value: 'as-program', label: 'as a program' },
  { value: 'as-published', label: "as the benchmark's grader does" },
] as const;
const OWN_TESTS = 'own';
const FIRST = 'first';

/**
 * Runs the private tests of a study's programs again, keeps the verdicts, and asks which grading counts. Some programs alone
 * are a check, of which nothing is kept.
 */
export function RegradeDialog(props: {
  readonly study: Study;
  /** The grading mode to preselect; left out: the study's own. */
  readonly mode?: GradingMode;
  readonly onClose: () => void;
}) {
  const { study, onClose } = props;
  const { studyChecks } = useWorkbench();
  const [many, setMany] = useState<(typeof HOW_MANY)[number]['value']>('all');
  const [mode, setMode] = useState<(typeof GRADING_MODES)[number]['value']>(props.mode ?? 'same');
  const [tests, setTests] = useState(OWN_TESTS);
  return (
    <CheckDialog<Value<'study.regrade'>>
      title={`Re-grade ${study.name}`}
      task="regrade"
      action="Grade again"
      onClose={onClose}
      work={() =>
        studyChecks.regrade(study.id, {
          ...(many === 'all' ? {} : { programs: Number(many) }),
          ...(mode === 'same' ? {} : { grading: mode }),
          ...(tests === OWN_TESTS ? {} : { benchmarkId: tests }),
        })
      }
      about={
        <>
          <Gradings study={study} />
          <p className={styles.again}>
            Grading again runs the private tests with the Python and the limits of now, or with the corrected
            tests of another import of the same problems. {EQUAL_ONCE} Nothing recorded is altered. Once it is
            done, choose here whether it counts. Cancelled or interrupted, it goes on where it ended.
          </p>
          <Group gap="sm" align="end">
            <TestsSelect study={study} value={tests} onChange={setTests} />
            <Select
              label="Programs"
              w={200}
              allowDeselect={false}
              value={many}
              data={[...HOW_MANY]}
              onChange={(value) => setMany(HOW_MANY.find((option) => option.value === value)?.value ?? 'all')}
            />
            <Select
              label="Grading mode"
              w={240}
              allowDeselect={false}
              value={mode}
              data={[...GRADING_MODES]}
              onChange={(value) =>
                setMode(GRADING_MODES.find((mode) => mode.value === value)?.value ?? 'same')
              }
            />
          </Group>
        </>
      }
      show={({ graded, changed, faults, kept }) => (
        <>
          <p>
            <b>
              {changed.length === 0
                ? 'Every verdict is the same.'
                : `${plural(changed.length, 'verdict')} changed.`}
            </b>{' '}
            {kept === undefined || kept.programs === graded
              ? plural(graded, 'different program')
              : `${plural(kept.programs, 'different program')} (${count(graded)} over all runs)`}{' '}
            graded
            {faults > 0 && `, ${plural(faults, 'fault')} of the sandbox or the grader`}.{' '}
            {kept === undefined ? 'Nothing is kept of it.' : 'It is kept; choose above whether it counts.'}
          </p>
          {kept === undefined && <ChangedVerdicts changed={changed} />}
        </>
      )}
    />
  );
}

/** The study's own tests, or those of a benchmark of the library. */
function TestsSelect(props: {
  readonly study: Study;
  readonly value: string;
  readonly onChange: (tests: string) => void;
}) {
  const benchmarks = readyValue(useBenchmarks()) ?? [];
  const own = new Map(props.study.runs.map((run) => [run.benchmarkId, run.benchmarkDigest]));
  const others = benchmarks.filter(({ id, digest }) => own.get(id) !== digest);
  return (
    <Select
      label="Tests"
      w={240}
      allowDeselect={false}
      searchable
      value={props.value}
      data={[
        { value: OWN_TESTS, label: 'the tests of the study' },
        ...others.map(({ id, digest }) => ({ value: id, label: `tests of ${id} (${digest.slice(0, 8)})` })),
      ]}
      onChange={(value) => props.onChange(value ?? OWN_TESTS)}
    />
  );
}

/** Its gradings, what each changed, and which one counts. */
function Gradings({ study }: { readonly study: Study }) {
  const { regrades = [], countedRegrade = FIRST } = study;
  const { studyChecks } = useWorkbench();
  const [chosen, setChosen] = useState(countedRegrade);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const newest = regrades.at(-1)?.id;
  // A re-grade that was just made is shown first.
  useEffect(() => {
    if (newest !== undefined) setChosen(newest);
  }, [newest]);
  if (regrades.length === 0) return <p>Private verdicts count as first graded; there is no re-grade yet.</p>;
  const facts = regrades.find(({ id }) => id === chosen);
  const differs = facts === undefined ? null : differsSentence(facts);
  const letCount = async (): Promise<void> => {
    setBusy(true);
    const answer = await studyChecks.count(study.id, chosen === FIRST ? null : chosen);
    setBusy(false);
    setRefusal(answer.ok ? null : answer.error);
  };
  return (
    <>
      <Radio.Group
        label="Which grading counts for tables, metrics and exports"
        value={chosen}
        onChange={setChosen}
      >
        <div className={styles.gradings}>
          {[null, ...regrades].map((facts) => (
            <Radio
              key={facts?.id ?? FIRST}
              size="xs"
              value={facts?.id ?? FIRST}
              label={labelOf(facts, (facts?.id ?? FIRST) === countedRegrade)}
            />
          ))}
        </div>
      </Radio.Group>
      {differs !== null && <p>{differs}</p>}
      {chosen !== FIRST && <Changes key={chosen} studyId={study.id} regradeId={chosen} />}
      <Group gap="sm">
        <Button
          variant="default"
          size="compact-sm"
          loading={busy}
          disabled={chosen === countedRegrade}
          onClick={() => void letCount()}
        >
          {chosen === countedRegrade ? 'It counts' : 'Use this grading'}
        </Button>
        <span className={styles.soft}>The search, its scores and public verdicts stay as they were.</span>
      </Group>
      {refusal !== null && (
        <div role="alert">
          <p data-selectable>{refusal.message}</p>
          {refusal.hint !== undefined && <Hint text={refusal.hint} />}
        </div>
      )}
    </>
  );
}

function labelOf(facts: RegradeFacts | null, counts: boolean): string {
  const text = gradingText(facts);
  const more =
    facts === null
      ? ''
      : `: ${plural(facts.changed, 'verdict')} changed, ${plural(facts.programs, 'different program')} · ${facts.id}`;
  return `${capitalised(text)}${more}${counts ? ' (counts)' : ''}`;
}

function Changes(props: { readonly studyId: string; readonly regradeId: string }) {
  const { studyChecks } = useWorkbench();
  const answer = useDebouncedQuery(props.regradeId, (id) => studyChecks.changes(props.studyId, id));
  if (answer === null || answer.kind === 'loading') return <p role="status">Comparing the verdicts …</p>;
  if (answer.kind === 'failed') return <Hint text={answer.error.message} />;
  return answer.value.length === 0 ? (
    <p>It changed no verdict.</p>
  ) : (
    <>
      <p>{count(answer.value.length)} of its verdicts differ from the first grading:</p>
      <ChangedVerdicts changed={answer.value} />
    </>
  );
}
