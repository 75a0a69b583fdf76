import { aGuest, aRuleOn } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { settings } from '../alerts/fixtures.ts'
import { createPolicies } from '../alerts/policy.ts'
import { createBands } from './back-test-bands.ts'

test.each([
  { when: 'the margin is smaller than the trigger', trigger: 20, clear: 15 },
  { when: 'the margin is larger than the trigger', trigger: 4, clear: 4 },
])('[M 3.7] without a clear value, an alert clears where the live one does: $when', ({ trigger, clear }) => {
  const rule = aRuleOn('cpu', 1, { cpu: { trigger, clear: 0 } })
  const config = settings({ customRules: [rule], hysteresisMargin: 5 })
  const guest = aGuest({ cpu: 0.5 })
  const live = createPolicies(config, () => true).of('guests', 'main:100', guest)
  expect(live.thresholds.cpu).toMatchObject({ trigger, clear })
  expect(createBands(config, 'guests', 'cpu', () => true)('main:100', guest)).toMatchObject({
    trigger,
    clear,
  })
})
