import type { AlertConfig, AnyRecord, RecordKind, SourceState } from '@pulse/contract'
import { aGuest, aNode, aStorage } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { createAlertEngine } from './engine.ts'
import { dayMs, minuteMs, settings, T0 } from './fixtures.ts'
import type { Rule, Subject } from './judging.ts'
import { subjects } from './rules/index.ts'
import { recordsPerStep } from './settings-pass.ts'
import type { AlertChange } from './stored.ts'

const { guestDefaults } = settings()
const cpu = (trigger: number): Partial<AlertConfig> => ({
  guestDefaults: { ...guestDefaults, cpu: { trigger, clear: trigger - 5 } },
})
const atOnce = { guest: 0, node: 0, storage: 0, pbs: 0 }

/** An engine with steps that the test runs. */
function anEngine(judgeEach = () => {}, first = settings({ timeThresholds: atOnce })) {
  const estate = createEstate()
  let monotonic = 0
  let episodes = 0
  let config = first
  const said: AlertChange[] = []
  const moment = () => ({ now: T0 + monotonic, monotonic })
  const counted = (subject: Subject): Subject => ({
    ...subject,
    rules: subject.rules.map((rule, n): Rule<never> => {
      const judge: Rule<never>['judge'] = (record, on) => (n === 0 && judgeEach(), rule.judge(record, on))
      return { ...rule, judge }
    }),
  })
  const engine = createAlertEngine({
    tables: estate.tables,
    config,
    newId: () => `episode-${++episodes}`,
    moment: moment(),
    subjects: subjects.map(counted),
  })
  const hear = (changes: AlertChange[]) => void said.push(...changes)
  const step = (most = Infinity) => {
    for (let taken = 0; taken < most && engine.isBusy; taken++) hear(engine.step())
  }
  function tell(source: string, lists: { [K in RecordKind]?: ReadonlyMap<string, AnyRecord> }) {
    const health: SourceState = { name: source, kind: 'pve', health: 'healthy', lastSeen: moment().now }
    const records = { ...lists, sources: new Map([[source, health]]) } as never
    hear(engine.apply(estate.observe(source, records), moment()))
  }
  return {
    engine,
    said,
    step,
    tell,
    configure(change: Partial<AlertConfig>) {
      config = { ...config, ...change }
      engine.configure(config, moment())
    },
    wait: (ms: number) => void (monotonic += ms),
    /** Runs the queued steps before time passes. */
    pass(ms: number) {
      step()
      const until = monotonic + ms
      for (let next = engine.nextDue(); next !== undefined && next <= until; next = engine.nextDue()) {
        monotonic = Math.max(monotonic, next)
        hear(engine.due(moment()))
      }
      monotonic = until
    },
  }
}

const guests = (...loads: number[]) => ({
  guests: new Map(
    loads.map((load, vmid) => [`main:${vmid}`, aGuest({ vmid, id: `main-pve1-${vmid}`, cpu: load })]),
  ),
})
const eventsOf = ({ said }: Pick<ReturnType<typeof anEngine>, 'said'>) =>
  said.map(({ what, ending, stored: { alert } }) => `${what} ${alert.id} ${ending ?? ''}`.trim())

test('10,000 guests are evaluated by new settings in steps of 500 at most, each once', () => {
  let judged = 0
  const all = anEngine(() => judged++)
  all.tell('main', guests(...Array<number>(10_000).fill(0.85)))
  judged = 0
  const inAll = () => {
    all.configure(cpu(90))
    expect(judged).toBe(0)
    const steps: number[] = []
    while (all.engine.isBusy) {
      const before = judged
      all.step(1)
      steps.push(judged - before)
    }
    judged = 0
    return steps
  }
  const steps = inAll()
  expect(Math.max(...steps)).toBeLessThanOrEqual(recordsPerStep)
  const sources = 1
  expect(steps.reduce((sum, one) => sum + one, 0)).toBe(10_000 + sources)
  // conditions that had no room before are evaluated like all others
  expect(all.engine.active().size).toBe(0)
})

test('an alert that new settings end is switched off, also when its figure falls before its step', () => {
  const all = anEngine()
  all.tell('main', guests(...Array<number>(2 * recordsPerStep).fill(0.85)))
  const last = `main:${2 * recordsPerStep - 1}-cpu`
  expect(all.engine.active().has(last)).toBe(true)
  all.said.length = 0
  all.configure(cpu(90))
  all.step(1)
  all.tell('main', guests(...Array<number>(2 * recordsPerStep).fill(0.1)))
  all.step()
  expect(eventsOf(all)).toContain(`resolved ${last} off`)
  expect(new Set(all.said.map(({ ending }) => ending))).toEqual(new Set(['off']))
})

test('settings that are saved while others are still applied hold in the end', () => {
  const all = anEngine()
  all.tell('main', guests(0.85, ...Array<number>(recordsPerStep).fill(0.1), 0.75))
  all.configure(cpu(90))
  all.step(1)
  all.configure(cpu(70))
  all.step()
  const ids = [...all.engine.active().keys()].sort()
  expect(ids).toEqual([`main:${recordsPerStep + 1}-cpu`, 'main:0-cpu'].sort())
})

test('nothing falls due and no time is lost while settings are applied', () => {
  const all = anEngine()
  all.tell('main', guests(0.85, ...Array<number>(recordsPerStep).fill(0.1)))
  all.configure(cpu(90))
  expect(all.engine.nextDue()).toBeUndefined()
  expect(all.engine.due({ now: T0 + dayMs, monotonic: dayMs })).toEqual([])
  all.step()
  expect(all.engine.nextDue()).toBeDefined()
})

test('an error while settings are applied leaves nothing behind: later patches are evaluated normally', () => {
  let isFaulty = false
  const all = anEngine(() => {
    if (isFaulty) throw new Error('fault')
  })
  all.tell('main', { ...guests(0.1), nodes: new Map([['main:pve1', aNode({ status: 'online' })]]) })
  all.configure(cpu(90))
  all.tell('main', guests(0.2))
  all.step(1)
  isFaulty = true
  expect(() => all.step(1)).toThrow('fault')
  isFaulty = false
  expect(all.engine.isBusy).toBe(false)
  all.tell('main', guests(0.99))
  expect(all.engine.explain('main-pve1-0', { now: T0, monotonic: 0 })).toContainEqual(
    expect.objectContaining({ alertId: 'main:0-cpu', value: 99, state: 'active' }),
  )
})

test('alerts that end by settings are returned with the last step, also when a message is delivered in between', () => {
  const all = anEngine()
  all.tell('main', guests(...Array<number>(2 * recordsPerStep).fill(0.85)))
  const { episode } = all.said.at(-1)!.stored
  all.configure(cpu(90))
  all.step(2)
  const last = `main:${2 * recordsPerStep - 1}-cpu`
  const moment = { now: T0 + minuteMs, monotonic: minuteMs }
  const notice = { alertId: last, episode, at: moment.now, escalatedAfter: 0 }
  expect(all.engine.notified([notice], moment)).toEqual([])
  all.said.length = 0
  all.step()
  expect(eventsOf(all).filter((one) => one.startsWith('resolved'))).toHaveLength(2 * recordsPerStep)
})

const count = 4
type Do =
  | { do: 'tell'; loads: number[]; nodeOff: boolean; storageFull: boolean; without: number }
  | { do: 'configure'; change: Partial<AlertConfig> }
  | { do: 'pass'; ms: number }
  | { do: 'steps'; most: number }

const doing: fc.Arbitrary<Do> = fc.oneof(
  fc.record({
    do: fc.constant('tell' as const),
    loads: fc.array(fc.constantFrom(0.1, 0.72, 0.78, 0.85, 0.93, 0.99), {
      minLength: count,
      maxLength: count,
    }),
    nodeOff: fc.boolean(),
    storageFull: fc.boolean(),
    without: fc.nat(2 * count),
  }),
  fc.record({
    do: fc.constant('configure' as const),
    change: fc.constantFrom<Partial<AlertConfig>>(
      cpu(70),
      cpu(80),
      cpu(95),
      cpu(0),
      { disableAllGuests: true },
      { disableAllGuests: false },
      { enabled: false },
      { enabled: true },
      { disableAllNodesOffline: true },
      { disableAllNodesOffline: false },
      { overrides: { 'guest:main:1': { disabled: true } } },
      { overrides: {} },
      { storageDefault: { trigger: 97, clear: 95 } },
      { storageDefault: { trigger: 50, clear: 45 } },
      { timeThresholds: atOnce },
      { timeThresholds: { guest: 5, node: 5, storage: 5, pbs: 5 } },
    ),
  }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(10_000, minuteMs, 6 * minuteMs) }),
  fc.record({ do: fc.constant('steps' as const), most: fc.nat(4) }),
)

function run(all: ReturnType<typeof anEngine>, one: Do, inSteps: boolean) {
  if (one.do === 'configure') {
    all.configure(one.change)
    if (!inSteps) all.step()
  } else if (one.do === 'pass') all.pass(one.ms)
  else if (one.do === 'steps') {
    if (inSteps) all.step(one.most)
  } else {
    all.wait(200)
    const { guests: those } = guests(...one.loads)
    those.delete(`main:${one.without}`)
    // enough more records for a settings pass of several steps
    for (let n = 0; n < 2 * recordsPerStep; n++) those.set(`main:calm-${n}`, calm[n]!)
    all.tell('main', {
      guests: new Map([...those].toReversed()),
      nodes: new Map([['main:pve1', aNode({ status: one.nodeOff ? 'offline' : 'online' })]]),
      storage: new Map([['main:pve1:local', aStorage({ usage: one.storageFull ? 96 : 40 })]]),
    })
  }
}
const calm = Array.from({ length: 2 * recordsPerStep }, (_, n) => aGuest({ vmid: 1_000 + n, cpu: 0.1 }))

test('settings in steps with patches between end as settings at once and then the patches: same alerts, reasons and messages', () => {
  fc.assert(
    fc.property(fc.array(doing, { minLength: 5, maxLength: 25 }), (history) => {
      const [whole, stepped] = [anEngine(), anEngine()]
      for (const one of history) {
        run(whole, one, false)
        run(stepped, one, true)
      }
      stepped.step()
      const facts = ({ engine, said }: typeof whole) => ({
        said: said.map(({ stored: { steps: _, ...stored }, ...change }) => ({ ...change, stored })),
        active: [...engine.active().entries()],
        resolved: [...engine.recentlyResolved().entries()],
        size: engine.size,
        due: engine.nextDue(),
      })
      expect(facts(stepped)).toEqual(facts(whole))
    }),
    { numRuns: 60 * Number(process.env['PULSE_TEST_SCALE'] ?? 1) },
  )
})
