import {
  changedFields,
  MODEL_FIELD_GROUPS,
  PLAIN_MODEL_TRAINING,
  PLAIN_POCKET_TRAINING,
  POCKET_FIELD_GROUPS,
  samplingText,
  type TrainingField,
  type TrainingFieldGroup,
  type TrainingTexts,
  textsOfModel,
  textsOfPocket,
} from '../../preload/contract/plans/index';
import type { ModelAgent, ModelTraining, PocketTraining } from '../../preload/contract/training-spec';
import { EXTRACTIONS } from '../text/extractions';
import { count, Fact, Facts, plural, Section } from '../widgets/index';
import styles from './training.module.css';

/** Settings of a training by the workbench's own loop. */
export function OwnSettings({ spec }: { readonly spec: PocketTraining | ModelTraining }) {
  return (
    <div>
      {spec.kind === 'model' ? (
        <>
          <ModelFacts spec={spec} />
          <FieldSettings
            groups={MODEL_FIELD_GROUPS}
            texts={textsOfModel(spec)}
            usual={textsOfModel(PLAIN_MODEL_TRAINING)}
          />
        </>
      ) : (
        <FieldSettings
          groups={POCKET_FIELD_GROUPS}
          texts={textsOfPocket(spec)}
          usual={textsOfPocket(PLAIN_POCKET_TRAINING)}
        />
      )}
      <p className={styles.caption}>Bold: differs from the default.</p>
    </div>
  );
}

function FieldSettings(props: {
  readonly groups: readonly TrainingFieldGroup[];
  readonly texts: TrainingTexts;
  readonly usual: TrainingTexts;
}) {
  const { groups, texts, usual } = props;
  const changed = new Set(changedFields(texts, usual));
  return groups.map(({ id, title, fields }) => {
    const shown = fields.filter((field) => (texts[field.id] ?? '') !== '');
    if (shown.length === 0) return null;
    return (
      <Section key={id} title={title}>
        <Facts label={title}>
          {shown.map((field) => (
            <Fact key={field.id} name={field.label} title={field.help === '' ? undefined : field.help}>
              {changed.has(field.id) ? (
                <b>{settingText(field, texts[field.id] ?? '')}</b>
              ) : (
                settingText(field, texts[field.id] ?? '')
              )}
            </Fact>
          ))}
        </Facts>
      </Section>
    );
  });
}

/** A choice's label, or a number with its unit. */
function settingText({ kind, unit, zero }: TrainingField, text: string): string {
  if (zero !== undefined && Number(text) === 0) return zero;
  if (kind.kind === 'choice') return kind.choices.find(({ value }) => value === text)?.label ?? text;
  const number = Number(text).toLocaleString('en', { maximumSignificantDigits: 6 });
  return unit === undefined ? number : `${number} ${unit}`;
}

/** What no field of the table sets: models, problems, Python. */
function ModelFacts({ spec }: { readonly spec: ModelTraining }) {
  const { agents, problems, evaluation, lora, python } = spec;
  const sampling = samplingText(evaluation.sampling ?? {});
  return (
    <>
      <Section title="Models">
        <Facts label="Models">
          {agents.map((agent) => (
            <Fact key={agent.id} name={agent.id}>
              <span className={styles.mono}>{agent.model}</span>
              <br />
              {agentText(agent)}
            </Fact>
          ))}
          {lora === null && <Fact name="Trained">all weights</Fact>}
          <Fact name="Python" mono>
            {python}
          </Fact>
        </Facts>
      </Section>
      <Section title="Problems">
        <Facts label="Problems">
          <Fact name="Trained on">{problemsText(problems)}</Fact>
          <Fact name="Evaluated on">
            {evaluation.on === null
              ? `problems of ${problems.benchmarkId} that it does not train on`
              : problemsText(evaluation.on)}
          </Fact>
          {sampling !== '' && <Fact name="Evaluated with">{sampling}</Fact>}
        </Facts>
      </Section>
    </>
  );
}

function agentText({ maxTokens, thinking, extraction }: ModelAgent): string {
  const program = EXTRACTIONS.find(({ value }) => value === extraction)?.label ?? extraction;
  return [
    `answers of at most ${count(maxTokens)} tokens`,
    ...(thinking === undefined ? [] : [`thinking ${thinking ? 'on' : 'off'}`]),
    `program: ${program.charAt(0).toLowerCase()}${program.slice(1)}`,
  ].join('; ');
}

function problemsText({ benchmarkId, problemIds }: ModelTraining['problems']): string {
  return problemIds === null ? benchmarkId : `${plural(problemIds.length, 'problem')} of ${benchmarkId}`;
}
