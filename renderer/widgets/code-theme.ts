import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The few kinds of token that help in reading, in the app's tokens, which know light and dark themselves. */
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.className], fontWeight: '600' },
]);

const baseTheme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--code-name)',
    backgroundColor: 'var(--surface)',
    fontSize: 'var(--type-code)',
  },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 10px 0 8px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text-faint)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '26px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--chosen)',
  },
  // Changes: a band for the line, a stronger tone for what differs in it, and a sign in the gutter without colour.
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--diff-added)' },
  '&.cm-merge-b .cm-deletedChunk': { backgroundColor: 'var(--diff-removed)', padding: '0' },
  '.cm-deletedChunk .cm-deletedLine': { padding: '0 10px 0 8px' },
  '.cm-deletedLine del, .cm-deletedChunk del': { textDecoration: 'none' },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--good) 26%, transparent)',
    borderRadius: '2px',
  },
  '&.cm-merge-b .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 26%, transparent)',
    borderRadius: '2px',
  },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--good)' },
  '&.cm-merge-b .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-collapsedLines': {
    color: 'var(--text-soft)',
    background: 'var(--sunken)',
    padding: '2px 10px',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--type-code)',
  },
});

export const codeTheme: Extension = [baseTheme, syntaxHighlighting(highlight)];
