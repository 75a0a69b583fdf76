import { expect, test } from 'vitest'
import { expressionsOf, problemOf, provedExpressions } from './expressions.mjs'
import { within } from './test-limits.ts'

test.each([
  { pattern: String.raw`^\s*ERROR:.*$`, flags: 'gm', takes: /2nd degree polynomial/ },
  { pattern: '(?:a+)+$', flags: '', takes: /exponential/ },
  { pattern: 'managerlib\\.js\\?ver=[^"]*"', flags: '', takes: /2nd degree polynomial/ },
])('[S15] /$pattern/$flags is named, with a text that shows it', async ({ pattern, flags, takes }) =>
  expect(await problemOf({ pattern, flags })).toMatch(takes),
)

test('[S15] a linear expression is not reported', async () =>
  expect(await problemOf({ pattern: '^[a-z]+://', flags: 'i' })).toBeUndefined())

test('[S15] every literal of a file is found, and every expression that is built at run time', () => {
  const found = expressionsOf(
    'page.tsx',
    'const a = <p>{/b/g.test(x)}</p>\nconst c = new RegExp(x)\nRegExp(y, "i")',
  )
  expect(found).toEqual([
    { file: 'page.tsx', line: 1, pattern: 'b', flags: 'g' },
    { file: 'page.tsx', line: 2, problem: expect.stringMatching('built at run time') },
    { file: 'page.tsx', line: 3, problem: expect.stringMatching('built at run time') },
  ])
})

const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1
const everyNth = isLong ? 1 : 10
/** another tenth each day */
const first = isLong ? 0 : new Date().getUTCDate() % everyNth

test(
  `[S15] the expressions that were proved are linear, proved again: every ${everyNth}th from ${first} on`,
  { timeout: within(120_000) },
  async () => {
    const all = provedExpressions()
    expect(all.length).toBeGreaterThan(300)
    for (const one of all.filter((_, n) => n % everyNth === first))
      expect([one.pattern, await problemOf(one)]).toEqual([one.pattern, undefined])
  },
)
