import type { MartiTraining, Recipe, TrainingRequest, TrainingSpec } from '../../../preload/contract';
import { inPlaceOf, trainingMethodOf } from '../../../preload/contract/plans';
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
    case 'model': {
      const agents = spec.agents.map(({ id }) => id);
      return `${trainingMethodOf(spec.method).name}, ${agents.join(' + ')}`;
    }
    case 'marti': {
      const models = trainingAgents(spec).map(({ name }) => name);
      return `${PRESETS[spec.preset]}, ${models.join(' + ')}`;
    }
    case 'recipe':
      return recipe?.name ?? spec.recipeId;
    case 'watched':
      return `Watched only: ${spec.slurmId === null ? spec.folder : `Slurm job ${spec.slurmId}`}`;
    default:
      return assertNever(spec);
  }
}

/** Its name. One that a plan gave before stand-ins had their own names is of the paper's models: it is put behind. */
export function trainingName({ name, spec }: Pick<TrainingRequest, 'name' | 'spec'>): string {
  if (spec.kind !== 'pocket') return name;
  const start = `Train ${trainingMethodOf(spec.method).name}, `;
  const end = `, seed ${spec.seed}`;
  if (!name.startsWith(start) || !name.endsWith(end)) return name;
  const families = spec.families.join(' + ');
  const models = name.slice(start.length, -end.length);
  return models.startsWith(families) ? name : `${start}${inPlaceOf(families, models)}${end}`;
}

/** The agents of a training, in order. MARTI identifies agents by their index. */
export function trainingAgents(spec: TrainingSpec): { id: string; name: string }[] {
  switch (spec.kind) {
    case 'pocket': {
      const named = spec.families.map((family, at) => {
        const before = spec.families.slice(0, at).filter((other) => other === family).length;
        return before === 0 ? family : `${family}-${before + 1}`;
      });
      return named.map((id) => ({ id, name: id }));
    }
    case 'model':
      return spec.agents.map(({ id }) => ({ id, name: id }));
    case 'marti': {
      // MARTI treats one model in several roles as one agent, in curves and checkpoints.
      const agents = spec.preset === 'shared' ? spec.agents.slice(0, 1) : spec.agents;
      const names = agents.map(({ model }) => lastName(model));
      return names.map((name, at) => ({
        id: String(at),
        name: names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at})`,
      }));
    }
    case 'recipe':
      return [{ id: 'policy', name: 'policy' }];
    case 'watched':
      return (spec.agents.length === 0 ? ['policy'] : spec.agents).map((id) => ({ id, name: id }));
    default:
      return assertNever(spec);
  }
}

function lastName(model: string): string {
  return (
    model
      .trim()
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) || model
  );
}
