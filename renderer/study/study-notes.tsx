import { Button, Group, TagsInput, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { knownTags, readyValue, type StudyCheck, useStudies, useWorkbench } from '../state/index';
import { MAX_NOTE_LENGTH } from '../text/studies';
import { Dialog, usePress } from '../widgets/index';
import styles from './study-notes.module.css';
import { useStudyCheck } from './use-study-check';

/** Limits of the contract. */
const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 30;

/** The study's note and tags, with a button to edit them. */
export function StudyNotes(props: { readonly view: StudyView; readonly check: StudyCheck | null }) {
  const { view } = props;
  const { note = '', tags = [], fromBundle } = view;
  const setCheck = useStudyCheck(view.study.id);
  const isEmpty = note === '' && tags.length === 0;
  return (
    <div className={styles.notes}>
      {tags.map((tag) => (
        <i key={tag}>{tag}</i>
      ))}
      {note !== '' && <span data-selectable>{note}</span>}
      {fromBundle === undefined ? (
        <button type="button" onClick={() => setCheck('note')}>
          <IconPencil size={12} aria-hidden="true" />
          {isEmpty ? 'Add a note or tags' : 'Edit'}
        </button>
      ) : (
        <span>From the bundle {fromBundle}, read-only.</span>
      )}
      {props.check === 'note' && fromBundle === undefined && (
        <NotesDialog view={view} onClose={() => setCheck(null)} />
      )}
    </div>
  );
}

function NotesDialog(props: { readonly view: StudyView; readonly onClose: () => void }) {
  const { view, onClose } = props;
  const { studyCommands } = useWorkbench();
  const allTags = knownTags(readyValue(useStudies()) ?? []);
  const [note, setNote] = useState(view.note ?? '');
  const [tags, setTags] = useState<readonly string[]>(view.tags ?? []);
  const { busy, press } = usePress(async () => {
    if (await studyCommands.annotate(view.study.id, { note: note.trim(), tags })) onClose();
  });
  return (
    <Dialog opened onClose={onClose} title={`Note and tags of ${view.study.name}`} size="md">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          press();
        }}
      >
        <Textarea
          label="Note"
          data-autofocus
          autosize
          minRows={3}
          maxRows={12}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) press();
          }}
        />
        <TagsInput
          label="Tags"
          description="A space, a comma or Enter ends a tag: write my-tag, not my tag"
          placeholder={tags.length === 0 ? 'ablation, paper, broken' : ''}
          maxTags={MAX_TAGS}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          splitChars={[',', ' ']}
          data={[...allTags]}
          value={[...tags]}
          onChange={(next) => setTags(next.map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH)).filter(Boolean))}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
