import { Button, Checkbox, Drawer, Switch, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useState } from 'react';
import type { ComparedRuns } from '../../preload/contract/run-comparison';
import type { StudyView } from '../../preload/contract/study';
import { ScaleTag } from '../shared/studies/index';
import { filterStudies, knownTags, scalesOf } from '../state/index';
import { configurationColor } from '../theme/index';
import { clockTime, plural, Select, useReturnedFocus } from '../widgets/index';
import { type ChoiceRow, choiceRows, isPooled, MAX_RUNS, pooled, studyFacts, toggled } from './choice-rows';
import styles from './run-chooser.module.css';

const HEIGHTS: Readonly<Record<ChoiceRow['kind'], number>> = { study: 46, configuration: 28, run: 26 };

/** Selects runs to compare: whole studies, configurations with all seeds, or single runs. */
export function RunChooser(props: {
  readonly views: readonly StudyView[];
  readonly chosen: ComparedRuns;
  readonly onChoose: (runs: ComparedRuns) => void;
  readonly onClose: () => void;
}) {
  const { views, onClose } = props;
  useReturnedFocus();
  const [draft, setDraft] = useState(props.chosen);
  const studies = useMemo(() => {
    const ids = new Set(draft.map(({ runId }) => runId));
    return views.filter(({ study }) => study.runs.some(({ id }) => ids.has(id))).length;
  }, [views, draft]);
  const [pool, setPool] = useState(() => isPooled(props.chosen, views));
  const tooMany = draft.length > MAX_RUNS;
  // Keeps labels, except those added by pooling.
  const chosenRuns = (): ComparedRuns => {
    if (pool) return pooled(draft, views);
    return isPooled(props.chosen, views) ? draft.map(({ runId }) => ({ runId })) : draft;
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title="Choose runs to compare"
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.3 }}
      classNames={{ body: styles.body, content: styles.content, title: styles.title }}
    >
      <RunList views={views} draft={draft} onDraft={setDraft} />
      {studies > 1 && (
        <Switch
          size="xs"
          className={styles.pool}
          checked={pool}
          label="Merge configurations of the same name across studies"
          onChange={(event) => setPool(event.currentTarget.checked)}
        />
      )}
      <div className={styles.foot}>
        <span className={styles.status} data-bad={tooMany || undefined} role="status">
          {draft.length === 0
            ? 'No runs selected'
            : `${plural(draft.length, 'run')} of ${plural(studies, 'study', 'studies')}`}
          {tooMany && `; select at most ${MAX_RUNS}`}
        </span>
        <Button variant="default" disabled={draft.length === 0} onClick={() => setDraft([])}>
          Clear
        </Button>
        <Button disabled={draft.length === 0 || tooMany} onClick={() => props.onChoose(chosenRuns())}>
          Compare
        </Button>
      </div>
    </Drawer>
  );
}

function RunList(props: {
  readonly views: readonly StudyView[];
  readonly draft: ComparedRuns;
  readonly onDraft: (draft: ComparedRuns) => void;
}) {
  const { views, draft, onDraft } = props;
  const [text, setText] = useState('');
  const [tag, setTag] = useState('');
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const chosen = useMemo(() => new Set(draft.map(({ runId }) => runId)), [draft]);
  // Opens studies that are partly selected, so that the selection is visible.
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        views.flatMap(({ study }) => {
          const some = study.runs.filter(({ id }) => chosen.has(id)).length;
          return some > 0 && (some < study.runs.length || views.length === 1) ? [`study ${study.id}`] : [];
        }),
      ),
  );
  const tags = useMemo(() => knownTags(views), [views]);
  const filtered = useMemo(
    () => filterStudies(views, { group: 'all', scale: '', tag, text }),
    [views, tag, text],
  );
  const rows = useMemo(() => choiceRows(filtered, chosen, opened), [filtered, chosen, opened]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: (at) => HEIGHTS[rows[at]?.kind ?? 'run'],
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: 4,
  });
  const open = (id: string): void => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  return (
    <>
      <div className={styles.filters}>
        <TextInput
          aria-label="Filter by words"
          placeholder="Study, configuration, agent, benchmark, note"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          leftSection={<IconSearch size={13} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {tags.length > 0 && (
          <Select
            aria-label="Tag"
            w={140}
            allowDeselect={false}
            value={tag}
            data={[{ value: '', label: 'Any tag' }, ...tags.map((value) => ({ value, label: value }))]}
            onChange={(value) => setTag(value ?? '')}
          />
        )}
      </div>
      <div ref={setBox} className={styles.list}>
        {rows.length === 0 && <p>No studies match.</p>}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={row.id}
                className={styles.row}
                data-kind={row.kind}
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <Line
                  row={row}
                  onToggle={() => onDraft(toggled(draft, row.runIds))}
                  onOpen={() => open(row.id)}
                />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function Line(props: {
  readonly row: ChoiceRow;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}) {
  const { row, onToggle, onOpen } = props;
  const { kind, view, label, runIds, chosen, open, hue } = row;
  const isAll = chosen === runIds.length;
  return (
    <>
      {open === null ? (
        <span className={styles.noToggle} />
      ) : (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Open'} ${label}`}
          onClick={onOpen}
        >
          <IconChevronRight size={13} aria-hidden="true" data-open={open || undefined} />
        </button>
      )}
      <Checkbox
        size="xs"
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        onChange={onToggle}
        label={
          <span className={styles.label}>
            {hue !== null && kind === 'configuration' && (
              <i style={{ background: configurationColor(hue) }} />
            )}
            <span title={label}>{label}</span>
            {kind === 'study' && (
              <small>{[...studyFacts(view.study), clockTime(view.study.createdAt)].join(' · ')}</small>
            )}
          </span>
        }
        classNames={{ body: styles.check, labelWrapper: styles.checkLabel }}
      />
      <span className={styles.aside}>
        {kind === 'study' ? (
          <ScaleTag scale={scalesOf(view.study)} />
        ) : runIds.length > 1 ? (
          `${runIds.length} seeds`
        ) : (
          ''
        )}
      </span>
    </>
  );
}
