import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { anEngine } from '../alerts/fixtures.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { Dispatcher } from './dispatcher.ts'
import { email, minuteMs, settings } from './fixtures.ts'

const config = {
  ...settings({ cooldown: 5 }),
  timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 },
}

/** A guest with the real engine and the real dispatcher, polled every minute. */
function watched() {
  const engine = anEngine(config)
  const nothing = { open: [], log: [], endOf: () => undefined, underWay: [], sent: [] }
  let dispatcher = new Dispatcher(config, [email], nothing, engine.moment())
  const sent: string[] = []
  const work = (changes: readonly AlertChange[]) => {
    dispatcher.apply(changes, engine.moment())
    dispatcher.due(engine.moment())
    for (const dispatch of dispatcher.take('email', engine.moment())) {
      const items = dispatcher.review(dispatch, engine.moment())
      if (items.length > 0) sent.push(...items.map(({ alert }) => `${dispatch.kind} ${alert.value}`))
      dispatcher.finish({ ...dispatch, items }, 'delivered', engine.moment())
    }
  }
  return {
    sent,
    /** Keeps the figure for that many minutes. */
    stay(cpu: number, minutes: number, status: 'online' | 'offline' = 'online') {
      for (let n = 0; n < minutes; n++) {
        const gone = status === 'offline' ? { staleSince: engine.moment().now } : {}
        const guests = [aGuest({ source: 'main', vmid: 100, node: 'pve1', cpu, ...gone })]
        work(engine.tell('main', { nodes: [aNode({ source: 'main', name: 'pve1', status })], guests }))
        work(engine.pass(minuteMs))
      }
    },
    /** The source does not answer for that many minutes. */
    miss(minutes: number) {
      work(engine.silence('main', { guests: [aGuest({ cpu: 0.82, staleSince: engine.moment().now })] }))
      for (let n = 0; n < minutes; n++) work(engine.pass(minuteMs))
    },
    restart() {
      const { look } = engine.restart()
      const stored = engine.engine.snapshot(engine.moment()).alerts
      const log = stored.map(({ episode, alert }) => ({
        episode,
        channelId: 'email',
        alert,
        at: engine.moment().now,
        level: alert.level,
        escalatedAfter: 0,
        isDelivered: true,
      }))
      dispatcher = new Dispatcher(config, [email], { ...nothing, open: stored, log }, engine.moment())
      return () => work(look())
    },
    pass(minutes: number) {
      for (let n = 0; n < minutes; n++) work(engine.pass(minuteMs))
    },
  }
}
const ofGuest = (sent: readonly string[]) => sent.filter((one) => !one.endsWith(' 0'))

test('[facts/alerts 3.2.4] a figure between clear and trigger is not sent again, though its alert stays open', () => {
  const now = watched()
  now.stay(0.82, 1)
  expect(now.sent).toEqual(['raised 82'])
  now.stay(0.77, 60)
  expect(now.sent).toEqual(['raised 82'])
  now.stay(0.83, 2)
  expect(now.sent).toEqual(['raised 82', 'repeated 83'])
})

test('a guest on a node that is down is not sent again: its figure is not known', () => {
  const now = watched()
  now.stay(0.82, 1)
  now.stay(0.82, 60, 'offline')
  expect(ofGuest(now.sent)).toEqual(['raised 82'])
})

test('a source that does not answer has no figures that are known', () => {
  const now = watched()
  now.stay(0.82, 1)
  now.miss(60)
  expect(ofGuest(now.sent)).toEqual(['raised 82'])
})

test('after a restart a figure is known when it was read', () => {
  const now = watched()
  now.stay(0.82, 1)
  const read = now.restart()
  now.pass(10)
  expect(now.sent).toEqual(['raised 82'])
  read()
  expect(now.sent).toEqual(['raised 82', 'repeated 82'])
})
