import type { MartiTraining, Recipe, TrainingSpec } from '../../../preload/contract';
import { trainingMethodOf } from '../../../preload/contract/plans';
import { assertNever } from '../../base';

const PRESETS: Readonly<Record<MartiTraining['preset'], string>> = {
  grpo: 'Vanilla GRPO on MARTI',
  single: 'RS² on MARTI',
  shared: 'Homo-MARS² on MARTI',
  multi: 'Heter-MARS² on MARTI',
};

/** e.g. "Heter-MARS², reader + tracer". */
export function trainingTitle(spec: TrainingSpec, recipe: Recipe | null): string {
  switch (spec.kind) {
    case 'pocket':
      return `${trainingMethodOf(spec.method).name}, ${spec.families.join(' + ')}`;
    case 'marti': {
      const models = trainingAgents(spec).map(({ name }) => name);
      return `${PRESETS[spec.preset]}, ${models.join(' + ')}`;
    }
    case 'recipe':
      return recipe?.name ?? spec.recipeId;
    default:
      return assertNever(spec);
  }
}

/** The agents of a training, in order. MARTI calls its own by their place. */
export function trainingAgents(spec: TrainingSpec): { id: string; name: string }[] {
  switch (spec.kind) {
    case 'pocket': {
      const named = spec.families.map((family, at) => {
        const before = spec.families.slice(0, at).filter((other) => other === family).length;
        return before === 0 ? family : `${family}-${before + 1}`;
      });
      return named.map((id) => ({ id, name: id }));
    }
    case 'marti': {
      // One model in several roles is one agent to MARTI, in its curves and in its checkpoints.
      const agents = spec.preset === 'shared' ? spec.agents.slice(0, 1) : spec.agents;
      const names = agents.map(({ model }) => lastName(model));
      return names.map((name, at) => ({
        id: String(at),
        name: names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at})`,
      }));
    }
    case 'recipe':
      return [{ id: 'policy', name: 'policy' }];
    default:
      return assertNever(spec);
  }
}

function lastName(model: string): string {
  return model.trim().replace(/\/+$/, '').split('/').at(-1) || model;
}
