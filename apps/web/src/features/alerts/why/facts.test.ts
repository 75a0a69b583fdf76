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
  // an unhealthy container has no figure, which the trace reports as 0
  [{ value: 0 }, []],
  [{ value: 0, unit: '%' }, [['Value', '0%']]],
  [{ value: 121 }, [['Value', '121']]],
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
  // only a problem has a level: none for normal, off or unknown
  [{ level: 'critical', state: 'normal' }, []],
  [{ level: 'critical', state: 'off' }, []],
  [{ level: 'critical', state: 'unknown' }, []],
  [{ level: 'warning', state: 'pending' }, [['Level', 'Warning']]],
  [{ level: 'warning', state: 'clearing' }, [['Level', 'Warning']]],
  // a held condition has a level only if it was active before; it then has a `since`
  [{ level: 'warning', state: 'held' }, []],
  [{ level: 'warning', state: 'suppressed' }, [['Level', 'Warning']]],
  [
    {
      delay: { seconds: 5, passedSeconds: 1_525, origin: { from: 'defaults', name: 'timeThresholds.guest' } },
    },
    [['Delay', '5 s (exceeded for 25 min), guest default']],
  ],
  // in the largest units without a remainder
  ...(
    [
      [0, '0 s'],
      [30, '30 s'],
      [90, '1 min 30 s'],
      [300, '5 min'],
      [3_600, '1 hour'],
      [7_200, '2 hours'],
      [5_400, '1 hour 30 min'],
      [86_400, '1 day'],
      [172_800, '2 days'],
      [90_061, '1 day 1 hour 1 min 1 s'],
    ] as const
  ).map(([seconds, text]) => [
    { delay: { seconds, passedSeconds: 5, origin: { from: 'override' } } },
    [['Delay', `${text} (exceeded for 5 s), set for this resource`]],
  ]),
  // never shows a configuration key
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

test('what is held was an alert, or becomes one: then it has a level', () => {
  const held = condition({ level: 'warning', state: 'held', since: '2026-01-01T10:00:00Z' })
  expect(factsOf(held).map(([term]) => term)).toEqual(['Level', 'Since'])
})

test('what was done says when in the form of the reader', () => {
  expect(stepText('2026-01-01T10:00:00.000Z Raised.')).toMatch(/^[^Z]+: Raised\.$/)
  expect(stepText('Raised.')).toBe('Raised.')
})
