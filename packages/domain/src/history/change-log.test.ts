import { aGuest } from '@pulse/testkit'
import type { RecordKind } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { given, ids, keepMs, T0 } from './fixtures-change-log.ts'
import { finished } from './fixtures-notices.ts'
import { dayMs, hourMs, minuteMs } from './tiers.ts'

const look = fc.record({
  name: fc.constantFrom('web', 'db'),
  node: fc.constantFrom('pve1', 'pve2'),
  tags: fc.option(fc.constantFrom('prod', ''), { nil: undefined }),
  totalBytes: fc.constantFrom(1, 2),
})
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('patch' as const),
      put: fc
        .array(fc.tuple(fc.constantFrom(...ids), fc.record({ look, load: fc.integer({ min: 0, max: 9 }) })), {
          maxLength: 3,
        })
        .map((entries) => new Map(entries)),
      remove: fc.array(fc.constantFrom(...ids), { maxLength: 1 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 10_000, minuteMs, hourMs, 7 * hourMs, dayMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('step' as const), ms: fc.constantFrom(-hourMs, -dayMs, hourMs) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('maintain' as const),
      /** ends in the middle with a kill, or goes on while patches come */
      steps: fc.constantFrom(0, 1, 2, Infinity),
      isKilled: fc.boolean(),
    }),
  },
)

function check(world: ReturnType<typeof given>) {
  const { model, now, hasStepped } = world
  const first = model.events[0]?.at
  const times = [...new Set(model.events.flatMap(({ at }) => [at - 1, at, at + 1])), now]
  for (const moment of times) {
    const state = world.at(moment)
    const isKept = first !== undefined && moment >= Math.max(first, now - keepMs)
    if (isKept && !hasStepped) expect(state).toBeDefined()
    if (state) expect(state, `at ${moment - T0}`).toEqual(model.at(moment))
  }
}

test('[M 3.4] the state of any kept moment is what it was, whatever happened since', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const world = given()
      let making: Generator<void, void> | undefined
      for (const one of steps) {
        if (one.do === 'patch') world.patch(one.put, one.remove)
        else if (one.do === 'step') {
          world.now += one.ms
          world.hasStepped = true
        } else if (one.do === 'pass') {
          world.now += one.ms
          world.log.append([], world.now)
        } else if (one.do === 'kill') {
          making = undefined
          world.kill()
        } else {
          for (let next = making?.next(); next && !next.done; next = making?.next());
          making = world.maintain()
          let isDone = false
          for (let n = 0; n < one.steps && !isDone; n++) isDone = making.next().done === true
          if (isDone) making = undefined
          else if (one.isKilled) {
            making = undefined
            world.kill()
          }
        }
      }
      check(world)
      for (let next = making?.next(); next && !next.done; next = making?.next());
      check(world)
    }),
    { numRuns: 400 },
  )
})

const named = (name: string, load = 0) =>
  new Map([['main:100', { look: { name, node: 'pve1', totalBytes: 1 }, load }]])

test('[M 1.3] what is older than a minute is durable at a kill', () => {
  const world = given()
  for (let n = 0; n < 58; n++) {
    world.patch(named(`web${n}`), [])
    world.now += 10_000
  }
  const lost = world.kill()
  expect(lost.length).toBeGreaterThan(0)
  for (const { at } of lost) expect(world.now - at).toBeLessThanOrEqual(minuteMs)
})

test('[M 4] figures leave no trace in the log, and an idle estate writes nothing', () => {
  const world = given()
  for (let n = 0; n < 1_000; n++) {
    world.patch(named('web', n), [])
    world.now += 10_000
  }
  expect(world.storage.all().rows).toHaveLength(1)
})

test('a day begins with a base, so that an answer reads one day at most', () => {
  const world = given()
  for (let n = 0; n < 6 * 24; n++) {
    world.patch(named(`web${n}`), [])
    world.now += hourMs
    world.log.append([], world.now)
    for (const _ of world.maintain());
  }
  const { rows } = world.storage.all()
  const bases = world.storage.bases()
  expect(bases.length).toBeLessThanOrEqual(5)
  for (const [n, base] of bases.entries()) {
    const next = bases[n + 1]
    const own = rows.filter(({ id }) => id > base.firstRow && id <= (next?.lastRow ?? Infinity))
    expect(own.length).toBeLessThanOrEqual(25)
  }
  expect(rows.length).toBeLessThanOrEqual((keepMs + dayMs) / hourMs + 1)
})

test('[M 4] a clock that was a year ahead at the beginning hides nothing of what followed', () => {
  const world = given()
  world.now = T0 + 365 * dayMs
  world.patch(named('early'), [])
  world.now = T0
  world.patch(named('web'), [])
  world.log.append([], T0 + minuteMs)
  const oldest = world.log.oldest()!
  expect(oldest).toBeLessThanOrEqual(T0 + minuteMs)
  expect(world.log.at(oldest)).toBeDefined()
})

test('[M 4] a source that came while the clock was a year ahead has news like any other', () => {
  const { log } = given()
  const put = (at: number, kind: RecordKind, id: string, fields: Record<string, unknown>) =>
    log.append([{ at, kind, id, do: 'put', fields }], at)
  put(T0 + 365 * dayMs, 'sources', 'main', { name: 'prod', kind: 'pve' })
  put(T0, 'guests', 'main:100', { ...aGuest({ name: 'web' }), source: 'main' })
  const { notices } = finished(log.notices({ from: T0, to: T0 + 1, most: 10 }))
  expect(notices.map(({ what, name }) => `${name} ${what}`)).toEqual(['web came'])
})

test('[M 3.4] after a week off, a base has the time when it was made, though nothing is too old yet', () => {
  const world = given()
  world.patch(named('web'), [])
  world.log.flush()
  const present = world.now
  world.now += 7 * dayMs
  for (const _ of world.log.maintain(world.now, present, keepMs));
  world.patch(named('later'), [])
  world.log.flush()
  expect(world.storage.bases().at(-1)!.at).toBe(T0 + 7 * dayMs)
  expect(world.log.at(T0)).toBeDefined()
  // the next one is due a day later
  world.now += minuteMs
  for (const _ of world.log.maintain(world.now, present + hourMs, keepMs));
  expect(world.storage.bases()).toHaveLength(2)
})

test('[M 3.5] a clock that was a month behind for a day removes no change of the days before', () => {
  const world = given()
  const pass = (ms: number) => {
    world.patch(named(`web${world.now}`), [])
    world.log.flush()
    world.now += ms
    for (const _ of world.log.maintain(world.now, world.now, keepMs));
  }
  for (let n = 0; n < 3; n++) pass(dayMs)
  const lastDay = { from: world.now - dayMs - 1, to: world.now, most: 9 }
  const { notices } = finished(world.log.notices(lastDay))
  expect(notices.map(({ what }) => what)).toEqual(['renamed'])
  world.now -= 30 * dayMs
  pass(dayMs)
  world.now += 29 * dayMs
  pass(minuteMs)
  expect(finished(world.log.notices(lastDay)).notices).toEqual(notices)
})
