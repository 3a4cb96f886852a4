import type { Refusal, ServerLaunch } from '../../../preload/contract';
import { extraProblems } from '../../../preload/contract/plans';
import { failed, ok, type Result, shellWord } from '../../base';
import { ENGINES } from './engines';

const PORT_WORD = '{port}';

/** What `{learner}` and `{python}` stand for on a machine: a folder and a program. */
export type LearnerRuntime = { readonly program: string; readonly python: string };

/** The command of a launch, `{port}` still in it: as the user has edited it, or generated. */
function commandTemplate(launch: ServerLaunch): string {
  return launch.commandLine ?? ENGINES[launch.engine].commandLine(launch);
}

/** The command to run. A null port is not known yet and stays `{port}`. `learner`: null where the engine uses none. */
export function commandWith(
  launch: ServerLaunch,
  port: number | null,
  learner: LearnerRuntime | null = null,
): string {
  const template = withLearner(commandTemplate(launch), learner);
  return port === null ? template : template.replaceAll(PORT_WORD, String(port));
}

/** A line of a shell with the learner's folder and Python filled in. */
export function withLearner(line: string, learner: LearnerRuntime | null): string {
  if (learner === null) return line;
  return line
    .replaceAll('{learner}', () => shellWord(learner.program))
    .replaceAll('{python}', () => shellWord(learner.python));
}

/** Why a launch cannot work on any machine; null when it may. */
export function refusalOf(launch: ServerLaunch): Refusal | null {
  const { commandLine, port, gpuIds, gpus, replicas, name } = launch;
  const refuse = (message: string): Refusal => ({ code: 'bad-input', message });
  if (commandLine !== null && !commandLine.includes(PORT_WORD) && (port === null || replicas > 1)) {
    return refuse(
      `The edited command of "${name}" does not use its port: write {port} where the port belongs${replicas > 1 ? '' : ', or set the port in the launch'}.`,
    );
  }
  const [extraProblem] = commandLine === null ? extraProblems(launch.extraArguments) : [];
  if (extraProblem !== undefined) return refuse(extraProblem);
  if (gpuIds !== null && gpuIds.length !== gpus * replicas) {
    const required = replicas === 1 ? `${gpus}` : `${replicas} x ${gpus}`;
    return refuse(`"${name}" takes ${required} GPUs, but ${gpuIds.length} are chosen.`);
  }
  return null;
}

/** GPUs of one of the replicas, from 0; null: the workbench chooses. */
export function gpuIdsOf({ gpuIds, gpus }: ServerLaunch, replica: number): readonly string[] | null {
  return gpuIds === null ? null : gpuIds.slice(replica * gpus, (replica + 1) * gpus);
}

/** The port of a replica where the launch sets one: the following ones are one higher each. */
export function namedPort({ port, name }: ServerLaunch, replica: number): Result<number | null, Refusal> {
  if (port === null) return ok(null);
  if (port + replica <= 65_535) return ok(port + replica);
  return failed({
    code: 'bad-input',
    message: `There is no port ${port + replica} for replica ${replica + 1} of "${name}".`,
  });
}

/** The display name of a server of a launch. */
export function replicaName({ name, replicas }: ServerLaunch, replica: number): string {
  return replicas === 1 ? name : `${name} (${replica + 1} of ${replicas})`;
}
