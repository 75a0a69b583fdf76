import fc from 'fast-check'
import { test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { dayMs, hourMs, secondMs, World } from './fixtures-random-months.ts'

const id = fc.constantFrom('c1:100', 'c1:101', 'c1:102')
const name = fc.constantFrom('web', 'db', 'mail')
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('live' as const),
      ticks: fc.integer({ min: 1, max: 15 }),
      intervalMs: fc.constantFrom(10 * secondMs, 10 * secondMs, 70 * secondMs),
      load: fc.integer({ min: 0, max: 90 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), id, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replace' as const), id, name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), id, name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('migrate' as const), id, node: fc.constantFrom('pve1', 'pve2') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      id,
      status: fc.constantFrom('running', 'stopped'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('outage' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('node' as const), node: fc.constantFrom('pve1', 'pve2') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sleep' as const), ms: fc.integer({ min: 1, max: 2 * dayMs }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      ms: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('compact', 'restart', 'kill') }) },
)

const months = scale > 1 ? 10_000 : 60

test(
  `[M 1.4] ${months} random months: each guest keeps its line through renames, migrations, nodes that are down, restarts and kills, and no other guest has it, not even one under its number`,
  { timeout: 3_000 * months },
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), (steps) => {
        const world = new World()
        try {
          for (const one of steps) {
            if (one.do === 'live')
              for (let n = 0; n < one.ticks; n++) {
                world.now += one.intervalMs
                if (!world.isUnreachable)
                  for (const guest of world.guests.keys())
                    world.change(guest, { cpu: (one.load + (n % 10)) / 100 })
                world.tick()
              }
            if (one.do === 'create' && !world.guests.has(one.id) && !world.isUnreachable)
              world.create(one.id, one.name)
            if (one.do === 'delete' && !world.isUnreachable) world.delete(one.id)
            if (one.do === 'replace' && !world.isUnreachable) {
              world.delete(one.id)
              world.now += 10 * secondMs
              world.tick()
              world.create(one.id, one.name)
            }
            if (one.do === 'rename') world.change(one.id, { name: one.name })
            if (one.do === 'migrate') world.change(one.id, { node: one.node })
            if (one.do === 'turn') world.change(one.id, { status: one.status as 'running' })
            if (one.do === 'node') world.turnNode(one.node)
            if (one.do === 'outage') world.setUnreachable(!world.isUnreachable)
            if (one.do === 'sleep' || one.do === 'step') world.now += one.ms
            if (one.do === 'compact') world.compact()
            if (one.do === 'restart') world.restart()
            if (one.do === 'kill') world.kill()
          }
          world.compare()
        } finally {
          world.close()
        }
      }),
      { numRuns: months },
    )
  },
)
