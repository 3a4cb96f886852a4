import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, offsetOfPath, withOwnId } from '../../../renderer/exhibits/exhibit-text';

const TEXT = `{
  "id": "a",
  "cells": [
    { "row": "x, [\\"y\\"]", "reference": [] },
    { "row": "z", "reference": [{ "value": 1.5 }] }
  ]
}`;

describe('the place of a path in a text', () => {
  it.each([
    ['id', 2, '"a"'],
    ['cells', 3, '['],
    ['cells[0].row', 4, '"x'],
    ['cells[1].reference[0].value', 5, '1.5'],
    // What is not there: the nearest that is.
    ['cells[1].column', 5, '{ "row": "z"'],
    ['cells[7]', 3, '['],
    ['title', 1, '{'],
    ['', 1, '{'],
  ])('%s is in line %d', (path, line, begin) => {
    const offset = offsetOfPath(TEXT, path);
    expect(lineOf(TEXT, offset ?? -1)).toBe(line);
    expect(TEXT.slice(offset ?? -1).startsWith(begin)).toBe(true);
  });

  it('finds every value of any JSON, however it is written', () => {
    const plain = /^[a-z]+$/;
    const keys = fc.stringMatching(/^[a-z]{1,4}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const paths = (of: unknown, path: string): readonly (readonly [string, unknown])[] =>
      typeof of !== 'object' || of === null
        ? [[path, of]]
        : [
            [path, of] as const,
            ...Object.entries(of).flatMap(([key, one]) =>
              paths(one, plain.test(key) ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`),
            ),
          ];
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
        const text = JSON.stringify(any, null, indent);
        for (const [path, at] of paths(any, '')) {
          const offset = offsetOfPath(text, path);
          const written = JSON.stringify(at);
          // Spaces differ between a value alone and one inside another.
          const begins = text.slice(offset ?? -1);
          expect(begins[0]).toBe(written[0]);
          if (typeof at !== 'object') expect(begins.startsWith(written)).toBe(true);
        }
      }),
    );
  });

  it('gives up without a throw on text that is not JSON', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, path) => {
        const offset = offsetOfPath(text, path);
        expect(offset === null || (offset >= 0 && offset <= text.length)).toBe(true);
      }),
    );
  });
});

describe('a copy of an exhibit', () => {
  it('has its own id, and nothing else is changed', () => {
    expect(withOwnId('{ "version": 1, "id": "homogeneous", "models": [{ "id": "a" }] }')).toBe(
      '{ "version": 1, "id": "my-homogeneous", "models": [{ "id": "a" }] }',
    );
    expect(withOwnId('{ "id": "my-own" }')).toBe('{ "id": "my-own" }');
  });
});
