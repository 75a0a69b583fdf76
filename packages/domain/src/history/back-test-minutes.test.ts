import { aGuest } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settings, T0 } from '../alerts/fixtures.ts'
import { guestsNamed, play, recorded, tickMs } from './fixtures-back-test.ts'
import { alertsOf, driven, type Polled } from './fixtures-live.ts'
import { minuteMs } from './tiers.ts'

const guest: Polled = {
  kind: 'guests',
  source: { name: 'main', kind: 'pve' },
  record: (_, stored) => aGuest({ vmid: 100, cpu: stored! / 1_000 }),
}
const [low, high] = [300, 900]
/** After this time an alert does not continue. */
const apartTicks = (6 * minuteMs) / tickMs

const excursion = fc.record({
  restTicks: fc.integer({ min: apartTicks, max: 2 * apartTicks }),
  /** from the first sample above the trigger to the last one */
  lastsTicks: fc.integer({ min: 1, max: 60 }),
})

test('[M 3.7] a back-test of minutes finds the loads that are long enough, within a minute, and no short ones', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(60, 120, 300),
      fc.array(excursion, { minLength: 1, maxLength: 8 }),
      (delay, excursions) => {
        const config = settings({
          activationState: 'active',
          metricTimeThresholds: { guest: { cpu: delay } },
        })
        const ticks: number[][] = []
        const loads = excursions.map(({ restTicks, lastsTicks }) => {
          for (let n = 0; n < restTicks; n++) ticks.push([low])
          const started = T0 + ticks.length * tickMs
          for (let n = 0; n <= lastsTicks; n++) ticks.push([high])
          return { started, ended: T0 + ticks.length * tickMs, lastsMs: lastsTicks * tickMs }
        })
        for (let n = 0; n < apartTicks; n++) ticks.push([low])
        const to = T0 + ticks.length * tickMs
        const { alerts } = play(recorded(ticks), {
          things: guestsNamed([100]),
          to,
          rawFrom: Infinity,
          config,
        })
        const live = alertsOf(
          driven(ticks, guest, config).filter(({ stored }) => stored.alert.type === 'cpu'),
        )
        const isNear = (a: number, b: number) => Math.abs(a - b) < minuteMs
        const isFound = ({ started, ended }: { started: number; ended?: number }) =>
          alerts.filter((one) => isNear(one.started, started) && isNear(one.ended!, ended!)).length === 1
        // what holds of the live engine
        expect(live.map(({ started }) => started)).toEqual(
          loads.filter(({ lastsMs }) => lastsMs >= delay * 1_000).map(({ started }) => started),
        )
        const sure = loads.filter(({ lastsMs }) => lastsMs >= (delay + 90) * 1_000)
        const possible = loads.filter(({ lastsMs }) => lastsMs > (delay - 30) * 1_000)
        expect(sure.every(isFound)).toBe(true)
        expect(alerts.every(({ started }) => possible.some((one) => isNear(one.started, started)))).toBe(true)
        expect(alerts.length).toBeGreaterThanOrEqual(sure.length)
        expect(alerts.length).toBeLessThanOrEqual(possible.length)
        // so where no load is near the delay, the counts are equal
        if (sure.length === possible.length) expect(alerts).toHaveLength(live.length)
      },
    ),
    { numRuns: 150 },
  )
})
