import { Button, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import type { Sweep } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import {
  type DraftKey,
  readyValue,
  type Trainer,
  useBenchmarks,
  useFormDraft,
  useJobs,
  useMachines,
  useRecipes,
  useTraining,
  useWorkbench,
} from '../state/index';
import { FormScreen, LoadingState, plural, usePress } from '../widgets/index';
import { FlagTable } from './flag-table';
import type { FieldId, FormSectionProps } from './form-errors';
import { GraderSection } from './grader-fields';
import { MachineSection, ResourceFields } from './machine-fields';
import { MartiFields, MartiPresetFields } from './marti-fields';
import { ModelFields, ModelMethodFields } from './model-fields';
import { PlanView } from './plan-view';
import { PocketFields, PocketMethodFields } from './pocket-fields';
import { RecipeFields } from './recipe-fields';
import { SweepCost, SweepSection, trainingsOf } from './sweep-fields';
import {
  checkTraining,
  draftForRoute,
  draftOfTraining,
  EMPTY_TRAINING,
  type TrainingDraft,
  trainingName,
} from './training-draft';
import { usePreparedPython } from './use-prepared-python';
import { useMachineCheck, useTrainingPlan } from './use-training-plan';

const KINDS: readonly { readonly value: Trainer; readonly label: string }[] = [
  { value: 'pocket', label: 'Pocket policies' },
  { value: 'model', label: 'Language models' },
  { value: 'marti', label: 'MARTI' },
  { value: 'recipe', label: 'Other trainer' },
];

const DRAFT: DraftKey<TrainingDraft | null> = { name: 'new-training', empty: null };

/** The form for a new training. */
export function NewTrainingScreen(props: {
  /** From the route; null: keep the draft's. */
  readonly machineId: string | null;
  /** From the route: the training to copy. */
  readonly from: string | null;
  /** From the route; null: keep the draft's. */
  readonly trainer: Trainer | null;
}) {
  const { machineId, from, trainer } = props;
  const [draft, setDraft] = useFormDraft(DRAFT);
  const { location } = useWorkbench();
  const machines = useMachines();
  const model = useTraining(from);
  const jobs = useJobs();
  const isReading = from !== null && (model.kind === 'loading' || jobs.kind === 'loading');

  // The route sets the form's initial content once; after that the draft counts.
  useEffect(() => {
    if ((machineId === null && from === null && trainer === null) || isReading) return;
    const training = readyValue(model);
    if (from !== null && training !== null) {
      const job = readyValue(jobs)?.find(({ id }) => id === training.jobId) ?? null;
      setDraft(draftOfTraining(training, job));
    } else if (machineId !== null || trainer !== null) {
      setDraft(draftForRoute(draft ?? EMPTY_TRAINING, { machineId, trainer }));
    }
    location.go({ kind: 'new-training', machineId: null }, { replace: true });
  }, [machineId, from, trainer, isReading, model, jobs, draft, setDraft, location]);

  if (machines.kind === 'loading' || isReading) return <LoadingState text="Loading the machines" />;
  return <TrainingForm draft={draft ?? EMPTY_TRAINING} onChange={setDraft} />;
}

function TrainingForm(props: {
  readonly draft: TrainingDraft;
  readonly onChange: (draft: TrainingDraft | null) => void;
}) {
  const { draft, onChange } = props;
  const { trainings, experiments, location } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const recipes = useRecipes();
  const benchmarks = readyValue(useBenchmarks());
  const machine = machines.find(({ spec }) => spec.id === draft.machineDraft.machineId) ?? null;
  const recipe = readyValue(recipes)?.recipes.find(({ id }) => id === draft.recipe.recipeId) ?? null;
  const benchmarkIds = benchmarks?.map(({ id }) => id) ?? null;
  const checked = checkTraining(draft, { machine, recipe, benchmarkIds });
  const { request, sweep } = checked;
  const shownRequest = sweep?.kind === 'trainings' ? (sweep.trainings[0] ?? request) : request;
  const plan = useTrainingPlan(shownRequest);
  const machineCheck = useMachineCheck(shownRequest);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const shown = checked.errors.filter(({ kind }) => tried || kind === 'wrong');
  const startOf = (one: TrainingRequest, all: Sweep | null): Promise<Refusal | null> => {
    if (all === null) return trainings.start(one);
    return all.kind === 'experiment' ? experiments.start(all.experiment) : trainings.startMany(all.trainings);
  };
  const { busy, press } = usePress(async () => {
    setTried(true);
    if (request === null || checked.errors.length > 0) return;
    const refused = await startOf(request, sweep);
    setRefusal(refused);
    if (refused === null) onChange(null);
  });
  const part: FormSectionProps = {
    draft,
    errorAt: (at: FieldId) => shown.find((error) => error.at === at)?.message,
    onChange: (change) => onChange({ ...draft, ...change }),
  };
  const preparedOn = draft.kind === 'model' ? (machine?.spec.id ?? null) : null;
  usePreparedPython(preparedOn, draft.model, (changed) => part.onChange({ model: changed }));
  return (
    <FormScreen
      title="New training"
      aside={
        <SegmentedControl
          aria-label="Kind of training"
          value={draft.kind}
          data={[...KINDS]}
          onChange={(value) => {
            const kind = KINDS.find((kind) => kind.value === value);
            if (kind !== undefined) part.onChange({ kind: kind.value });
          }}
        />
      }
      actions={
        <>
          <Button variant="default" onClick={() => location.go({ kind: 'trainings' })}>
            Back to training
          </Button>
          <Button loading={busy} onClick={press} title="Ctrl+Enter">
            {sweep === null ? 'Start training' : `Start ${plural(trainingsOf(sweep), 'training')}`}
          </Button>
        </>
      }
      busy={busy}
      onSubmit={press}
      refusal={{ title: 'The training was not started', reason: refusal }}
      errorCount={tried ? checked.errors.length : 0}
      warnings={checked.warnings}
      summary={
        <>
          {sweep !== null && <SweepCost sweep={sweep} plan={plan === null ? null : readyValue(plan)} />}
          <PlanView
            kind={draft.kind}
            request={shownRequest}
            plan={plan}
            machineCheck={machineCheck}
            isFirst={sweep !== null}
          />
        </>
      }
    >
      {draft.kind === 'pocket' && <PocketMethodFields {...part} />}
      {draft.kind === 'model' && <ModelMethodFields {...part} />}
      {draft.kind === 'marti' && <MartiPresetFields {...part} />}
      {draft.kind === 'recipe' && <RecipeFields {...part} recipes={recipes} recipe={recipe} />}
      <MachineSection
        {...part}
        machine={machine}
        machines={machines}
        usualName={trainingName(draft, recipe)}
      />
      {draft.kind === 'pocket' && <PocketFields {...part} />}
      {draft.kind === 'model' && <ModelFields {...part} benchmarks={benchmarks ?? []} />}
      {draft.kind === 'marti' && <MartiFields {...part} />}
      {(draft.kind !== 'pocket' || draft.machineDraft.machineId !== LOCAL_MACHINE) && (
        <ResourceFields {...part} machine={machine} recipe={recipe} />
      )}
      {(draft.kind === 'pocket' || draft.kind === 'model') && <GraderSection {...part} />}
      <SweepSection {...part} recipe={recipe} />
      {draft.kind === 'marti' && <FlagTable {...part} />}
    </FormScreen>
  );
}
