import { Anchor, TextInput } from '@mantine/core';
import { checkedText } from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import { PathSetting } from '../shared/machines/index';
import { type Loadable, readyValue } from '../state/index';
import {
  FailedState,
  Fields,
  FormNote,
  FormWarning,
  LoadingState,
  Section,
  Select,
  SettingField,
  WideField,
} from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import styles from './new-training.module.css';
import { type RecipeDraft, recipeValue } from './recipe-draft';

type Recipes = { readonly recipes: readonly Recipe[]; readonly problems: readonly string[] };

/** Selects a recipe and shows its fields. */
export function RecipeFields(
  props: FormSectionProps & { readonly recipes: Loadable<Recipes>; readonly recipe: Recipe | null },
) {
  const { draft, errorAt, onChange, recipes, recipe } = props;
  const edit = (part: Partial<RecipeDraft>): void => onChange({ recipe: { ...draft.recipe, ...part } });
  if (recipes.kind === 'loading') return <LoadingState text="Loading the recipes" />;
  if (recipes.kind === 'failed') {
    return (
      <FailedState
        title="The recipes could not be read"
        message={recipes.error.message}
        hint={recipes.error.hint}
      />
    );
  }
  const list = readyValue(recipes);
  return (
    <Section title="Trainer">
      <div className={styles.choice}>
        <Select
          aria-label="Recipe"
          w={260}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          placeholder="Choose a recipe"
          error={errorAt('recipe')}
          value={recipe?.id ?? null}
          data={(list?.recipes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(recipeId) => recipeId !== draft.recipe.recipeId && edit({ recipeId, values: {} })}
        />
        {recipe !== null && (
          <Anchor href={recipe.homepage} target="_blank" rel="noreferrer">
            {recipe.homepage.replace(/^https?:\/\//, '')}
          </Anchor>
        )}
      </div>
      {recipe !== null && (
        <p className={styles.about}>
          {recipe.about} {checkedText(recipe)}
        </p>
      )}
      <Fields>
        {(recipe?.fields ?? []).map((field) => {
          const shown = {
            label: field.label,
            help: field.help,
            value: recipeValue(draft.recipe, field),
            ...(field.default === '' ? {} : { defaultValue: field.default }),
            placeholder: field.required ? undefined : 'none',
            error: errorAt(`recipe.${field.name}`),
            onChange: (text: string) => edit({ values: { ...draft.recipe.values, [field.name]: text } }),
          };
          if (field.kind === 'path')
            return <PathSetting key={field.name} machineId={draft.machineDraft.machineId} {...shown} />;
          const choices = (field.choices ?? []).map((value) => ({ value, label: value }));
          return (
            <SettingField key={field.name} {...(field.kind === 'choice' ? { choices } : {})} {...shown} />
          );
        })}
        {recipe !== null && (
          <WideField mono>
            <TextInput
              label="Extra arguments"
              autoComplete="off"
              spellCheck={false}
              value={draft.recipe.extraArguments}
              onChange={(event) => edit({ extraArguments: event.currentTarget.value })}
            />
          </WideField>
        )}
      </Fields>
      {list?.recipes.length === 0 && (
        <FormNote>No recipes. Add recipe files to recipes/ in the data folder.</FormNote>
      )}
      {list?.problems.map((problem) => (
        <FormWarning key={problem} text={problem} />
      ))}
    </Section>
  );
}
