import { Group, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Exhibit } from '../../preload/contract/exhibit';
import type { ExhibitFill, FilledExhibit } from '../../preload/contract/exhibit-fill';
import { atHandText, untrainedOf } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import { ExportButton, useExport } from '../shared/reports/index';
import { readyValue, useFilledExhibit, useStudies } from '../state/index';
import { filledStatus } from '../text/exhibits';
import {
  ConclusionList,
  Dialog,
  EmptyState,
  ErrorNote,
  Fact,
  Facts,
  LoadingState,
  Section,
  Select,
  StateMark,
} from '../widgets/index';
import styles from './exhibit.module.css';
import { ExhibitFigure } from './exhibit-figure';
import { CommonReasons, ExhibitTable } from './exhibit-table';
import { commonReasons, rowName, tableLayout } from './table-layout';

/** By the id of a configuration of the exhibit, the study's configuration that answers for it. */
type Choices = Readonly<Record<string, string>>;

/** Fills rows of untrained models with a finished study of small language models; shows and exports them, saves nothing. */
export function FillDialog({
  exhibit,
  onClose,
}: {
  readonly exhibit: Exhibit;
  readonly onClose: () => void;
}) {
  const studies = (readyValue(useStudies()) ?? []).filter(canFill);
  const [studyId, setStudyId] = useState(studies[0]?.study.id ?? null);
  const [choices, setChoices] = useState<Choices>({});
  const study = studies.find((view) => view.study.id === studyId)?.study ?? null;
  const configurations = [...new Set(study?.runs.map(({ configuration }) => configuration) ?? [])];
  const filled = Object.entries(choices).map(([configurationId, configuration]) => ({
    configurationId,
    configuration,
  }));
  const fill: ExhibitFill | null =
    studyId === null || filled.length === 0 ? null : { exhibitId: exhibit.id, studyId, filled };
  const answer = useFilledExhibit(fill);
  const choose = (configurationId: string, configuration: string | null): void => {
    const { [configurationId]: _, ...others } = choices;
    setChoices(configuration === null ? others : { ...others, [configurationId]: configuration });
  };
  return (
    <Dialog opened onClose={onClose} title="Fill rows with small language models" size="xl">
      {studies.length === 0 ? (
        <EmptyState
          title="There is no finished study of small language models"
          action={<a href="#/servers">Servers</a>}
        >
          On the screen Servers, install llama.cpp with a small model or start a server of your own. Then run
          a study with it.
        </EmptyState>
      ) : (
        <Stack gap="sm">
          <p className={styles.explained}>
            A study of small language models can stand in rows of untrained models. The table says which model
            stands for which.
          </p>
          <Select
            label="Study"
            allowDeselect={false}
            searchable
            value={studyId}
            data={studies.map((view) => ({ value: view.study.id, label: view.study.name }))}
            onChange={(id) => {
              setStudyId(id);
              setChoices({});
            }}
          />
          {untrainedOf(exhibit).map(({ id, label }) => (
            <Select
              key={id}
              label={label}
              clearable
              placeholder="Not filled"
              value={choices[id] ?? null}
              data={configurations}
              onChange={(configuration) => choose(id, configuration)}
            />
          ))}
          {answer?.kind === 'failed' && (
            <ErrorNote message={answer.error.message} hint={answer.error.hint ?? undefined} />
          )}
          {fill !== null && answer?.kind === 'ready' && <FilledRows fill={fill} filled={answer.value} />}
        </Stack>
      )}
    </Dialog>
  );
}

/** The rows and lines of an exhibit of the lab's own that studies and trainings at hand fill, as its file names them. */
export function AtHandRows({ fill }: { readonly fill: ExhibitFill }) {
  const answer = useFilledExhibit(fill);
  return (
    <Section
      title="Runs at hand"
      aside={answer?.kind === 'ready' && <StateMark {...filledStatus(answer.value.result)} />}
    >
      {answer?.kind === 'failed' && (
        <ErrorNote message={answer.error.message} hint={answer.error.hint ?? undefined} />
      )}
      {answer?.kind === 'loading' && <LoadingState text="Filling the exhibit" />}
      {answer?.kind === 'ready' && <FilledRows fill={fill} filled={answer.value} />}
    </Section>
  );
}

function canFill({ study, state }: StudyView): boolean {
  return state.kind === 'finished' && study.scale === 'desk';
}

/** For each row and line of runs and trainings at hand: scale, problems, seeds, what answered and what learned. */
function AtHandFacts({ filled: { exhibit, result } }: { readonly filled: FilledExhibit }) {
  const facts = exhibit.rows.flatMap((row) => {
    const runs = result.cells.flatMap((cell) => (cell.row === row.id ? (cell.atHand ?? []) : []));
    return [...new Set(runs.map(atHandText))].map((text, at) => ({
      id: `${row.id} ${at}`,
      name: at === 0 ? rowName(row) : '',
      text,
    }));
  });
  const lines = exhibit.series.flatMap(({ id, label }) => {
    const atHand = result.series.find((line) => line.id === id)?.atHand;
    return atHand === undefined ? [] : [{ id: `line ${id}`, name: label, text: atHandText(atHand) }];
  });
  return facts.length + lines.length === 0 ? null : (
    <Facts label="What each row and line was measured on">
      {[...facts, ...lines].map(({ id, name, text }) => (
        <Fact key={id} name={name}>
          {text}
        </Fact>
      ))}
    </Facts>
  );
}

function FilledRows(props: { readonly fill: ExhibitFill; readonly filled: FilledExhibit }) {
  const { fill, filled } = props;
  const { exhibit, result } = filled;
  const [chosen, setChosen] = useState<string | null>(null);
  const layout = useMemo(() => tableLayout(exhibit, result.scale, result), [exhibit, result]);
  const common = useMemo(() => commonReasons(result), [result]);
  const missing = result.cautions?.find(({ kind }) => kind === 'missing');
  // The note above the table says it.
  const isNew = (sentence: string | undefined): boolean => sentence !== missing?.text;
  const exporting = useExport({ kind: 'filled-exhibit', fill });
  return (
    // In the dialog the table lies on another ground than on a page.
    <div className={result.scale === 'own' ? undefined : styles.filled}>
      {missing !== undefined && (
        <div className={styles.lacks}>
          <ErrorNote message={missing.text} />
        </div>
      )}
      <CommonReasons reasons={common} />
      {exhibit.cells.length > 0 && (
        <ExhibitTable
          label={exhibit.title}
          layout={layout}
          common={common}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      {result.scale === 'own' && (
        <ExhibitFigure exhibit={exhibit} result={result} chosen={chosen} onChoose={setChosen} />
      )}
      <AtHandFacts filled={filled} />
      <ConclusionList
        label="What can be said"
        sentences={result.sentences.filter(isNew)}
        chips={result.chips?.filter((_, at) => isNew(result.sentences[at]))}
      />
      <Group justify="flex-end" mt="sm">
        <ExportButton exporting={exporting} hasBundle={false} />
      </Group>
    </div>
  );
}
