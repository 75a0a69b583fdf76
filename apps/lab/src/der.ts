/** A value in DER, the encoding of certificates (X.690): a tag, the length, the content. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content])
}

function lengthOf({ length }: Uint8Array): number[] {
  if (length < 0x80) return [length]
  const digits = length < 0x100 ? [length] : [length >> 8, length & 0xff]
  return [0x80 | digits.length, ...digits]
}

export const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]) => tagged(0x31, ...parts)
export const octets = (content: Uint8Array) => tagged(0x04, content)
export const text = (value: string) => tagged(0x0c, Buffer.from(value))
export const yes = tagged(0x01, Buffer.from([0xff]))

/** Whole bytes only. */
export const bits = (content: Uint8Array) => tagged(0x03, Buffer.from([0]), content)

/** Encodes a positive number, most significant byte first. */
export const integer = (digits: Uint8Array) =>
  tagged(0x02, digits[0]! < 0x80 ? digits : Buffer.concat([Buffer.from([0]), digits]))

/** Encodes a dotted id such as `2.5.29.17`. */
export function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap((n) => inSevens(n))]))
}

/** Seven bits per byte; all bytes except the last have the eighth bit set. */
const inSevens = (n: number, goesOn = 0): number[] => [
  ...(n < 0x80 ? [] : inSevens(n >>> 7, 0x80)),
  (n & 0x7f) | goesOn,
]

/** Certificates write a year with two digits until 2049 (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}
