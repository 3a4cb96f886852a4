import { StringDecoder } from 'node:string_decoder';
import { Emitter } from '../base';
import { type AttachedProcess, FlowControl } from '../machines';
import { type ControlEvent, ControlReader } from './logic/control-mode';
import {
  parseScreenFacts,
  SCREEN_ANSWERS,
  type ScreenFacts,
  screenCommands,
  screenText,
} from './logic/tmux-screen';
import { keyCommands, sizeCommand } from './logic/tmux-scripts';
import type { TerminalSource } from './managed-terminal';
import type { TerminalSize } from './terminals';

/** Output within this is passed on together: one message instead of hundreds, too short to notice. */
const BATCH_MS = 5;

/**
 * A client of a tmux session: first draws the session's screen and history, then passes on what the shell writes, byte for
 * byte, as a pty would. Disposing it leaves the session alone.
 */
export function createTmuxClient(
  process: AttachedProcess,
  session: string,
  firstSize: TerminalSize,
): TerminalSource {
  const data = new Emitter<string>();
  const redraw = new Emitter<void>();
  const end = new Emitter<number | null>();
  const reader = new ControlReader();
  const flow = new FlowControl();
  let decoder = new StringDecoder('utf8');
  let screen: string[][] | null = [];
  let pane: string | null = null;
  /** Typed before the pane is known. */
  let typed: string[] = [];
  let batch: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = batch.join('');
    batch = [];
    if (text !== '' && !isOver) data.emit(text);
  };
  const send = (text: string): void => {
    if (text === '') return;
    batch.push(text);
    timer ??= setTimeout(flush, BATCH_MS);
    if (flow.sent(text.length)) process.stdout.pause();
  };
  const command = (text: string): void => {
    if (!isOver) process.stdin.write(text);
  };
  const draw = (facts: ScreenFacts, [, history = [], saved = [], visible = []]: string[][]): void => {
    flush();
    redraw.emit();
    send(screenText(facts, history, saved, visible));
    pane = facts.pane;
    decoder = new StringDecoder('utf8');
    for (const text of typed) command(keyCommands(pane, Buffer.from(text)));
    typed = [];
  };
  const handle = (event: ControlEvent): void => {
    if (event.kind === 'output') {
      // Output before the screen was read is already in the screen.
      if (event.pane === pane) send(decoder.write(Buffer.from(event.bytes)));
    } else if (event.kind === 'answer' && event.isOurs && screen !== null) {
      screen.push(event.lines.map((line) => Buffer.from(line).toString('utf8')));
      // The first answer is the size's.
      if (screen.length < SCREEN_ANSWERS + 1) return;
      const [, ...answers] = screen;
      screen = null;
      const facts = parseScreenFacts(answers[0]?.[0] ?? '');
      if (facts === null) process.kill();
      else draw(facts, answers);
    }
  };
  const dispose = (): void => {
    if (isOver) return;
    isOver = true;
    if (timer !== null) clearTimeout(timer);
    process.kill();
    // A paused stream would never end.
    process.stdout.resume();
  };

  process.stdout.on('data', (chunk: Buffer) => {
    if (isOver) return;
    for (const event of reader.read(chunk)) handle(event);
  });
  process.stderr.on('data', () => {});
  // A cut while typing: `ended` reports it.
  process.stdin.on('error', () => {});
  void process.ended.then(({ code }) => {
    if (isOver) return;
    for (const event of reader.finish()) handle(event);
    flush();
    isOver = true;
    end.emit(code);
  });
  command(sizeCommand(firstSize) + screenCommands(session));

  return {
    onData: (listener) => data.on(listener),
    onRedraw: (listener) => redraw.on(listener),
    onEnd: (listener) => end.on(listener),
    acknowledge: (units) => {
      if (flow.acknowledged(units) && !isOver) process.stdout.resume();
    },
    write: (text) => {
      if (pane === null) typed.push(text);
      else command(keyCommands(pane, Buffer.from(text)));
    },
    resize: (size) => command(sizeCommand(size)),
    dispose,
  };
}
