import {
  type Amount,
  candidateCount,
  type Exhibit,
  type ExhibitConfiguration,
  type ReproductionRequest,
  type SearchOptions,
} from '../../../../preload/contract';
import { searchAmount, searchBytes } from './estimates';
import { trainingGroups } from './models';
import type { KnownRun, PlanInputs } from './plan-inputs';
import type { ChosenProblems } from './problems';
import { sameRun } from './reuse';
import type { PlacedServer, ServerCatalog } from './servers';
import { serverSpec } from './team';
import type { SearchWork } from './work';

/** Tokens of one answer: pocket programs are short; paper scale as MARTI's scripts have it (--generate_max_len). */
const MAX_TOKENS = { pocket: 2_048, paper: 32_768 } as const;

export type PlannedSearch = {
  readonly stepId: string;
  readonly configuration: ExhibitConfiguration;
  readonly seed: number;
  readonly work: SearchWork;
  /** One per model. */
  readonly servers: readonly PlacedServer[];
  /** Is done already; null: it has to be run. */
  readonly existing: KnownRun | null;
  readonly programs: number;
  readonly estimate: Amount;
  readonly bytes: number | null;
};

export function plannedSearch(
  configuration: ExhibitConfiguration,
  seed: number,
  context: {
    readonly exhibit: Exhibit;
    readonly scale: ReproductionRequest['scale'];
    readonly search: SearchOptions;
    readonly problems: ChosenProblems;
    readonly servers: ServerCatalog;
    readonly inputs: PlanInputs;
  },
): PlannedSearch {
  const { exhibit, scale, problems, inputs } = context;
  const models = configuration.models.flatMap((id) => exhibit.models.find((model) => model.id === id) ?? []);
  const groups = trainingGroups(exhibit, configuration);
  const placed = models.map((model) => {
    const group = groups.find(({ models: trained }) => trained.includes(model)) ?? null;
    return context.servers.of({ model, method: configuration.method, group }, seed);
  });
  // One model in several roles; several models are themselves the team.
  const roles = placed.length === 1 ? configuration.roles : 1;
  const members = placed.flatMap(({ server }) => Array.from({ length: roles }, () => server.id));
  const servers = [...new Set(placed)];
  const search = withOverrides(context.search, configuration.search);
  const work: Omit<SearchWork, 'run'> = {
    kind: 'search',
    configurationId: configuration.id,
    configuration: configuration.label,
    seed,
    members,
    servers: servers.map(({ server }) => server),
    maxTokens: MAX_TOKENS[scale],
    problems: problems.problems,
    search,
  };
  const existing = sameRun(work, knownSpecs(servers), problems.existing, inputs.runs);
  const programs = candidateCount({
    team: { agents: members },
    problemIds: { length: problems.count },
    search,
  });
  const estimate = searchAmount(
    programs,
    models.map(({ id, pocket, paper }) => (scale === 'pocket' ? pocket?.family : paper?.hub) ?? id),
    scale,
    servers.reduce((sum, { gpus }) => sum + gpus, 0),
    inputs,
  );
  return {
    stepId: `search:${configuration.id}:${seed}`,
    configuration,
    seed,
    work: {
      ...work,
      run: existing === null ? null : { studyId: existing.studyId, runId: existing.config.id },
    },
    servers,
    existing,
    programs,
    estimate,
    bytes: searchBytes(programs, estimate.tokens, scale),
  };
}

function withOverrides(search: SearchOptions, own: ExhibitConfiguration['search']): SearchOptions {
  const overrides = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...search, ...Object.fromEntries(overrides) };
}

/** null: some weights are still to be trained, so no run can have searched with them. */
function knownSpecs(servers: readonly PlacedServer[]): Parameters<typeof sameRun>[1] {
  const specs = servers.map(({ server }) => {
    const { weights } = server;
    if (weights.kind === 'training') return null;
    const checkpoint = weights.kind === 'known' ? { trainingId: weights.trainingId, id: '', path: '' } : null;
    return [server.id, serverSpec(server, checkpoint)] as const;
  });
  return specs.some((spec) => spec === null) ? null : new Map(specs.filter((spec) => spec !== null));
}
