import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { createAlertEngine } from './engine.ts'
import { settings } from './fixtures.ts'
import type { Condition } from './condition.ts'
import type { Judging, Rule, Subject } from './judging.ts'
import { subjects } from './rules/index.ts'

const GUESTS = 10_000

/** The real rules, with a count of evaluations per record kind. */
function counted() {
  const judged = new Map<string, number>()
  const count = (subject: Subject): Subject => ({
    ...subject,
    rules: subject.rules.map((rule, index): Rule<never> => ({
      ...rule,
      judge(record, on) {
        if (index === 0) judged.set(subject.kind, (judged.get(subject.kind) ?? 0) + 1)
        rule.judge(record, on)
      },
    })),
  })
  return { judged, subjects: subjects.map(count) }
}

test('the cost follows the patch: one of 10,000 guests changed', () => {
  const { judged, subjects: rules } = counted()
  const estate = createEstate()
  let monotonic = 0
  const moment = () => ({ now: monotonic, monotonic })
  const engine = createAlertEngine({
    tables: estate.tables,
    config: settings(),
    newId: () => 'e',
    moment: moment(),
    subjects: rules,
  })
  const guests = new Map(
    Array.from({ length: GUESTS }, (_, index) => [`main:${index}`, aGuest({ vmid: index, cpu: 0.3 })]),
  )
  const nodes = new Map([['main:pve1', aNode()]])
  const answered = () =>
    new Map([['main', { name: 'main', kind: 'pve', health: 'healthy', lastSeen: monotonic } as const]])
  engine.apply(estate.observe('main', { guests, nodes, sources: answered() }), moment())
  expect(judged.get('guests')).toBe(GUESTS)
  expect(engine.size).toEqual({ tracked: 0, due: 0, remembered: 0, kept: 0 })

  judged.clear()
  monotonic += 10_000
  const changed = new Map(guests).set('main:7', aGuest({ vmid: 7, cpu: 0.95 }))
  engine.apply(estate.observe('main', { guests: changed, sources: answered() }), moment())
  // Once for the change, and once more for the awaited answer.
  expect(judged.get('guests')).toBe(2)
  expect(engine.size.tracked).toBe(1)

  judged.clear()
  monotonic += 10_000
  engine.apply(estate.observe('main', { sources: answered() }), moment())
  expect(judged.get('guests')).toBe(1)
  expect(engine.active().size).toBe(1)

  judged.clear()
  engine.due({ now: monotonic + 3_600_000, monotonic: monotonic + 3_600_000 })
  expect(judged.get('guests')).toBeUndefined()
})

test('a bad figure causes no conditions for the good figures of its guest', () => {
  const said: string[] = []
  const listening = (on: Judging): Judging =>
    new Proxy(on, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'emit')
          return (condition: Condition) => (said.push(condition.type), target.emit(condition))
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  const estate = createEstate()
  let monotonic = 0
  const moment = () => ({ now: monotonic, monotonic })
  const engine = createAlertEngine({
    tables: estate.tables,
    config: settings(),
    newId: () => 'e',
    moment: moment(),
    subjects: subjects.map((subject) => ({
      ...subject,
      rules: subject.rules.map((rule) => ({
        ...rule,
        judge: (record: never, on: Judging) => rule.judge(record, listening(on)),
      })),
    })),
  })
  for (const cpu of [0.95, 0.96, 0.97]) {
    monotonic += 10_000
    engine.apply(estate.observe('main', { guests: new Map([['main:100', aGuest({ cpu })]]) }), moment())
  }
  expect(engine.active().size).toBe(1)
  said.length = 0
  monotonic += 10_000
  engine.apply(estate.observe('main', { guests: new Map([['main:100', aGuest({ cpu: 0.98 })]]) }), moment())
  // The powered-off rule emits for every change, because every answer reports whether the guest runs.
  expect(said).toEqual(['cpu', 'powered-off'])
  // A trace contains all conditions.
  expect(engine.explain('main:100', moment())?.map(({ type }) => type)).toContain('memory')
})
