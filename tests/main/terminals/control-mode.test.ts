import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ControlEvent, ControlReader } from '../../../main/terminals/logic/control-mode';
import { parseScreenFacts, screenText } from '../../../main/terminals/logic/tmux-screen';
import { parseMade, parseSessions } from '../../../main/terminals/logic/tmux-scripts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function read(...chunks: readonly (string | Uint8Array)[]): ControlEvent[] {
  const reader = new ControlReader();
  return chunks.flatMap((chunk) => reader.read(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
}

/** As tmux writes output: control characters and backslashes in octal. */
function escaped(bytes: Uint8Array): Uint8Array {
  const parts: number[] = [];
  for (const byte of bytes) {
    if (byte >= 32 && byte !== 92) parts.push(byte);
    else parts.push(...Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`));
  }
  return Uint8Array.from(parts);
}

test('any bytes come back from output as they were, however the stream is cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(100), (bytes, cut) => {
      const line = Buffer.concat([Buffer.from('%output %3 '), escaped(bytes), Buffer.from('\n')]);
      const at = cut % (line.length + 1);
      const events = read(line.subarray(0, at), line.subarray(at));
      const [event] = events;
      return (
        events.length === 1 &&
        event?.kind === 'output' &&
        event.pane === '%3' &&
        Buffer.from(event.bytes).equals(Buffer.from(bytes))
      );
    }),
    { seed: 1 },
  );
});

test('an answer is the text between its marks, even where it looks like output or the end of another', () => {
  const [event] = read('%begin 17 42 1\n%output %0 x\n%end 17 41 1\n\n%end 17 42 1\n');
  expect(event?.kind === 'answer' && event.isOurs && event.lines.map(text)).toEqual([
    '%output %0 x',
    '%end 17 41 1',
    '',
  ]);
});

test('a failed command is an answer that is not ok; what others asked is not ours', () => {
  expect(read('%begin 1 2 1\nno such pane\n%error 1 2 1\n', '%begin 1 3 0\n%end 1 3 0\n')).toMatchObject([
    { kind: 'answer', ok: false, isOurs: true },
    { kind: 'answer', ok: true, isOurs: false },
  ]);
});

test('the last line of a process that was ended need not be whole', () => {
  const reader = new ControlReader();
  expect(reader.read(Buffer.from('%session-changed $0 a\n%exit too far behind'))).toEqual([]);
  expect(reader.finish()).toEqual([{ kind: 'exit', reason: 'too far behind' }]);
});

test.each([
  [{ code: 0, stdout: 'made tmux 3.3a\n', stderr: '' }, null],
  [{ code: 0, stdout: 'none\n', stderr: '' }, 'there is no tmux'],
  [{ code: 0, stdout: 'old tmux 2.7\n', stderr: '' }, 'its tmux 2.7 is too old (3.0 is needed)'],
  [
    { code: 1, stdout: '', stderr: 'error creating /tmp/tmux-0/x (No space left on device)\n' },
    'tmux did not start (error creating /tmp/tmux-0/x (No space left on device))',
  ],
])('what came of making a session: %o', (end, why) => {
  const made = parseMade(end);
  expect(made.kind === 'made' ? null : made.why).toBe(why);
});

test('sessions are listed by name, with any other output', () => {
  expect(parseSessions('1700000000 0badcafe_local_1\nno server running\n1700000001 other\n')).toEqual([
    '0badcafe_local_1',
    'other',
  ]);
});

const FACTS =
  'pane_id=%4 pane_height=3 cursor_x=5 cursor_y=1 alternate_on=0 alternate_saved_x=0 alternate_saved_y=0 scroll_region_upper=0 scroll_region_lower=2 cursor_flag=1 insert_flag=0 keypad_cursor_flag=1 keypad_flag=0 wrap_flag=1 mouse_standard_flag=0 mouse_button_flag=1 mouse_all_flag=0 mouse_sgr_flag=1 bracket_paste_flag=';

test('a screen is its history pushed up, its rows in their places, its cursor and its modes', () => {
  const facts = parseScreenFacts(FACTS);
  if (facts === null) throw new Error('not read');
  const drawn = screenText(facts, ['old 1', 'old 2'], [], ['one', '', 'three']).replaceAll('\u001b', 'E');
  expect(drawn).toContain('E[2JE[Hold 1\r\nold 2E[0m\r\n\n\nE[0mE[1;1HoneE[3;1HthreeE[0m');
  expect(drawn).toContain('E[2;6HE[?25hE[4lE[?1hE>E[?7hE[?1000lE[?1002hE[?1006h');
});

test('an invalid answer gives no facts', () => {
  expect(parseScreenFacts("can't find pane: 0badcafe")).toBeNull();
});
