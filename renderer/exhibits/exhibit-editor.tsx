import { Button } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import type { ExhibitProblem } from '../../preload/contract/exhibit';
import type { Refusal } from '../../preload/contract/refusal';
import {
  type DraftKey,
  readyValue,
  useExhibitProblems,
  useExhibitText,
  useFormDraft,
  useWorkbench,
} from '../state/index';
import {
  FailedState,
  FormColumns,
  FormRefusal,
  LoadingState,
  plural,
  Screen,
  SubmitByKey,
  usePress,
} from '../widgets/index';
import { AtHandChoices } from './at-hand-choices';
import styles from './editor.module.css';
import { ExhibitField, type LineProblem } from './exhibit-field';
import { lineOf, offsetOfProblem, withOwnId } from './exhibit-text';
import { useNamesAtHand } from './names-at-hand';

/** What was typed and is not saved, by what is edited: another screen in between does not lose it. */
const TYPED: DraftKey<ReadonlyMap<string, string>> = { name: 'exhibit-texts', empty: new Map() };

/** Edits one of the lab's own exhibits, or creates one from a template or another exhibit. */
export function ExhibitEditor(props: {
  /** Id of the exhibit to start from; "template" is an example with every field. */
  readonly source: string;
  /** Edits that file itself instead of a copy. */
  readonly isOwn: boolean;
}) {
  const loaded = useExhibitText(props.source);
  const { exhibits } = useWorkbench();
  if (loaded.kind === 'loading') return <LoadingState text="Loading the exhibit's file" />;
  if (loaded.kind === 'failed') {
    return (
      <Screen title="Exhibit">
        <FailedState
          title="The exhibit's file could not be read"
          message={loaded.error.message}
          hint={loaded.error.hint}
          action={{ label: 'Try again', run: () => exhibits.texts.refresh(props.source) }}
        />
      </Screen>
    );
  }
  const text = props.isOwn ? loaded.value.text : withOwnId(loaded.value.text);
  return <Editor key={props.source} {...props} first={text} />;
}

function Editor(props: { readonly source: string; readonly isOwn: boolean; readonly first: string }) {
  const { source, isOwn, first } = props;
  const { exhibits, location } = useWorkbench();
  const [typed, setTyped] = useFormDraft(TYPED);
  const edited = isOwn ? `edit ${source}` : `new from ${source}`;
  const text = typed.get(edited) ?? first;
  const setText = (next: string): void => setTyped(new Map(typed).set(edited, next));
  const forget = (): void => setTyped(new Map([...typed].filter(([key]) => key !== edited)));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const checked = useExhibitProblems(text);
  const problems = checked === null ? null : (readyValue(checked)?.problems ?? null);
  const placed = useMemo(
    () =>
      (problems ?? []).map((problem) => ({
        problem,
        line: lineOf(text, offsetOfProblem(text, problem)),
      })),
    [problems, text],
  );
  const names = useNamesAtHand();
  const { busy, press } = usePress(async () => {
    const refused = await exhibits.save(text);
    setRefusal(refused);
    if (refused === null) forget();
  });
  const goTo = (problem: ExhibitProblem): void => {
    const field = area.current;
    if (field === null) return;
    const offset = offsetOfProblem(text, problem);
    const line = lineOf(text, offset);
    field.focus();
    field.setSelectionRange(offset, offset);
    // A text area does not scroll to its caret by itself; lines do not wrap.
    field.scrollTop = Math.max(0, (line - 6) * (field.scrollHeight / Math.max(1, text.split('\n').length)));
  };
  return (
    <SubmitByKey busy={busy} onSubmit={press}>
      <Screen
        fill
        title={isOwn ? 'Edit exhibit' : 'New exhibit'}
        aside={
          <span>
            {`${source === 'template' ? 'from the template' : isOwn ? source : `a copy of ${source}`}${text === first ? '' : ', changed and not saved yet'}`}
          </span>
        }
        actions={
          <>
            {text !== first && (
              <Button variant="default" onClick={forget}>
                Discard changes
              </Button>
            )}
            <Button
              variant="default"
              onClick={() =>
                location.go(
                  source === 'template'
                    ? { kind: 'exhibits' }
                    : { kind: 'exhibit', exhibitId: source, scale: 'pocket' },
                )
              }
            >
              Back
            </Button>
            <Button
              loading={busy}
              disabled={problems === null || problems.length > 0}
              title="Ctrl+Enter"
              onClick={press}
            >
              Save exhibit
            </Button>
          </>
        }
      >
        <FormColumns
          summary={
            <>
              {refusal !== null && (
                <FormRefusal
                  title="The exhibit was not saved"
                  message={refusal.message}
                  hint={refusal.hint}
                />
              )}
              <Checks placed={problems === null ? null : placed} onGo={goTo} />
              <AtHandChoices text={text} names={names} onChange={setText} />
              <Guide />
            </>
          }
        >
          <ExhibitField
            area={area}
            text={text}
            problems={firstInLine(placed)}
            names={names}
            onChange={setText}
          />
        </FormColumns>
      </Screen>
    </SubmitByKey>
  );
}

/** One problem a line: several would lie over each other, and the list has them all. */
function firstInLine(placed: readonly Placed[]): LineProblem[] {
  const first = new Map<number, LineProblem>();
  for (const { line, problem } of placed) {
    if (!first.has(line)) first.set(line, { line, message: problem.message });
  }
  return [...first.values()];
}

type Placed = { readonly problem: ExhibitProblem; readonly line: number };

function Checks(props: {
  /** null: they are looked for. */
  readonly placed: readonly Placed[] | null;
  readonly onGo: (problem: ExhibitProblem) => void;
}) {
  const { placed, onGo } = props;
  if (placed === null) return <LoadingState text="Checking" />;
  if (placed.length === 0) return <p className={styles.good}>No problems. Ready to save.</p>;
  return (
    <section className={styles.checks} aria-label="Problems">
      <h2>{plural(placed.length, 'problem')} to fix</h2>
      <ul>
        {placed.map(({ problem, line }) => (
          <li key={`${problem.path} ${problem.message}`}>
            <button type="button" onClick={() => onGo(problem)}>
              <code>{problem.path === '' ? 'the whole file' : problem.path}</code>
              <small>line {line}</small>
            </button>
            <span>{problem.message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const GUIDE: readonly (readonly [string, string])[] = [
  ['models', "the paper's models, and the pocket family used in place of each"],
  ['configurations', 'how models are trained and searched; cells and lines refer to them'],
  ['rows, columns, cells', "the table: each cell gives its configuration, its measure and the paper's value"],
  ['series', 'lines of a figure: over nodes per tree, or during training'],
  ['study', 'in a configuration: a finished study at hand fills its cells, by its id and its configuration'],
  ['training', 'in a line during training: finished trainings at hand, one a seed, by their ids'],
  ['reference', 'a value and its source; if two sources differ, give two references'],
  ['scales', 'how it is measured at paper and at pocket scale: problems, N, seeds'],
];

function Guide() {
  return (
    <section className={styles.guide} aria-label="Fields of the file">
      <h2>Fields of the file</h2>
      <dl>
        {GUIDE.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
