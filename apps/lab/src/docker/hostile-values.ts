import type { Dice } from '../random.ts'

/** Texts that harm a program that trusts them. */
export const harmfulTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '${7*7}{{7*7}}<%= 7*7 %>',
  "'; DROP TABLE hosts; --",
  '$(touch caught)`touch caught`',
  '../../../../etc/passwd',
  '..%2f..%2f%00',
  '\u0000',
  'a\u0000b',
  '\u001b[2J\u001b[31m',
  '\u202egnp.exe',
  '\ufeff\u200b\u2028\u2029',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\ud800',
  '\udfff\ud800',
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦'.repeat(20),
  ' ',
  '',
  '\t\n',
  'null',
  'NaN',
  '%s%n%d',
  '-1',
  '1e999',
]

export const hostileTimes: readonly unknown[] = [
  '0001-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00Z',
  '+999999-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '1969-12-31T23:59:59-00:00',
  '2024-02-30T25:61:61Z',
  '2026-11-22T12:00:00+99:99',
  '2026-11-22T12:00:00',
  '2026-11-22 12:00:00',
  '20261122T120000Z',
  'yesterday',
  '',
  0,
  -1,
  1e15,
  8.64e15 + 1,
  Number.MAX_SAFE_INTEGER,
  true,
  {},
]

export const hostileNumbers: readonly unknown[] = [
  -1,
  -0,
  0.1,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e21,
  1e308,
  -1e308,
  5e-324,
  '12',
  '12.5',
  '0x10',
  '1e999',
  'NaN',
  '',
  true,
  null,
]

/** Values of an unexpected type. */
export const hostileTypes: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  '',
  'text',
  [],
  [[]],
  [null],
  {},
  { length: 5 },
  { toString: 'x', valueOf: 1 },
]

/** JSON with keys such as `__proto__`; as texts, because an object would drop them. */
export const prototypeTexts: readonly string[] = [
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"prototype":{"polluted":true}}',
  '{"__proto__":{"toString":null,"hasOwnProperty":1}}',
  '{"toString":{},"valueOf":[],"hasOwnProperty":"x"}',
  '{"then":"x"}',
  '{"__defineGetter__":"x","__lookupSetter__":1}',
]

/** Errors of a clock. */
export const offMs: readonly number[] = [
  1,
  60,
  3_600,
  86_400,
  3 * 86_400,
  366 * 86_400,
  36_525 * 86_400,
].flatMap((seconds) => [1000 * seconds, -1000 * seconds])

/** A deeply nested text of lists, objects or both. */
export function deepText(draw: Dice, levels: number): string {
  const [open, close] = draw.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const)
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}
