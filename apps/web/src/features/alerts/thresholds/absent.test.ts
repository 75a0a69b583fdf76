import { expect, test } from 'vitest'
import { absentResources, unmatchedKeys } from './absent.ts'

const overrides = (...keys: string[]) => ({
  overrides: Object.fromEntries(keys.map((key) => [key, { disabled: true }])),
})

test('what is not reported stands in natural order: pve2 before pve10', () => {
  const config = overrides('node:pve10', 'node:pve2', 'node:pve1', 'guest:pve3')
  expect(absentResources(config, 'nodes', new Set(['pve1']))).toEqual(['pve2', 'pve10'])
})

test('so do names that match no resource', () => {
  expect(unmatchedKeys(overrides('old10', 'old2', 'node:pve1'))).toEqual(['old2', 'old10'])
})
