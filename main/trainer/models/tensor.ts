import { z } from 'zod';

/** Bytes of an element, of both types. */
const ELEMENT_BYTES = 4;

/** An array on the learner's wire: base64 of little-endian bytes, since JSON numbers cost a long batch whole seconds. */
export const tensorSchema = z.object({
  dtype: z.enum(['int32', 'float32']),
  shape: z.tuple([z.number().int().nonnegative()]),
  data: z.string(),
});
export type Tensor = z.infer<typeof tensorSchema>;

/** Token ids for the wire. Throws RangeError for a number that is no 32-bit integer. */
export function idsTensor(ids: ArrayLike<number>): Tensor {
  const bytes = Buffer.alloc(ids.length * ELEMENT_BYTES);
  for (let i = 0; i < ids.length; i++) bytes.writeInt32LE(ids[i] as number, i * ELEMENT_BYTES);
  return { dtype: 'int32', shape: [ids.length], data: bytes.toString('base64') };
}

/** Real numbers for the wire, rounded to 32 bits. */
export function floatsTensor(numbers: ArrayLike<number>): Tensor {
  const bytes = Buffer.alloc(numbers.length * ELEMENT_BYTES);
  for (let i = 0; i < numbers.length; i++) bytes.writeFloatLE(numbers[i] as number, i * ELEMENT_BYTES);
  return { dtype: 'float32', shape: [numbers.length], data: bytes.toString('base64') };
}

/** null: another type, or not as many elements as its shape says. */
export function readIds(tensor: Tensor): Int32Array | null {
  const bytes = bytesOf(tensor, 'int32');
  if (bytes === null) return null;
  return Int32Array.from({ length: tensor.shape[0] }, (_, i) => bytes.readInt32LE(i * ELEMENT_BYTES));
}

/** null: another type, or not as many elements as its shape says. */
export function readFloats(tensor: Tensor): Float32Array | null {
  const bytes = bytesOf(tensor, 'float32');
  if (bytes === null) return null;
  return Float32Array.from({ length: tensor.shape[0] }, (_, i) => bytes.readFloatLE(i * ELEMENT_BYTES));
}

function bytesOf({ dtype, shape, data }: Tensor, expected: Tensor['dtype']): Buffer | null {
  const bytes = Buffer.from(data, 'base64');
  return dtype === expected && bytes.length === shape[0] * ELEMENT_BYTES ? bytes : null;
}
