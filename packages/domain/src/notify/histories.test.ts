import type { AlertConfig } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apprise,
  dayMs,
  email,
  type Fate,
  dispatcherFixture,
  hook,
  hourMs,
  minuteMs,
  settings,
} from './fixtures.ts'
import { isQuiet } from './quiet-hours.ts'
import { isCritical } from './dispatch.ts'

/** 2,000 histories; 100,000 in the long run. */
const HISTORIES = Math.round(2_000 * Number(process.env['PULSE_TEST_SCALE'] ?? 1) ** 1.7)

const names = ['cpu', 'usage', 'powered-off'] as const
const name = fc.constantFrom(...names)
const channels = [email, hook, apprise]
const way = fc.constantFrom(0, 1, 2)

type Step =
  | { do: 'raise' | 'resolve' | 'reopen' | 'worsen' | 'flap'; name: (typeof names)[number] }
  | { do: 'acknowledge' | 'unacknowledge'; name: (typeof names)[number] }
  | { do: 'pass'; ms: number }
  | { do: 'wall'; ms: number }
  | { do: 'fate'; way: number; fate: Fate }
  | { do: 'enable'; way: number; on: boolean }
  | { do: 'active'; on: boolean }
  | { do: 'schedule'; quiet: boolean; grouped: boolean; cooldown: number; most: number; escalates: boolean }
  | { do: 'kill'; arrived: boolean; unheard: boolean; name: (typeof names)[number] }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('raise' as const, 'resolve' as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('reopen' as const, 'worsen' as const, 'flap' as const),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('acknowledge' as const, 'unacknowledge' as const), name }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, 30_000, 61_000, 5 * minuteMs, 16 * minuteMs, hourMs, 9 * hourMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wall' as const),
      ms: fc.constantFrom(-3 * dayMs, -hourMs, -1_000, 1_000, hourMs, 3 * dayMs),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fate' as const),
      way,
      fate: fc.constantFrom<Fate>('arrives', 'arrives', 'fails', 'fails', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const), way, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('active' as const), on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      quiet: fc.boolean(),
      grouped: fc.boolean(),
      cooldown: fc.constantFrom(0, 5, 30),
      most: fc.constantFrom(0, 1, 2, 3),
      escalates: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      arrived: fc.boolean(),
      unheard: fc.boolean(),
      name,
    }),
  },
)

const levels = [
  { after: 15, notify: 'email' as const },
  { after: 30, notify: 'webhook' as const },
]

function play(steps: readonly Step[]) {
  const fates: Fate[] = ['arrives', 'arrives', 'arrives']
  const on = [true, true, true]
  const now = dispatcherFixture(settings(), channels)
  const current = new Map<string, string>()
  const gone = new Map<string, ReturnType<typeof now.resolve>>()
  /** episodes that may lack a resolved message, by channel: it was given up, or the channel disabled */
  const faults: string[] = []
  const applyChannels = () => now.setChannels(channels.map((one, n) => ({ ...one, enabled: on[n]! })))
  let seen = 0
  const events = new Set<number>()
  /** per channel and alert: the open episode, according to the received messages */
  const believed = new Map<string, string>()
  /** resolved messages that arrived during a kill; a channel that was disabled meanwhile sends them again */
  const doubted = new Set<string>()
  /** per channel and alert: when a message arrived */
  const arrivals = new Map<string, number[]>()
  let everGivenUp = false
  /** resolved messages that could not be sent for a day are dropped */
  let closedMs = 0
  /** by days: after a restart only the wall clock dates an end, and late resolved messages are dropped */
  let hasLeapt = false

  function look(config: AlertConfig) {
    for (const one of now.received.slice(seen)) {
      const { event, isUnchanged, isInDoubt, at, wall, channelId, kind, items } = one
      // a message that was in transit during the kill may arrive again
      const isCopy = events.has(event)
      events.add(event)
      if (isCopy) continue
      for (const { episode, alert } of items) {
        const key = `${channelId} ${alert.id}`
        if (kind === 'resolved') {
          if (believed.get(key) !== episode && !isUnchanged && !doubted.delete(`${key} ${episode}`))
            faults.push(`all-clear of nothing: ${key} at ${at}`)
          if (isInDoubt) doubted.add(`${key} ${episode}`)
          believed.delete(key)
        } else {
          const before = believed.get(key)
          if (before !== undefined && before !== episode && !everGivenUp)
            faults.push(`two episodes at once: ${key} at ${at}`)
          believed.set(key, episode)
        }
        if (kind === 'escalated' && channelId === 'apprise') faults.push(`escalated to ${channelId}`)
        const counted = `${key} ${kind === 'escalated'}`
        const times = [...(arrivals.get(counted) ?? []).filter((time) => time > at - hourMs), at]
        arrivals.set(counted, times)
        const { maxAlertsHour, quietHours } = config.schedule
        if (maxAlertsHour > 0 && times.length > maxAlertsHour && isCapSteady)
          faults.push(`${times.length} within an hour: ${key} at ${at}`)
        if (kind === 'resolved' || isUnchanged) continue
        if (config.activationState !== 'active') faults.push(`sent while not active: ${key}`)
        if (now.open.get(episode)?.alert.acknowledged) faults.push(`sent though acknowledged: ${key}`)
        // an alert that became critical during the attempt is sent as written, then as critical
        const isLoud = isCritical(alert) || isCritical(now.open.get(episode)?.alert ?? alert)
        if (!isLoud && isQuiet(quietHours, wall)) faults.push(`sent in quiet hours: ${key}`)
      }
    }
    seen = now.received.length
  }

  let isCapSteady = true
  for (const one of steps) {
    if (one.do === 'raise' && !current.has(one.name)) {
      gone.delete(one.name)
      current.set(one.name, now.raise({ id: one.name, type: one.name }))
    } else if (one.do === 'resolve' && current.has(one.name)) {
      gone.set(one.name, now.resolve(current.get(one.name)!))
      current.delete(one.name)
    } else if (one.do === 'reopen' && gone.has(one.name)) {
      const back = gone.get(one.name)!
      gone.delete(one.name)
      current.set(one.name, back.episode)
      now.reopen(back)
    } else if (one.do === 'worsen' && current.has(one.name)) {
      now.change(current.get(one.name)!, 'leveled', { level: 'critical' })
    } else if (one.do === 'flap' && current.has(one.name)) {
      now.change(current.get(one.name)!, 'refreshed', {}, now.moment().now + 20 * minuteMs)
    } else if ((one.do === 'acknowledge' || one.do === 'unacknowledge') && current.has(one.name)) {
      const acknowledged = one.do === 'acknowledge'
      now.change(current.get(one.name)!, acknowledged ? 'acknowledged' : 'unacknowledged', { acknowledged })
    } else if (one.do === 'pass') {
      const isClosed = now.config.activationState !== 'active' || fates.some((fate) => fate !== 'arrives')
      closedMs += isClosed ? one.ms : 0
      everGivenUp ||= closedMs >= dayMs
      now.pass(one.ms)
    } else if (one.do === 'wall') {
      now.setWall(one.ms)
      hasLeapt ||= one.ms >= dayMs
    } else if (one.do === 'fate') {
      fates[one.way] = one.fate
      everGivenUp ||= one.fate === 'never'
      now.fates((id) => fates[channels.findIndex((known) => known.id === id)]!)
    } else if (one.do === 'enable') {
      on[one.way] = one.on
      everGivenUp = true
      applyChannels()
    } else if (one.do === 'active')
      now.configure({ ...now.config, activationState: one.on ? 'active' : 'snoozed' })
    else if (one.do === 'schedule') {
      const { activationState } = now.config
      // messages sent under a higher limit count under a lower one
      isCapSteady = false
      now.configure(
        settings(
          {
            cooldown: one.cooldown,
            maxAlertsHour: one.most,
            quietHours: { enabled: one.quiet, timezone: 'Europe/Berlin' },
            grouping: { enabled: one.grouped, window: 60 },
            escalation: { enabled: one.escalates, levels },
          },
          { activationState },
        ),
      )
      arrivals.clear()
    } else if (one.do === 'kill') {
      if (one.unheard && !current.has(one.name)) {
        gone.delete(one.name)
        current.set(one.name, now.raise({ id: one.name, type: one.name }, { isApplied: false }))
      } else if (one.unheard) {
        now.resolve(current.get(one.name)!, { isApplied: false })
        current.delete(one.name)
      }
      everGivenUp ||= hasLeapt
      now.kill({ arrived: one.arrived })
    }
    look(now.config)
    isCapSteady = true
  }

  // everything works for long enough, so nothing is left to send
  on.fill(true)
  now.configure(settings())
  now.fates(() => 'arrives')
  applyChannels()
  for (const { id } of channels) now.dispatcher.forgive(id)
  for (const episode of current.values()) now.change(episode, 'unacknowledged', { acknowledged: false })
  now.pass(2 * dayMs)
  look(now.config)
  const opened = [...current].toSorted()
  for (const { id } of channels) {
    const logged = [...now.ledger.values()].filter(({ channelId }) => channelId === id)
    const known = logged.map(({ alert, episode }) => [alert.id, episode] as const).toSorted()
    if (JSON.stringify(known) !== JSON.stringify(opened))
      faults.push(`${id} knows ${JSON.stringify(known)} of ${JSON.stringify(opened)}`)
    if (everGivenUp) continue
    const stale = [...believed].filter(([key]) => key.startsWith(`${id} `)).map(([, episode]) => episode)
    for (const episode of stale)
      if (!opened.some(([, own]) => own === episode))
        faults.push(`${id} never heard of the end of ${episode}`)
  }
  return faults.slice(0, 3)
}

test('[R2] a resolved message that a kill interrupted is sent again, also by a channel that was disabled meanwhile', () => {
  const history: Step[] = [
    { do: 'raise', name: 'cpu' },
    { do: 'fate', way: 1, fate: 'fails' },
    { do: 'resolve', name: 'cpu' },
    { do: 'kill', arrived: true, unheard: false, name: 'cpu' },
    { do: 'enable', way: 1, on: false },
  ]
  expect(play(history)).toEqual([])
})

test('[R20] a clock set back by days, and a restart, do not prolong flapping beyond a resolved message', () => {
  const history: Step[] = [
    { do: 'raise', name: 'cpu' },
    { do: 'pass', ms: 1_000 },
    { do: 'flap', name: 'cpu' },
    { do: 'wall', ms: -3 * dayMs },
    { do: 'kill', arrived: false, unheard: false, name: 'cpu' },
    { do: 'resolve', name: 'cpu' },
    { do: 'raise', name: 'cpu' },
  ]
  expect(play(history)).toEqual([])
})

test(`[R2] ${HISTORIES} histories: no resolved message without one before it, all in order, nothing left to send at the end`, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 45 }), (steps) => {
      expect(play(steps)).toEqual([])
    }),
    { numRuns: HISTORIES },
  )
})
