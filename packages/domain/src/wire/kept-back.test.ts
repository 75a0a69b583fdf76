import { META_ID, type Meta, type SnapshotFrame } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { atOnce } from './in-steps.ts'
import { createWireWriter } from './write.ts'

const changeTo = (meta: Meta) => ({ meta: { put: new Map([[META_ID, meta]]), remove: new Set<string>() } })
const notices = [{ id: 'a', level: 'info' as const, message: 'Something' }]

test('fields of Pulse itself that no page reads are not in a snapshot', () => {
  const writer = createWireWriter('live', 'e', { meta: new Map([[META_ID, aMeta({ notices })]]) })
  const snapshot = JSON.parse(atOnce(writer.snapshot()).join('')) as SnapshotFrame
  expect(snapshot.state.meta).toEqual([{ notices }])
})

test('the call counts of a new cycle alone are no update', () => {
  const before = aMeta()
  const writer = createWireWriter('live', 'e', { meta: new Map([[META_ID, before]]) })
  const counted = {
    ...before,
    performance: { ...before.performance, totalApiCalls: 9, apiCallDuration: { 'pve /nodes': 0.2 } },
    stats: { ...before.stats, pollingCycles: 1 },
  }
  expect(atOnce(writer.advance(changeTo(counted)))).toBeUndefined()
  expect(atOnce(writer.advance(changeTo({ ...counted, notices })))?.set).toEqual({
    meta: { notices: { i: [0], v: [notices] } },
  })
})
