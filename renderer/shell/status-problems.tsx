import { Menu } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import {
  pathOf,
  readyValue,
  useInfo,
  useMachines,
  useReproductions,
  useServers,
  useServiceConnected,
  useServiceInfo,
  useStudies,
  useWorkbench,
  waitingStudies,
} from '../state/index';
import { unreachableText } from '../text/machines';
import { studyStatus } from '../text/studies';
import { count, plural } from '../widgets/index';
import styles from './shell.module.css';

/** Something wrong that must be seen from everywhere. */
type StatusProblem = {
  readonly key: string;
  /** A user's name before the text, which may be long; the text is never cut. */
  readonly name?: string;
  readonly text: string;
  /** More than its words, shown as a tooltip. */
  readonly title?: string;
  /** The place that it leads to, or what a press does. */
  readonly press: string | (() => void);
};

/** More stand in the menu at the end, and with little room all but the first. */
const MOST = 3;

/** What is wrong: as many problems as there is room for, each whole; the rest as a number whose menu names them. */
export function StatusProblems() {
  const problems = useStatusProblems();
  const shown = problems.slice(0, MOST);
  return (
    <>
      {shown.map((problem, at) => (
        <ProblemItem key={problem.key} problem={problem} isFirst={at === 0} />
      ))}
      <MoreProblems problems={problems.slice(MOST)} className={styles.wide} />
      <MoreProblems problems={problems.slice(1)} className={styles.narrow} />
    </>
  );
}

function ProblemItem({ problem, isFirst }: { readonly problem: StatusProblem; readonly isFirst: boolean }) {
  const { name, text, title, press } = problem;
  const className = `${styles.item} ${styles.problem} ${isFirst ? '' : styles.wide}`;
  const content = (
    <>
      <IconAlertTriangle size={13} aria-hidden="true" />
      {name !== undefined && <span className={styles.problemName}>{name}</span>} <span>{text}</span>
    </>
  );
  const tooltip = title ?? fullText(problem);
  return typeof press === 'string' ? (
    <a data-problem="" className={className} href={`#${press}`} title={tooltip}>
      {content}
    </a>
  ) : (
    <button type="button" data-problem="" className={className} title={tooltip} onClick={press}>
      {content}
    </button>
  );
}

/** `className`: the width of window at which it is shown. */
function MoreProblems(props: {
  readonly problems: readonly StatusProblem[];
  readonly className: string | undefined;
}) {
  const { location } = useWorkbench();
  const { problems, className } = props;
  if (problems.length === 0) return null;
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <button
          type="button"
          data-problem=""
          className={`${styles.item} ${styles.problem} ${className}`}
          title={problems.map(fullText).join('\n')}
        >
          {count(problems.length)} more
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {problems.map((problem) => {
          const { key, press } = problem;
          return (
            <Menu.Item
              key={key}
              onClick={() => (typeof press === 'string' ? location.goToPath(press) : press())}
            >
              {fullText(problem)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function fullText({ name, text }: StatusProblem): string {
  return name === undefined ? text : `${name} ${text}`;
}

/** What keeps the window from working first, then what waits for a person. */
function useStatusProblems(): readonly StatusProblem[] {
  return [...useConnectionProblem(), ...useMachineProblems(), ...useWorkProblems(), ...useGradingProblems()];
}

function useConnectionProblem(): readonly StatusProblem[] {
  const info = readyValue(useServiceInfo());
  if (useServiceConnected()) return [];
  const to =
    info !== null && info.through !== null ? `the service on ${info.through}` : 'the background service';
  return [{ key: 'connection', text: `Connection to ${to} cut`, press: pathOf({ kind: 'settings' }) }];
}

/** Machines that ask for something or do not answer. */
function useMachineProblems(): readonly StatusProblem[] {
  const machines = readyValue(useMachines()) ?? [];
  const { machineActions } = useWorkbench();
  const away = machines.filter(
    ({ connection }) => connection.kind === 'unreachable' && connection.refusal === undefined,
  );
  const [firstAway] = away;
  return [
    ...machines.flatMap(({ spec, connection }) =>
      connection.kind === 'needs-login'
        ? [
            {
              key: `login ${spec.id}`,
              name: spec.name,
              text: connection.hostKey === undefined ? 'asks for a login' : 'has an unknown host key',
              press: () => machineActions.showLogin(spec.id),
            },
          ]
        : [],
    ),
    ...machines.flatMap(({ spec, connection }) =>
      connection.kind === 'unreachable' && connection.refusal !== undefined
        ? [
            {
              key: `refused ${spec.id}`,
              name: `${spec.name}:`,
              text: unreachableText(connection).toLowerCase(),
              press: pathOf({ kind: 'machine', machineId: spec.id }),
            },
          ]
        : [],
    ),
    ...(firstAway === undefined
      ? []
      : away.length === 1
        ? [
            {
              key: 'away',
              name: firstAway.spec.name,
              text: 'is unreachable',
              press: pathOf({ kind: 'machine', machineId: firstAway.spec.id }),
            },
          ]
        : [
            {
              key: 'away',
              text: `${away.length} machines are unreachable`,
              press: pathOf({ kind: 'machines' }),
            },
          ]),
  ];
}

function useWorkProblems(): readonly StatusProblem[] {
  // One of a study is started again with it: what failed in an earlier opening of the workbench is no problem now.
  const failedServers = (readyValue(useServers()) ?? []).filter(
    ({ state, studyId, isAdopted = false }) => state.kind === 'failed' && !(isAdopted && studyId !== null),
  ).length;
  const waiting = waitingStudies(readyValue(useStudies()) ?? [], readyValue(useReproductions()) ?? []);
  const [first] = waiting;
  return [
    ...(failedServers === 0
      ? []
      : [
          {
            key: 'servers',
            text: `${plural(failedServers, 'server')} failed`,
            press: pathOf({ kind: 'servers', serverId: null }),
          },
        ]),
    ...(first === undefined
      ? []
      : waiting.length === 1
        ? [
            {
              key: 'studies',
              name: `${first.study.name}:`,
              text: studyStatus(first).text.toLowerCase(),
              press: pathOf({ kind: 'study', studyId: first.study.id }),
            },
          ]
        : [
            {
              key: 'studies',
              text: `${plural(waiting.length, 'study', 'studies')} need attention`,
              press: pathOf({ kind: 'studies' }),
            },
          ]),
  ];
}

function useGradingProblems(): readonly StatusProblem[] {
  const info = readyValue(useInfo());
  const settings = pathOf({ kind: 'settings' });
  const sandbox = info?.sandboxProblem ?? null;
  const grader = info?.grader?.problem ?? null;
  return [
    ...(sandbox === null
      ? []
      : [
          {
            key: 'sandbox',
            text: `${info?.pythonIsAtFault ? 'No usable Python' : 'No sandbox'}: programs cannot be graded`,
            title: sandbox,
            press: settings,
          },
        ]),
    ...(grader === null
      ? []
      : [
          {
            key: 'grader',
            text: 'Grader unhealthy: verdicts are not reliable',
            title: grader,
            press: settings,
          },
        ]),
  ];
}
