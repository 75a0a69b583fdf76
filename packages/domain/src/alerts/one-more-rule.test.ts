import type { Guest } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { createAlertEngine } from './engine.ts'
import { settings } from './fixtures.ts'
import type { Rule } from './judging.ts'
import { subjects } from './rules/index.ts'

/** A sample rule: guests should have a tag. Its type is in the catalogue. */
const untagged: Rule<Guest> = {
  name: 'guest-untagged',
  judge({ name, tags }, on) {
    if (tags && !on.isWatched) return
    on.emit({
      id: `untagged-${on.record}`,
      type: 'backup-failed',
      verdict: tags ? 'fine' : 'bad',
      level: 'warning',
      message: `${name} has no tags`,
    })
  },
}

test('a new rule is one object: its condition is evaluated, fires, is explained and resolves like all others', () => {
  const estate = createEstate()
  const moment = { now: 0, monotonic: 0 }
  const withRule = subjects.map((subject) =>
    subject.kind === 'guests' ? { ...subject, rules: [...subject.rules, untagged as never] } : subject,
  )
  const engine = createAlertEngine({
    tables: estate.tables,
    config: settings(),
    newId: () => 'e',
    moment,
    subjects: withRule,
  })
  const tell = (tags?: string) => {
    const guest = aGuest(tags === undefined ? {} : { tags })
    return engine.apply(estate.observe('main', { guests: new Map([['main:100', guest]]) }), moment)
  }
  const ID = 'untagged-main:100'
  expect(tell().map(({ what }) => what)).toEqual(['raised'])
  expect(engine.explain(ID, moment)).toMatchObject([{ type: 'backup-failed', state: 'active' }])
  expect(engine.snapshot(moment).alerts[0]).toMatchObject({ rule: 'guest-untagged', alert: { id: ID } })
  expect(tell('web').map(({ what }) => what)).toEqual(['resolved'])
})

test('a rule that throws does not stop the others, and its last alert stays', () => {
  const faults: unknown[] = []
  const estate = createEstate()
  let isBroken = false
  const moody: Rule<Guest> = {
    name: 'moody',
    judge(guest, on) {
      if (isBroken) throw new Error('broken')
      untagged.judge(guest, on)
    },
  }
  const engine = createAlertEngine({
    tables: estate.tables,
    config: settings(),
    newId: () => 'e',
    moment: { now: 0, monotonic: 0 },
    onFault: (error) => void faults.push(error),
    subjects: subjects.map((subject) =>
      subject.kind === 'guests' ? { ...subject, rules: [moody as never, ...subject.rules] } : subject,
    ),
  })
  const tell = (cpu: number, monotonic: number) =>
    engine.apply(estate.observe('main', { guests: new Map([['main:100', aGuest({ cpu })]]) }), {
      now: monotonic,
      monotonic,
    })
  tell(0.9, 0)
  isBroken = true
  tell(0.91, 10_000)
  expect([...engine.active().keys()].sort()).toEqual(['main:100-cpu', 'untagged-main:100'])
  expect(faults).toHaveLength(1)
})
