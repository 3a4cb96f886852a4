import { describe, expect, test } from 'vitest';
import { completionsAt, stringAt } from '../../../renderer/exhibits/exhibit-completion';
import { lineOf, offsetOfProblem } from '../../../renderer/exhibits/exhibit-text';
import { sampleExhibit } from '../../support/sample-exhibits';
import { samplePocketTraining } from '../../support/sample-trainings';

const training = samplePocketTraining({ id: 't-1', name: 'Both, seed 1' }, 5);
const AT_HAND = {
  studies: [{ id: 's-1', name: 'HumanEval', configurations: ['small', 'roles'] }],
  trainings: [training, samplePocketTraining({ id: 'u-2', families: ['weak'] }, 5)],
};

/** `|` is the caret. */
function at(text: string): { readonly text: string; readonly caret: number } {
  return { text: text.replace('|', ''), caret: text.indexOf('|') };
}

function offered(marked: string): string[] {
  const { text, caret } = at(marked);
  return (completionsAt(text, caret, AT_HAND)?.options ?? []).map(({ value }) => value);
}

describe('completion in an exhibit’s file', () => {
  test.each([
    ['{"cells": [{"row": "a"}, {"row": "b|"}]}', ['cells', 1, 'row']],
    ['{"a": {"b": ["x", "|"]}}', ['a', 'b', 1]],
    ['{"a": "\\"|"}', ['a']],
  ])('knows where the caret is: %s', (marked, path) => {
    const { text, caret } = at(marked);
    expect(stringAt(text, caret)?.path).toEqual(path);
  });

  test.each(['{"ke|y": 1}', '{"a": 1|}', '|'])('offers nothing outside of a value: %s', (marked) => {
    expect(offered(marked)).toEqual([]);
  });

  test('offers the ids of the file’s own configurations, rows and columns', () => {
    const file = '"configurations": [{"id": "one", "label": "One"}, {"id": "two"}], "rows": [{"id": "r"}]';
    expect(offered(`{${file}, "cells": [{"configuration": "|"}]}`)).toEqual(['one', 'two']);
    expect(offered(`{${file}, "cells": [{"configuration": "tw|"}]}`)).toEqual(['two']);
    expect(offered(`{${file}, "cells": [{"row": "|"}]}`)).toEqual(['r']);
    // What is there whole already is not offered.
    expect(offered(`{${file}, "cells": [{"row": "r|"}]}`)).toEqual([]);
  });

  test('offers studies by id or name, and the configurations of the one that is named', () => {
    expect(offered('{"configurations": [{"study": {"id": "human|"}}]}')).toEqual(['s-1']);
    const named = '{"configurations": [{"study": {"id": "s-1", "configuration": "|"}}]}';
    expect(offered(named)).toEqual(['small', 'roles']);
    expect(offered(named.replace('s-1', 's-2'))).toEqual([]);
  });

  test('offers trainings by id or name, and the agents of those that the line names', () => {
    const line = (curve: string) => `{"series": [{"id": "a"}, {"curve": {"kind": "learning", ${curve}}}]}`;
    expect(offered(line('"training": "both|"'))).toEqual(['t-1']);
    expect(offered(line('"training": ["t-1", "|"]'))).toEqual(['t-1', 'u-2']);
    expect(offered(line('"training": ["t"], "agent": "|"'))).toEqual(['reader', 'tracer']);
    expect(offered(line('"agent": "wea|"'))).toEqual(['weak']);
  });

  test('offers metrics and methods', () => {
    expect(offered('{"cells": [{"measure": {"metric": "mcts|"}}]}')).toEqual(['pass@1(mcts)']);
    expect(offered('{"configurations": [{"method": "heter|"}]}')).toContain('heter-mars2');
  });

  test('finds its way in a whole exhibit', () => {
    const text = JSON.stringify(sampleExhibit('homogeneous'), null, 2);
    const caret = text.lastIndexOf('"configuration": "') + '"configuration": "'.length;
    expect(completionsAt(text, caret, AT_HAND)?.options.length).toBeGreaterThan(1);
  });
});

test('a text that breaks off is marked at the line that main names', () => {
  const text = '{\n  "a": 1,\n  b\n}';
  const offset = offsetOfProblem(text, {
    path: '',
    message: 'This is not valid JSON: unexpected character at line 3, column 3.',
  });
  expect([lineOf(text, offset), text[offset]]).toEqual([3, 'b']);
});
