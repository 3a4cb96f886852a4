/** Lines of the session's history that are shown again after a cut. */
const SHOWN_HISTORY_LINES = 5_000;

/** Queried in this order; tmux leaves a field empty that its version does not know. */
const FIELDS = [
  'pane_id',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'scroll_region_upper',
  'scroll_region_lower',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'wrap_flag',
  'mouse_standard_flag',
  'mouse_button_flag',
  'mouse_all_flag',
  'mouse_sgr_flag',
  'bracket_paste_flag',
] as const;
type Field = (typeof FIELDS)[number];

/**
 * One line of commands; its four answers (see `screenText`) describe the screen of a session. tmux runs them without a
 * break, so the answers contain all output before them and none after them.
 */
export function screenCommands(session: string): string {
  const target = `-t "=${session}:"`;
  const fields = FIELDS.map((field) => `${field}=#{${field}}`).join(' ');
  return `${[
    `display-message -p ${target} "${fields}"`,
    `capture-pane -p -e -J ${target} -S -${SHOWN_HISTORY_LINES} -E -1`,
    `capture-pane -p -e -N -a -q ${target}`,
    `capture-pane -p -e -N ${target}`,
  ].join(' ; ')}\n`;
}

/** Number of answers to `screenCommands`. */
export const SCREEN_ANSWERS = 4;

export type ScreenFacts = Readonly<Record<Field, number>> & { readonly pane: string };

/** Null if it is not an answer to the first of `screenCommands`. */
export function parseScreenFacts(line: string): ScreenFacts | null {
  const values = new Map(line.split(' ').map((part) => splitAt(part)));
  const pane = values.get('pane_id') ?? '';
  if (!/^%\d+$/.test(pane)) return null;
  const number = (field: Field): number => Number(values.get(field)?.replace('%', '') ?? 0) || 0;
  return {
    pane,
    pane_id: number('pane_id'),
    pane_height: number('pane_height'),
    cursor_x: number('cursor_x'),
    cursor_y: number('cursor_y'),
    alternate_on: number('alternate_on'),
    alternate_saved_x: number('alternate_saved_x'),
    alternate_saved_y: number('alternate_saved_y'),
    scroll_region_upper: number('scroll_region_upper'),
    scroll_region_lower: number('scroll_region_lower'),
    cursor_flag: number('cursor_flag'),
    insert_flag: number('insert_flag'),
    keypad_cursor_flag: number('keypad_cursor_flag'),
    keypad_flag: number('keypad_flag'),
    wrap_flag: number('wrap_flag'),
    mouse_standard_flag: number('mouse_standard_flag'),
    mouse_button_flag: number('mouse_button_flag'),
    mouse_all_flag: number('mouse_all_flag'),
    mouse_sgr_flag: number('mouse_sgr_flag'),
    bracket_paste_flag: number('bracket_paste_flag'),
  };
}

function splitAt(part: string): readonly [string, string] {
  const equals = part.indexOf('=');
  return [part.slice(0, equals), part.slice(equals + 1)];
}

/** Back to the primary screen, no margins, no colours; scrollback and screen empty; line drawing set at hand. */
const EMPTY_SCREEN = '\x1b[?1049l\x1b[r\x1b[?6l\x1b[4l\x1b[?7h\x1b[0m\x1b)0\x0f\x1b[3J\x1b[2J\x1b[H';

/** Output that makes an xterm show the history and the screen of a session, with the same modes. */
export function screenText(
  facts: ScreenFacts,
  history: readonly string[],
  saved: readonly string[],
  visible: readonly string[],
): string {
  const past =
    history.length === 0
      ? ''
      : `${history.join('\r\n')}\x1b[0m\r\n${'\n'.repeat(Math.max(0, facts.pane_height - 1))}`;
  const alternate = facts.alternate_on === 1;
  const primary = alternate
    ? `${rowsText(saved)}${cursorTo(facts.alternate_saved_x, facts.alternate_saved_y)}\x1b[?1049h\x1b[2J`
    : '';
  return `${EMPTY_SCREEN}${past}${primary}${rowsText(visible)}${modesText(facts)}`;
}

function rowsText(rows: readonly string[]): string {
  // An empty row needs no bytes: the screen is empty. A row's colours may continue from the row before.
  return `\x1b[0m${rows.map((row, at) => (row === '' ? '' : `\x1b[${at + 1};1H${row}`)).join('')}\x1b[0m\x0f`;
}

function cursorTo(x: number, y: number): string {
  return `\x1b[${y + 1};${x + 1}H`;
}

function modesText(facts: ScreenFacts): string {
  const mode = (name: string, on: number): string => `\x1b[${name}${on === 1 ? 'h' : 'l'}`;
  const isWhole = facts.scroll_region_upper === 0 && facts.scroll_region_lower >= facts.pane_height - 1;
  const region = isWhole ? '' : `\x1b[${facts.scroll_region_upper + 1};${facts.scroll_region_lower + 1}r`;
  return [
    region,
    cursorTo(facts.cursor_x, facts.cursor_y),
    mode('?25', facts.cursor_flag),
    mode('4', facts.insert_flag),
    mode('?1', facts.keypad_cursor_flag),
    facts.keypad_flag === 1 ? '\x1b=' : '\x1b>',
    mode('?7', facts.wrap_flag),
    // Resetting any mouse mode turns the mouse off.
    '\x1b[?1000l',
    facts.mouse_standard_flag === 1 ? '\x1b[?1000h' : '',
    facts.mouse_button_flag === 1 ? '\x1b[?1002h' : '',
    facts.mouse_all_flag === 1 ? '\x1b[?1003h' : '',
    mode('?1006', facts.mouse_sgr_flag),
    // tmux reports it from 3.6 on. With older versions a shell sets it again at its next prompt.
    facts.bracket_paste_flag === 1 ? '\x1b[?2004h' : '',
  ].join('');
}
