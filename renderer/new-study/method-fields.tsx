import { NumberInput, TextInput } from '@mantine/core';
import { PRESETS, strategyFields } from '../../preload/contract/plans/index';
import type { Strategy } from '../../preload/contract/strategy';
import { ExplainedSelect, Select } from '../widgets/index';
import { type FormSectionProps, messageProps } from './form-messages';
import { MESSAGES_BELOW, NO_TRANSITION } from './input-options';
import { type MethodDraft, methodOfPreset, presetNamed } from './method-draft';
import styles from './new-study.module.css';

/** Selects the strategy, with a line that explains it. */
export function MethodChoice({ draft, benchmark, change }: FormSectionProps) {
  const preset = presetNamed(draft.preset);
  return (
    <div className={styles.strategy}>
      <ExplainedSelect
        label="Strategy"
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

const FEEDBACK = [
  { value: 'verdicts', label: 'verdict of each public test' },
  { value: 'errors', label: 'first failure with input and error' },
  { value: 'marti', label: "MARTI's released prompts" },
] as const;
const SCORES = [
  { value: 'fraction', label: 'partial credit (share of public tests)' },
  { value: 'all', label: 'all or nothing' },
] as const;
const TIES = [
  { value: 'earliest', label: 'earliest node' },
  { value: 'latest', label: 'latest node' },
] as const;
const REWARDS = [
  { value: 'none', label: 'none' },
  { value: 'pocket', label: 'pocket, trained here' },
  { value: 'http', label: 'HTTP endpoint' },
] as const;
const USES = [
  { value: 'choice', label: 'breaks ties' },
  { value: 'score', label: 'added to the score' },
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
        label="Refinement feedback"
        title="What a refinement prompt says about the earlier program"
        value={method.feedback}
        choices={FEEDBACK}
        onChoose={(feedback) => edit({ feedback })}
      />
      <ChoiceSelect
        label="Node score"
        title="The score of a program that the search uses"
        value={method.score}
        choices={SCORES}
        onChoose={(score) => edit({ score })}
      />
      <ChoiceSelect
        label="Tie-breaking"
        title="Which of several nodes with the best public score is the answer"
        value={method.tie}
        choices={TIES}
        onChoose={(tie) => edit({ tie })}
      />
      <ChoiceSelect
        label="Reward model"
        title="Scores a program for a problem"
        value={method.reward}
        choices={rewards}
        onChoose={(reward) => edit({ reward })}
      />
      {method.reward !== 'none' && (
        <ChoiceSelect
          label="Reward use"
          title="Only between programs with the best public score, or in every score"
          value={method.rewardUse}
          choices={USES}
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
