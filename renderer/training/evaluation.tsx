import type { TrainingView } from '../../preload/contract/training';
import type { TrainingEvaluation } from '../../preload/contract/training-evaluation';
import { useTrainingEvaluation, useWorkbench } from '../state/index';
import { agentStyle } from '../theme/index';
import { EmptyState, FailedState, LoadingState, plural } from '../widgets/index';
import { type EvaluationRow, evaluationRows, type Rate } from './evaluation-rows';
import styles from './training.module.css';
import { trainingIsActive } from '../text/trainings';
import { type EstimateCell, EstimateTable, ScaleTag } from '../shared/studies/index';

/** What the trainer measured when it was done: each agent alone, and all in one tree. */
export function Evaluation({ training }: { readonly training: TrainingView }) {
  const { trainingResources: resources } = useWorkbench();
  const evaluation = useTrainingEvaluation(training.id);
  return (
    <div className={styles.evaluation}>
      {evaluation.kind === 'loading' && <LoadingState what="Reading the evaluation" />}
      {evaluation.kind === 'failed' && (
        <FailedState
          title="The evaluation could not be read"
          message={evaluation.error.message}
          hint={evaluation.error.hint}
          action={{ label: 'Read again', run: () => resources.evaluations.refresh(training.id) }}
        />
      )}
      {evaluation.kind === 'ready' &&
        (evaluation.value === null ? (
          <EmptyState title="Not evaluated by its trainer">
            {training.spec.kind !== 'pocket'
              ? 'This trainer measures nothing at its end. Evaluate its checkpoints as a study.'
              : trainingIsActive(training)
                ? 'It is, once all updates are made: each agent alone, and as a team.'
                : 'It ended before it came to that. Resume it, or evaluate its checkpoints as a study.'}
          </EmptyState>
        ) : (
          <Measured evaluation={evaluation.value} training={training} />
        ))}
    </div>
  );
}

function Measured(props: { readonly evaluation: TrainingEvaluation; readonly training: TrainingView }) {
  const { evaluation, training } = props;
  const rows = evaluationRows(evaluation, training.agents);
  const [first] = rows;
  const problems = evaluation.teams[0]?.problems.length ?? 0;
  return (
    <>
      <p className={styles.title}>
        <ScaleTag scale={training.scale} />
        <span>
          {plural(problems, 'problem')} of the {evaluation.split} split, which no agent has learned from
        </span>
        <span>seed {evaluation.seed}</span>
      </p>
      <EstimateTable
        label="Evaluation of the trainer"
        rowHead="Who"
        columns={[
          {
            id: 'pass@1',
            label: 'Pass@1',
            hint: 'Share of independent first attempts that pass the private tests; of a team the mean of its agents',
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
          { label: 'Different programs', hint: 'Among the nodes of a tree, mean over problems' },
          { label: 'Problems', hint: 'n' },
        ]}
        rows={rows.map((row) => ({
          id: row.id,
          label: row.label,
          color: row.position === null ? 'var(--series-8)' : agentStyle(row.position).color,
          note: row.position === null ? 'in shared trees' : 'alone',
          cells: [cellOf(row.passOne), cellOf(row.passOneSearch), cellOf(row.passAny)],
          facts: [distinctWords(row), String(row.passAny?.problems ?? 0)],
        }))}
      />
      <p className={styles.caption}>
        Intervals: 95 %, Wilson, over problems. One training is one draw: what a method is worth is told by an
        experiment over several seeds.
      </p>
    </>
  );
}

function cellOf(rate: Rate | null): EstimateCell | null {
  if (rate === null) return null;
  const { value, low, high, problems } = rate;
  return { value, low, high, basis: `95 % interval over ${plural(problems, 'problem')}`, letters: '' };
}

function distinctWords({ distinct }: EvaluationRow): string {
  return distinct === null ? '–' : distinct.toFixed(1);
}
