import { Button, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconFilter } from '@tabler/icons-react';
import type { KeyboardEvent, Ref } from 'react';
import classes from './log-pane.module.css';
import { LogTool } from './log-tool';
import { matchText } from './match-steps';
import type { LogFind } from './use-log-find';

/** To find a text among the loaded lines; `search`: in the whole file on its machine, null where that is not possible. */
export function LogFindTools(props: {
  readonly ref: Ref<HTMLInputElement>;
  readonly find: LogFind;
  readonly search: (() => void) | null;
  /** The whole file is loaded: there is no match elsewhere. */
  readonly holdsAll: boolean;
  readonly onLeave: () => void;
}) {
  const { find, search, holdsAll, onLeave } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) search?.();
    else if (event.key === 'Enter') {
      const direction = event.shiftKey ? -1 : 1;
      if (search !== null && !holdsAll && !find.hasMatch(direction)) search();
      else find.step(direction);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      find.setTerm('');
      onLeave();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <span className={classes.count} role="status">
        {find.term === '' ? '' : matchText(find.matchLines, find.at)}
      </span>
      <TextInput
        ref={props.ref}
        size="xs"
        className={classes.find}
        placeholder="Find (Ctrl+F)"
        aria-label="Find in log"
        autoComplete="off"
        spellCheck={false}
        value={find.term}
        onChange={(event) => find.setTerm(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <LogTool icon={IconChevronUp} label="Previous match" onPress={() => find.step(-1)} />
      <LogTool icon={IconChevronDown} label="Next match" onPress={() => find.step(1)} />
      <LogTool
        icon={IconFilter}
        label="Show only lines that match"
        on={find.filters}
        onPress={() => find.setFilters(!find.filters)}
      />
      {search !== null && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={find.term === ''}
          title="Search the whole file on the machine (Ctrl+Enter, or Enter behind the last match in view)"
          onClick={search}
        >
          Search whole log
        </Button>
      )}
    </>
  );
}
