import { useHotkeys } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Analysis } from '../../preload/contract/analysis';
import type { Study, StudyView } from '../../preload/contract/study';
import { ScaleTag } from '../shared/studies/index';
import {
  curveInputOf,
  pathOf,
  readyValue,
  runRoute,
  type StudyCheck,
  scalesOf,
  useAnalysis,
  useCurveMenu,
  useCurves,
  useHues,
  useOutcomes,
  useStudy,
  useWorkbench,
} from '../state/index';
import { actionsOf, studyStatus } from '../text/studies';
import { configurationColor } from '../theme/index';
import { CurvePanel, CurveSwitches } from '../widgets/curve-panel';
import { ConclusionList, DetailScreen, Screen, Section, StateMark } from '../widgets/index';
import { ComparisonTable } from './comparison';
import { Outcomes } from './outcomes';
import styles from './study.module.css';
import {
  ExtensionLines,
  GradingLine,
  QueueLine,
  SearchLine,
  StudyButtons,
  StudyProgress,
} from './study-header';
import { StudyNotes } from './study-notes';
import { StudyProblems } from './study-problems';

export function StudyScreen(props: { readonly studyId: string; readonly check: StudyCheck | null }) {
  const study = useStudy(props.studyId);
  const { studies } = useWorkbench();
  return (
    <DetailScreen
      noun="study"
      loadable={study}
      reload={() => void studies.load()}
      list={{ label: 'All studies', href: '#/studies' }}
      missingHint="It may have been removed."
    >
      {(view) => <LiveStudy view={view} check={props.check} />}
    </DetailScreen>
  );
}

function LiveStudy(props: { readonly view: StudyView; readonly check: StudyCheck | null }) {
  const { view } = props;
  const { study, state } = view;
  const { location, studyCommands } = useWorkbench();
  const analysis = useAnalysis(study.id);
  const outcomes = useOutcomes(study.id);
  const can = actionsOf(state);
  useHotkeys([
    [
      'p',
      () => {
        if (can.includes('pause') || can.includes('dequeue')) void studyCommands.pause(study.id);
        else if (can.includes('resume') || can.includes('start')) void studyCommands.start(study.id);
      },
    ],
  ]);
  const openConfiguration = (configuration: string): void => {
    const run = study.runs.find((run) => run.configuration === configuration);
    if (run !== undefined) location.go(runRoute(study.id, run.id, run.problemIds[0] ?? null));
  };
  return (
    <Screen
      title={study.name}
      aside={
        <>
          <ScaleTag scale={scalesOf(study)} />
          <StateMark {...studyStatus(view)} />
        </>
      }
      actions={<StudyButtons view={view} check={props.check} />}
      below={
        <>
          <QueueLine state={state} />
          <SearchLine view={view} />
          <ExtensionLines extensions={study.extensions} />
          <GradingLine study={study} />
          <StudyNotes view={view} check={props.check} />
          <StudyProgress view={view} />
          <StudyProblems view={view} outcomes={readyValue(outcomes)} />
        </>
      }
    >
      {/* Nothing of a missing study can be read; the message above says where it should be. */}
      <div className={styles.parts} hidden={state.kind === 'missing'}>
        <Outcomes study={study} outcomes={outcomes} />
        <Section
          title="Comparison"
          aside={
            <a className={styles.more} href={`#${pathOf({ kind: 'compare', studyId: study.id })}`}>
              Differences, problems solved, agents, cost
            </a>
          }
        >
          <ComparisonTable
            study={study}
            analysis={analysis}
            outcomes={readyValue(outcomes)}
            onOpen={openConfiguration}
          />
        </Section>
        <div hidden={analysis.kind === 'failed'}>
          <Section
            title="What can be said"
            aside={
              <a
                className={styles.more}
                href={`#${pathOf({ kind: 'compare', studyId: study.id, view: 'pairs' })}`}
              >
                Every pair in every metric
              </a>
            }
          >
            {analysis.kind === 'ready' && (
              <ConclusionList
                label="What can be said"
                sentences={analysis.value.sentences}
                chips={analysis.value.chips}
                empty="No problems graded yet."
              />
            )}
          </Section>
        </div>
        <div className={styles.curves} hidden={analysis.kind === 'failed'}>
          <StudyCurves study={study} analysis={readyValue(analysis)} />
        </div>
      </div>
    </Screen>
  );
}

/** The study's curves, with switches for the measure and the x axis. */
export function StudyCurves(props: { readonly study: Study; readonly analysis: Analysis | null }) {
  const curved = useMemo(() => curveInputOf(props.study), [props.study]);
  const hues = useHues(curved.configurations);
  const curves = useCurves({ ...curved, hues }, props.analysis, configurationColor);
  const menu = useCurveMenu(curves, { kind: 'study', studyId: props.study.id });
  return (
    <Section title="Curves" fill aside={<CurveSwitches measure={curves.measure} axis={curves.axis} />}>
      <CurvePanel {...curves} menu={menu} />
    </Section>
  );
}
