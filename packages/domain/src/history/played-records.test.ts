import { type AnyRecord, figures, type Figure, type MeasuredKind, metricsOfKind } from '@pulse/contract'
import { aDockerContainer, aGuest, aNode, aPbsServer, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { subjects } from '../alerts/rules/index.ts'
import { playedKind, playedRecord } from './played-records.ts'

const samples: Record<MeasuredKind, AnyRecord> = {
  guests: aGuest(),
  nodes: aNode(),
  pbs: aPbsServer(),
  storage: aStorage(),
  datastores: { server: 'pbs', name: 'main', status: 'available', source: 'backup' },
  dockerContainers: aDockerContainer(),
}
const kinds = Object.keys(metricsOfKind) as MeasuredKind[]

test.each(kinds.flatMap((kind) => metricsOfKind[kind].map((metric) => [kind, metric] as const)))(
  '[M 3.7] a played record of %s has the %s that was put in, and no other figure with a threshold',
  (kind, metric) => {
    const record = playedKind(kind).with[metric]!(playedRecord(kind, '', samples[kind])!, 0.5, 0)
    const all = figures[kind] as unknown as Record<string, Figure<AnyRecord>>
    const known = metricsOfKind[kind].filter((one) => all[one]!.read(record) !== undefined)
    expect(known).toEqual([metric])
    expect(all[metric]!.read(record)).toBe(0.5)
    expect(all[metric]!.isStale?.(record)).not.toBe(true)
  },
)

test('[M 3.7] every kind with thresholds has rules that judge it', () => {
  expect(kinds.filter((kind) => !subjects.some((subject) => subject.kind === kind))).toEqual([])
})

test('[M 3.7] a guest that reports its file systems has no history of their alerts', () => {
  const guest = aGuest({ disks: [{ total: 100, used: 50, free: 50, usage: 50 }] })
  expect(playedRecord('guests', 'disk', guest)).toBeUndefined()
  expect(playedRecord('guests', 'cpu', guest)).toBeDefined()
})
