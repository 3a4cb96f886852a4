import { createHash } from 'node:crypto';
import {
  type CheckedPayload,
  hasFunctionToComplete,
  promptFormatProblem,
  type Refusal,
  type ServerLaunch,
  type Study,
  templateText,
} from '../../../preload/contract/index';
import type { BenchmarkLibrary } from '../../benchmarks/index';

type Configured = Pick<CheckedPayload<'study.create'>, 'configurations'>;

/** The order with the digest of every template of a user, so that the study's record has it. */
export function withTemplateDigests<T extends Configured>(request: T): T {
  return {
    ...request,
    configurations: request.configurations.map((configuration) => ({
      ...configuration,
      team: {
        ...configuration.team,
        agents: configuration.team.agents.map((agent) =>
          agent.promptFormat?.kind === 'file'
            ? { ...agent, promptFormat: { ...agent.promptFormat, digest: digestOf(agent.promptFormat) } }
            : agent,
        ),
      },
    })),
  };
}

function digestOf(template: Parameters<typeof templateText>[0]): string {
  return createHash('sha256').update(templateText(template)).digest('hex').slice(0, 16);
}

/** Why an agent of the study cannot be asked in its prompt format; null: all can. */
export async function promptFormatsProblem(
  study: Study,
  library: Pick<BenchmarkLibrary, 'problem'>,
  launches: readonly ServerLaunch[],
): Promise<Refusal | null> {
  const engineOf = (id: string) => launches.find((launch) => launch.id === id)?.engine;
  for (const { team, search } of study.runs) {
    for (const agent of team.agents) {
      const server = team.servers.find(({ id }) => id === agent.serverId);
      const message = promptFormatProblem(agent, { server, search, engineOf });
      if (message !== null) return { code: 'bad-input', message };
    }
  }
  const completing = study.runs.find(({ team }) =>
    team.agents.some(({ promptFormat }) => promptFormat?.kind === 'completion'),
  );
  // Runs of one study have the same problems. One problem at a time: the tests of all may be larger than memory.
  for (const id of completing?.problemIds ?? []) {
    const problem = await library.problem(completing?.benchmarkId ?? '', id);
    if (!problem.ok) return problem.error;
    if (hasFunctionToComplete(problem.value)) continue;
    return {
      code: 'bad-input',
      message: `The prompt format completion needs a function to complete, and ${id} of ${completing?.benchmarkId} has none.`,
      hint: 'Choose another prompt format, or a benchmark of functions with their docstrings, such as HumanEval.',
    };
  }
  return null;
}
