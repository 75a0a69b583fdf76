import type { CustomRule } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { customRuleFor } from './custom-rules.ts'

type Filter = CustomRule['filterConditions']['filters'][number]
const fits = (filters: Filter[], logicalOperator: 'AND' | 'OR' = 'AND') =>
  customRuleFor(
    [
      {
        id: 'r',
        name: 'r',
        filterConditions: { filters, logicalOperator },
        thresholds: {},
        priority: 0,
        enabled: true,
      },
    ],
    aGuest({ name: 'Web-01', cpu: 0.5, diskRead: 3 * 1_048_576 }),
  ) !== undefined

test.each([
  [[], true],
  [[{ type: 'metric', field: 'cpu', operator: '>', value: 49 }], true],
  [[{ type: 'metric', field: 'cpu', operator: '>', value: 50 }], false],
  [[{ type: 'metric', field: 'cpu', operator: '>=', value: 50 }], true],
  [[{ type: 'metric', field: 'cpu', operator: '<=', value: 50 }], true],
  [[{ type: 'metric', field: 'cpu', operator: '<', value: 50 }], false],
  [[{ type: 'metric', field: 'cpu', operator: '=', value: 50.4 }], true],
  [[{ type: 'metric', field: 'cpu', operator: '=', value: 50.6 }], false],
  [[{ type: 'metric', field: 'diskRead', operator: '=', value: 3 }], true],
  [[{ type: 'metric', field: 'unheard', operator: '>', value: 0 }], false],
  [[{ type: 'text', field: 'name', value: 'web' }], true],
  [[{ type: 'text', field: 'node', value: 'pve1' }], true],
  [[{ type: 'text', field: 'vmid', value: '10' }], true],
  [[{ type: 'text', field: 'status', value: 'running' }], false],
  [[{ type: 'raw', rawText: 'RUNNING' }], true],
  [[{ type: 'raw', rawText: 'stopped' }], false],
] as [Filter[], boolean][])('%j fits: %s', (filters, expected) => {
  expect(fits(filters)).toBe(expected)
})

test('filters are combined with AND or OR', () => {
  const both: Filter[] = [
    { type: 'raw', rawText: 'web' },
    { type: 'raw', rawText: 'database' },
  ]
  expect(fits(both)).toBe(false)
  expect(fits(both, 'OR')).toBe(true)
})
