import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { deadTerms } from './dead-terms.ts'
import { compileGuestSearch } from './guest-search.ts'

const why = (search: string) => deadTerms(search).map((one) => `${one.term}: ${one.why}`)

test.each([
  ['cpu>abc', ['cpu>abc: no-number']],
  ['web, memory <= lots', ['memory <= lots: no-number']],
  ['cpu=high', ['cpu=high: no-number']],
  ['colour>3', ['colour>3: no-field']],
  ['colour:red', ['colour:red: no-field']],
  ['name>3', ['name>3: only-text']],
  ['memory:80', ['memory:80: only-compared']],
  ['CPU>80 OR colour:red', ['colour:red: no-field']],
  ['cpu>abc, colour>3', ['cpu>abc: no-number', 'colour>3: no-field']],
])('%s can match nothing: %o', (search, expected) => {
  expect(why(search)).toEqual(expected)
})

test.each([
  '',
  'web',
  'cpu>80',
  'cpu>80%',
  'cpu>',
  'tags:prod',
  'tags:',
  'web, db',
  'a=b',
  'a AND b',
  'vmid:10',
])('%s may match something', (search) => {
  expect(why(search)).toEqual([])
})

test('what is called dead matches no guest', () => {
  const guest = aGuest({ name: 'cpu', tags: 'cpu', cpu: 0.99 })
  const at = { nowMs: 0, running: true }
  for (const search of ['cpu>abc', 'colour>3', 'colour:red', 'name>3', 'memory:80']) {
    expect(deadTerms(search)).toHaveLength(1)
    expect(compileGuestSearch(search)(guest, at), search).toBe(false)
  }
})
