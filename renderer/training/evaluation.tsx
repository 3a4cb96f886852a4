import {
  EVALUATION_INTERVALS,
  heldOutPart,
  isOwnTraining,
  measuredSoFarText,
  trainingGainText,
} from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import type { TrainingEvaluationView, TrainingRate } from '../../preload/contract/training-evaluation';
import { type EstimateCell, EstimateTable, ScaleTag } from '../shared/studies/index';
import { useTrainingEvaluation, useWorkbench } from '../state/index';
import { trainingIsActive } from '../text/trainings';
import { agentStyle } from '../theme/index';
import { EmptyState, FailedState, LoadingState, plural, SentenceList } from '../widgets/index';
import { type EvaluationRow, evaluationRows } from './evaluation-rows';
import { SweepTable } from './sweep-table';
import styles from './training.module.css';

/** The trainer's final evaluation: each agent alone, and all in one tree. */
export function Evaluation({ training }: { readonly training: TrainingView }) {
  const { trainingResources: resources } = useWorkbench();
  const evaluation = useTrainingEvaluation(training.id);
  return (
    <div className={styles.evaluation}>
      {evaluation.kind === 'loading' && <LoadingState text="Loading the evaluation" />}
      {evaluation.kind === 'failed' && (
        <FailedState
          title="The evaluation could not be read"
          message={evaluation.error.message}
          hint={evaluation.error.hint}
          action={{ label: 'Try again', run: () => resources.evaluations.refresh(training.id) }}
        />
      )}
      {evaluation.kind === 'ready' &&
        (evaluation.value === null ? (
          <NoEvaluation training={training} />
        ) : (
          <Measured evaluation={evaluation.value} training={training} />
        ))}
    </div>
  );
}

function NoEvaluation({ training }: { readonly training: TrainingView }) {
  const measured = measuredSoFarText(training);
  const none = (
    <EmptyState title={measured === null ? 'No evaluation' : 'No evaluation at the end yet'}>
      {measured !== null && `${measured} `}
      {!isOwnTraining(training.spec)
        ? 'This trainer does not evaluate. Evaluate its checkpoints in a study.'
        : trainingIsActive(training)
          ? 'The trainer evaluates after the last update: each agent alone, and the team.'
          : 'The training ended before its evaluation. Resume it, or evaluate its checkpoints in a study.'}
    </EmptyState>
  );
  return isOwnTraining(training.spec) ? none : <SweepTable training={training} none={none} />;
}

function Measured(props: { readonly evaluation: TrainingEvaluationView; readonly training: TrainingView }) {
  const { evaluation, training } = props;
  const rows = evaluationRows(evaluation, training.agents);
  const [first] = rows;
  const problems = evaluation.teams[0]?.problems.length ?? 0;
  return (
    <>
      <p className={styles.title}>
        <ScaleTag scale={training.scale} />
        <span>
          {plural(problems, 'problem')} of {heldOutPart(evaluation.split, training.spec)}, held out from
          training
        </span>
        <span>training seed {evaluation.seed}</span>
        {training.spec.kind === 'pocket' && (
          <span>A benchmark of another problem seed has other problems under the same numbers.</span>
        )}
      </p>
      <EstimateTable
        label="Evaluation of the trainer"
        rowHead="Agents"
        columns={[
          {
            id: 'pass@1',
            label: 'Pass@1',
            hint: 'Share of independent first attempts that pass the private tests; for a team the mean over agents',
          },
          {
            id: 'pass@1(mcts)',
            label: 'Pass@1(MCTS)',
            hint: 'Share of problems whose chosen node, the best on public tests, passes the private tests',
          },
          {
            id: 'pass@n',
            label: `Pass@N, N = ${first?.nodes ?? '?'}`,
            hint: 'Share of problems for which some node of the tree passes the private tests',
          },
        ]}
        facts={[
          { label: 'Distinct programs', hint: 'Among the nodes of a tree, mean over problems' },
          { label: 'Problems', hint: 'n' },
        ]}
        rows={rows.map((row) => ({
          id: row.id,
          label: row.label,
          color: row.position === null ? 'var(--series-8)' : agentStyle(row.position).color,
          note: row.position === null ? 'in shared trees' : 'alone',
          cells: [cellOf(row.passOne), cellOf(row.passOneSearch), cellOf(row.passAny)],
          facts: [distinctText(row), String(row.passAny?.problems ?? 0)],
        }))}
      />
      {evaluation.gains.length > 0 && (
        <div className={styles.gains}>
          <SentenceList
            label="Before and after training"
            sentences={evaluation.gains.map((gain) =>
              trainingGainText(agentNameOf(training, gain.agentId), gain),
            )}
          />
        </div>
      )}
      {evaluation.caution !== null && <p className={styles.caption}>{evaluation.caution}</p>}
      <p className={styles.caption}>
        {EVALUATION_INTERVALS} To compare methods, run an experiment over several seeds: one training is a
        single random outcome.
      </p>
    </>
  );
}

function agentNameOf({ agents }: TrainingView, agentId: string): string {
  return agents.find(({ id }) => id === agentId)?.name ?? agentId;
}

function cellOf(rate: TrainingRate | null): EstimateCell | null {
  if (rate === null) return null;
  const { value, low, high, problems } = rate;
  return { value, low, high, basis: `95 % interval over ${plural(problems, 'problem')}`, letters: '' };
}

function distinctText({ distinct }: EvaluationRow): string {
  return distinct === null ? '–' : distinct.toFixed(1);
}
