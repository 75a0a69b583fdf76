import type { TracedCondition } from '@pulse/contract'
import { expect, test } from 'vitest'
import { factsOf, stepText } from './facts.ts'

const condition = (change: Partial<TracedCondition>): TracedCondition => ({
  alertId: 'a',
  type: 'cpu',
  resourceId: 'r',
  resourceName: 'web',
  state: 'normal',
  steps: [],
  ...change,
})

test.each([
  [{ value: 92.44, unit: '%' }, [['Value', '92.44%']]],
  [{ value: 92.44, unit: 'MB/s' }, [['Value', '92.44 MB/s']]],
  [
    { unit: '%', threshold: { trigger: 80, clear: 75, origin: { from: 'defaults', name: 'guestDefaults' } } },
    [['Threshold', '80% (clears at 75%), guest default']],
  ],
  [
    { threshold: { trigger: -1, clear: 0, origin: { from: 'override' } } },
    [['Threshold', 'off, set for this resource']],
  ],
  [
    { threshold: { trigger: 3, clear: 1, origin: { from: 'rule', name: 'busy' } } },
    [['Threshold', '3 (clears at 1), by the rule busy']],
  ],
  [{ confirmations: { needed: 3, seen: 1 } }, [['Confirmed', 'by 1 of 3 checks']]],
  [{ level: 'critical', state: 'active' }, [['Level', 'Critical']]],
  [
    {
      level: 'critical',
      state: 'active',
      unit: '%',
      criticalBy: { at: 90, origin: { from: 'rule', name: 'busy' } },
    },
    [['Level', 'Critical (from 90%, by the rule busy)']],
  ],
  [
    { level: 'critical', state: 'active', criticalBy: { origin: { from: 'override' } } },
    [['Level', 'Critical (set for this resource)']],
  ],
  [
    { level: 'critical', state: 'active', type: 'docker-container-oom-kill', criticalBy: {} },
    [['Level', 'Critical (by the rule “Out of memory”)']],
  ],
  // what is well has no level
  [{ level: 'critical', state: 'normal' }, []],
  [
    {
      delay: { seconds: 5, passedSeconds: 1_525, origin: { from: 'defaults', name: 'timeThresholds.guest' } },
    },
    [['Delay', '5 s (exceeded for 25 min), guest default']],
  ],
  // never a key of the configuration
  [
    {
      threshold: {
        trigger: 200,
        clear: 195,
        origin: { from: 'defaults', name: 'pmgDefaults.deferredQueueWarn' },
      },
    },
    [['Threshold', '200 (clears at 195), mail gateway default']],
  ],
  [
    { threshold: { trigger: 2, clear: 1, origin: { from: 'defaults', name: 'nowhere.known' } } },
    [['Threshold', '2 (clears at 1), global default']],
  ],
] as [Partial<TracedCondition>, string[][]][])('of %j it says %j', (change, facts) => {
  expect(factsOf(condition(change))).toEqual(facts)
})

test('what was done says when in the form of the reader', () => {
  expect(stepText('2026-01-01T10:00:00.000Z It was raised.')).toMatch(/^[^Z]+: It was raised\.$/)
  expect(stepText('It was raised.')).toBe('It was raised.')
})
