import type { PbsServer } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PartRunner } from './part-runner.ts'
import type { MemberRun, PartLoop, PartRun } from './part.ts'

interface Part {
  name: string
  kinds?: readonly ['pbs']
  run: () => Run
}
interface Run extends PartRun {
  records?(): { pbs: ReadonlyMap<string, PbsServer> }
  node?(name: string): MemberRun
}

/** A runner on a fake clock, with the events that it reported. */
function given(parts: Part[]) {
  const clock = fakeClock()
  const off = new Set<string>()
  const events: string[] = []
  const runner = new PartRunner<Part, Run, PartLoop, { name: string }, MemberRun>(parts, {
    clock,
    log: pino({ level: 'silent' }),
    isWanted: ({ name }) => !off.has(name),
    start: ({ run }) => run(),
    startAt: ({ name }, run) => run.node?.(name),
    timing: () => ({
      intervalMs: 1_000,
      deadlineMs: 500,
      hold: () => 0,
      ended: () => void events.push('ended'),
    }),
    answered: ({ question }) => void events.push(`answered ${question}`),
    failed: ({ question }) => {
      events.push(`failed ${question}`)
      return 5_000
    },
    defect: (question) => void events.push(`defect ${question}`),
    forget: (question) => void events.push(`forget ${question}`),
  })
  return {
    clock,
    off,
    events,
    runner,
    count: (event: string) => events.filter((one) => one === event).length,
  }
}

const loopOf = (name: string, run: PartLoop['run'] = async () => {}): PartLoop => ({ name, run })
const server = (id: string) => ({ id }) as PbsServer

test('a loop runs in its rhythm, and after a failure when the owner says so', async () => {
  let fails = false
  const loop = loopOf('status', async () => {
    if (fails) throw new Error('refused')
  })
  const { clock, runner, count, events } = given([{ name: 'a', run: () => ({ loops: [loop] }) }])
  runner.enable()
  await clock.advance(2_500)
  expect(count('answered status')).toBe(3)
  fails = true
  await clock.advance(6_000)
  expect([count('failed status'), count('ended')]).toEqual([2, 5])
  await runner.stop()
  expect(events.at(-1)).toBe('forget status')
})

test('a part that is switched on again starts after its predecessor has ended', async () => {
  const order: string[] = []
  let release = () => {}
  const run = () => {
    order.push('start')
    return {
      loops: [loopOf('slow', () => new Promise<void>((resolve) => (release = resolve)))],
      stop: () => void order.push('stop'),
    }
  }
  const { clock, off, runner } = given([{ name: 'a', run }])
  runner.enable()
  await clock.advance(1)
  off.add('a')
  runner.enable()
  off.delete('a')
  runner.enable()
  await clock.advance(1)
  expect(order).toEqual(['start'])
  release()
  await clock.advance(1)
  expect(order).toEqual(['start', 'stop', 'start'])
  const stopped = runner.stop()
  release()
  await stopped
})

test('the loops at a member run while it is there; another part is not touched by a defect', async () => {
  const parts: Part[] = [
    { name: 'bad', run: () => ({ node: () => expect.fail('a defect') }) },
    { name: 'good', run: () => ({ node: () => ({ loops: [loopOf('disks')] }) }) },
  ]
  const { clock, runner, count, events } = given(parts)
  runner.enable()
  runner.join({ name: 'pve1' })
  await clock.advance(1)
  expect([count('defect bad start at pve1'), count('answered pve1 disks')]).toEqual([1, 1])
  let left = 0
  runner.leave('pve1', () => left++)
  await clock.advance(5_000)
  expect([left, count('answered pve1 disks')]).toEqual([1, 1])
  expect(events).toContain('forget pve1 disks')
  runner.leave('pve1', () => left++)
  runner.join({ name: 'pve1' })
  await clock.advance(1)
  expect(left).toBe(1)
  await runner.stop()
})

test('records: those of before while a part throws, none of a part that is off', async () => {
  let fails = false
  const run = () => ({
    records() {
      if (fails) throw new Error('a defect')
      return { pbs: new Map([['1', server('1')]]) }
    },
  })
  const { off, runner } = given([{ name: 'a', kinds: ['pbs'], run }])
  const read = async () => {
    const { pbs } = await runner.records((one: Run) => one.records?.())
    return [...(pbs?.keys() ?? ['absent'])]
  }
  runner.enable()
  expect(await read()).toEqual(['1'])
  fails = true
  expect(await read()).toEqual(['1'])
  off.add('a')
  runner.enable()
  expect(await read()).toEqual([])
})

test.each(['start', 'start at pve1', 'mapping', 'records', 'end'])(
  'a defect of its %s is one until it works, and no longer than the part is on',
  async (stage) => {
    let isBroken = true
    const at = (what: string) => {
      if (isBroken && what === stage) throw new Error('a defect')
    }
    const run = () => {
      at('start')
      return {
        node: (name: string) => (at(`start at ${name}`), {}),
        records: () => (at('records'), { pbs: new Map() }),
        stop: () => at('end'),
      }
    }
    const { off, runner, events } = given([{ name: 'a', run }])
    const defects = () =>
      events.reduce((open, event) => {
        const [what, question] = [event.slice(0, event.indexOf(' ')), event.slice(event.indexOf(' ') + 1)]
        return what === 'defect' ? [...open, question] : open.filter((one) => one !== question)
      }, [] as string[])
    const use = async () => {
      runner.enable()
      await runner.eachYielding('mapping', function* () {
        yield at('mapping')
      })
      await runner.records((one: Run) => one.records?.())
    }
    const turn = async (isOff: boolean) => {
      off.clear()
      if (isOff) off.add('a')
      await use()
      await runner.leave('none', () => {})
    }
    runner.join({ name: 'pve1' })
    await turn(false)
    expect(defects()).toEqual(stage === 'end' ? [] : [`a ${stage}`])
    await turn(true)
    await expect.poll(defects).toEqual([])
    isBroken = false
    await turn(false)
    expect(defects()).toEqual([])
    await runner.stop()
    expect(defects()).toEqual([])
  },
)

test.each([
  [
    ['a', 'b'],
    ['a', 'another turn', 'b', 'read'],
  ],
  [['a'], ['a', 'another turn', 'read']],
])(
  '[design 9] reading the records of %j yields to the event loop when a part took long',
  async (names, expected) => {
    const events: string[] = []
    const run = (part: string) => () => ({
      records() {
        events.push(part)
        clock.suspend(10)
        return { pbs: new Map() }
      },
    })
    const { runner, clock } = given(names.map((name) => ({ name, run: run(name) })))
    runner.enable()
    setImmediate(() => void events.push('another turn'))
    await runner.records((one: Run) => one.records?.())
    events.push('read')
    expect(events).toEqual(expected)
  },
)
