import { python } from '@codemirror/lang-python';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme';
import classes from './code-view.module.css';

/** Above this many changed characters the diff is by line instead of by character, so that it never stalls. */
const DIFF_SCAN_LIMIT = 2_000;
const DIFF_TIMEOUT_MS = 150;

/** A Python program, read-only: selectable and reachable by keyboard, coloured. */
export function ProgramView({ text, label }: { text: string; label: string }) {
  return <CodeView text={text} original={null} label={label} />;
}

/** A program as a diff to another one. */
export function ChangesView(props: { text: string; original: string; label: string }) {
  return <CodeView {...props} />;
}

function CodeView({ text, original, label }: { text: string; original: string | null; label: string }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // One editor is reused: creating an editor costs more than filling it.
  useEffect(() => {
    const state = () => EditorState.create({ doc: text, extensions: extensions(original, label) });
    if (view.current === null) {
      return afterPaint(() => {
        if (host.current !== null) view.current = new EditorView({ parent: host.current, state: state() });
      });
    }
    view.current.setState(state());
    // In the editor's measure phase: scrolling at once would lay out the whole page.
    view.current.requestMeasure({
      read: () => {},
      write: (_read, { scrollDOM }) => {
        scrollDOM.scrollTop = 0;
      },
    });
  }, [text, original, label]);
  useEffect(
    () => () => {
      view.current?.destroy();
      view.current = null;
    },
    [],
  );
  return <div ref={host} className={classes.code} />;
}

/** After the page is laid out: an editor created before would lay it out itself, in one long task. */
function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

function extensions(original: string | null, label: string): Extension[] {
  return [
    lineNumbers(),
    python(),
    codeTheme,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    // Without editing the content is no tab stop by itself; readers want to scroll and select by keyboard.
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': label,
      role: 'textbox',
      'aria-readonly': 'true',
    }),
    ...(original === null
      ? []
      : unifiedMergeView({
          original,
          mergeControls: false,
          collapseUnchanged: { margin: 3, minSize: 6 },
          diffConfig: { scanLimit: DIFF_SCAN_LIMIT, timeout: DIFF_TIMEOUT_MS },
        })),
  ];
}

// Compiles parser and editor while idle, so that the first key press in a tree does not wait for it.
globalThis.requestIdleCallback?.(() => {
  const state = EditorState.create({ doc: 'def f():\n    return 1\n', extensions: extensions(null, '') });
  globalThis.requestIdleCallback(() => new EditorView({ state }).destroy());
});
