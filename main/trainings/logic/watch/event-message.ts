import { FieldCursor, NotProtobufError } from './protobuf';

/** The scalars and texts of a TensorBoard event; images, histograms and graphs are skipped. */
export type EventMessage = {
  readonly wallMs: number;
  readonly step: number;
  readonly scalars: readonly { readonly tag: string; readonly value: number }[];
  readonly texts: readonly { readonly tag: string; readonly text: string }[];
};

/** Field numbers, from tensorflow/core/util/event.proto and framework/{summary,tensor}.proto. */
const EVENT = { wallTime: 1, step: 2, summary: 5 };
const SUMMARY = { value: 1 };
const VALUE = { tag: 1, simpleValue: 2, tensor: 8 };
const TENSOR = { type: 1, content: 4, float: 5, double: 6, int: 7, string: 8, int64: 10, bool: 11 };
/** From framework/types.proto. */
const TYPE = { float: 1, double: 2, int32: 3, string: 7, int64: 9, bool: 10, bfloat16: 14, half: 19 };

/** null: the bytes are not an event. `decode` decodes UTF-8. */
export function readEvent(bytes: Uint8Array, decode: Decode): EventMessage | null {
  try {
    return eventOf(bytes, decode);
  } catch (error) {
    if (error instanceof NotProtobufError) return null;
    throw error;
  }
}

function eventOf(bytes: Uint8Array, decode: Decode): EventMessage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let wallMs = 0;
  let step = 0;
  const scalars: { tag: string; value: number }[] = [];
  const texts: { tag: string; text: string }[] = [];
  const event = new FieldCursor(bytes);
  while (event.next()) {
    if (event.number === EVENT.wallTime && event.wire === 'fixed64')
      wallMs = view.getFloat64(event.from, true) * 1_000;
    else if (event.number === EVENT.step && event.wire === 'varint') step = event.varint;
    else if (event.number === EVENT.summary && event.wire === 'bytes') {
      const summary = new FieldCursor(bytes, event.from, event.to);
      while (summary.next()) {
        if (summary.number !== SUMMARY.value || summary.wire !== 'bytes') continue;
        const { tag, value } = taggedValue(
          bytes,
          view,
          new FieldCursor(bytes, summary.from, summary.to),
          decode,
        );
        if (typeof value === 'number') scalars.push({ tag, value });
        else if (value !== null) texts.push({ tag, text: value });
      }
    }
  }
  return { wallMs, step, scalars, texts };
}

type Decode = (utf8: Uint8Array) => string;
type Value = { readonly tag: string; readonly value: number | string | null };

function taggedValue(bytes: Uint8Array, view: DataView, field: FieldCursor, decode: Decode): Value {
  let tag = '';
  let value: number | string | null = null;
  while (field.next()) {
    if (field.number === VALUE.tag && field.wire === 'bytes')
      tag = decode(bytes.subarray(field.from, field.to));
    else if (field.number === VALUE.simpleValue && field.wire === 'fixed32')
      value = view.getFloat32(field.from, true);
    else if (field.number === VALUE.tensor && field.wire === 'bytes')
      value = tensorOf(bytes.subarray(field.from, field.to), decode);
  }
  return { tag, value };
}

/** The number of a scalar; the strings of a text, one per line; null for anything else. */
function tensorOf(bytes: Uint8Array, decode: Decode): number | string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let type = 0;
  let content: DataView | null = null;
  const numbers: number[] = [];
  const strings: string[] = [];
  const field = new FieldCursor(bytes);
  while (field.next()) {
    const { number, wire, from, to } = field;
    if (number === TENSOR.type) type = field.varint;
    else if (number === TENSOR.content && wire === 'bytes')
      content = new DataView(bytes.buffer, bytes.byteOffset + from, to - from);
    else if (number === TENSOR.string && wire === 'bytes') strings.push(decode(bytes.subarray(from, to)));
    else if (number === TENSOR.float)
      for (let at = from; at + 4 <= to; at += 4) numbers.push(view.getFloat32(at, true));
    else if (number === TENSOR.double)
      for (let at = from; at + 8 <= to; at += 8) numbers.push(view.getFloat64(at, true));
    else if (number === TENSOR.int || number === TENSOR.int64 || number === TENSOR.bool) {
      if (wire === 'varint') numbers.push(field.varint);
      else
        for (const packed = new FieldCursor(bytes, from, to); packed.hasMore; )
          numbers.push(packed.readVarint());
    }
  }
  if (type === TYPE.string) return strings.length === 0 ? null : strings.join('\n');
  if (content !== null && content.byteLength > 0) return contentOf(content, type);
  const [only, ...more] = numbers;
  return only !== undefined && more.length === 0 ? only : null;
}

function contentOf(view: DataView, type: number): number | null {
  const of = (size: number, read: () => number) => (view.byteLength === size ? read() : null);
  switch (type) {
    case TYPE.float:
      return of(4, () => view.getFloat32(0, true));
    case TYPE.double:
      return of(8, () => view.getFloat64(0, true));
    case TYPE.int32:
      return of(4, () => view.getInt32(0, true));
    case TYPE.int64:
      return of(8, () => Number(view.getBigInt64(0, true)));
    case TYPE.bool:
      return of(1, () => view.getUint8(0));
    case TYPE.half:
      return of(2, () => halfOf(view.getUint16(0, true)));
    case TYPE.bfloat16:
      return of(2, () => {
        const wide = new DataView(new ArrayBuffer(4));
        wide.setUint32(0, view.getUint16(0, true) * 65_536);
        return wide.getFloat32(0);
      });
    default:
      return null;
  }
}

/** IEEE 754 binary16. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
