import { NumberInput, TextInput } from '@mantine/core';
import { PRESETS, strategyFields } from '../../preload/contract/plans/index';
import type { Strategy } from '../../preload/contract/strategy';
import { MESSAGES_BELOW, messageProps, NO_TRANSITION } from '../shared/agents/index';
import { FEEDBACK, REWARD_USES, SCORES, SEARCH_LABELS, TIES } from '../text/search-settings';
import { ExplainedSelect, Select } from '../widgets/index';
import type { FormSectionProps } from './form-messages';
import { type MethodDraft, methodOfPreset, presetNamed } from './method-draft';
import styles from './new-study.module.css';

/** Selects the strategy, with a line that explains it. */
export function MethodChoice({ draft, benchmark, change }: FormSectionProps) {
  const preset = presetNamed(draft.preset);
  return (
    <div className={styles.strategy}>
      <ExplainedSelect
        label={SEARCH_LABELS.strategy}
        value={preset.id}
        options={PRESETS.map(({ id, name, line }) => ({ value: id, label: name, line }))}
        onChange={(id) =>
          change({ preset: id, method: methodOfPreset(presetNamed(id), benchmark.scale === 'pocket') })
        }
      />
      <span className={styles.soft}>
        {preset.line} <span className={styles.source}>{preset.source}</span>
      </span>
    </div>
  );
}

type Choice<T extends string> = { readonly value: T; readonly label: string };

/** A select whose value is one of a closed set. */
function ChoiceSelect<T extends string>(props: {
  readonly label: string;
  readonly title: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChoose: (value: T) => void;
}) {
  const { label, title, value, choices, onChoose } = props;
  return (
    <Select
      label={label}
      title={title}
      inputWrapperOrder={MESSAGES_BELOW}
      allowDeselect={false}
      comboboxProps={NO_TRANSITION}
      value={value}
      data={[...choices]}
      onChange={(next) => {
        const choice = choices.find((choice) => choice.value === next);
        if (choice !== undefined) onChoose(choice.value);
      }}
    />
  );
}

const REWARDS = [
  { value: 'none', label: 'none' },
  { value: 'pocket', label: 'pocket, trained here' },
  { value: 'http', label: 'HTTP endpoint' },
] as const;

/** Every part of the method. MARS²-T+ adds three: feedback, depth guidance and reward model. */
export function MethodDetails({ draft, benchmark, messages, change }: FormSectionProps) {
  const { method } = draft;
  const edit = (part: Partial<MethodDraft>): void => change({ method: { ...method, ...part } });
  const rewards = benchmark.scale === 'pocket' ? REWARDS : REWARDS.filter(({ value }) => value !== 'pocket');
  return (
    <div className={styles.numbers}>
      <StrategyOptions strategy={method.strategy} onChange={(strategy) => edit({ strategy })} />
      <ChoiceSelect
        label={SEARCH_LABELS.feedback}
        title="What a refinement prompt says about the earlier program"
        value={method.feedback}
        choices={FEEDBACK}
        onChoose={(feedback) => edit({ feedback })}
      />
      <ChoiceSelect
        label={SEARCH_LABELS.score}
        title="The score of a program that the search uses"
        value={method.score}
        choices={SCORES}
        onChoose={(score) => edit({ score })}
      />
      <ChoiceSelect
        label={SEARCH_LABELS.tie}
        title="Which of several nodes with the best public score is the answer"
        value={method.tie}
        choices={TIES}
        onChoose={(tie) => edit({ tie })}
      />
      <ChoiceSelect
        label={SEARCH_LABELS.rewardModel}
        title="Scores a program for a problem"
        value={method.reward}
        choices={rewards}
        onChoose={(reward) => edit({ reward })}
      />
      {method.reward !== 'none' && (
        <ChoiceSelect
          label={SEARCH_LABELS.rewardUse}
          title="Only between programs with the best public score, or in every score"
          value={method.rewardUse}
          choices={REWARD_USES}
          onChoose={(rewardUse) => edit({ rewardUse })}
        />
      )}
      {method.reward === 'http' && (
        <TextInput
          label="URL of the reward model"
          inputWrapperOrder={MESSAGES_BELOW}
          placeholder="http://127.0.0.1:9000/v1/score"
          inputMode="url"
          spellCheck={false}
          value={method.rewardUrl}
          onChange={(event) => edit({ rewardUrl: event.currentTarget.value })}
          {...messageProps(messages, 'rewardUrl')}
        />
      )}
    </div>
  );
}

function StrategyOptions(props: {
  readonly strategy: Strategy;
  readonly onChange: (strategy: Strategy) => void;
}) {
  const { strategy, onChange } = props;
  return strategyFields(strategy).map((field) =>
    field.kind === 'choice' ? (
      <ChoiceSelect
        key={field.key}
        label={field.label}
        title={field.title}
        value={field.value}
        choices={field.choices}
        onChoose={(id) => onChange(field.withValue(id))}
      />
    ) : (
      <NumberInput
        key={field.key}
        label={field.label}
        title={field.title}
        inputWrapperOrder={MESSAGES_BELOW}
        min={field.min}
        max={field.max}
        step={field.step}
        allowDecimal={field.step < 1}
        decimalScale={4}
        clampBehavior="strict"
        value={field.value}
        onChange={(next) => typeof next === 'number' && onChange(field.withValue(next))}
      />
    ),
  );
}
