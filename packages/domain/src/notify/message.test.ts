import { anAlert } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { toMessage } from './message.ts'

const at = '2026-01-01T12:10:00.000Z'
const alert = anAlert({
  startTime: '2026-01-01T12:00:00.000Z',
  type: 'cpu',
  resourceName: 'vm-100',
  message: 'CPU of vm-100 is at 95% (threshold 80%)',
})
const ended = (...ends: Partial<typeof alert>[]) =>
  toMessage({
    eventId: 'e',
    kind: 'resolved',
    at,
    alerts: ends.map((end) => ({ alert: { ...alert, ...end }, resolvedAt: at })),
  })

test('only what ended by its condition is called resolved', () => {
  expect(ended({ endReason: 'condition' })).toMatchObject({
    title: 'Resolved: CPU on vm-100',
    text: 'Resolved after 10m: CPU of vm-100 is at 95% (threshold 80%)',
  })
  expect(ended({ endReason: 'unwatched', endNote: 'Its threshold is now 99.' })).toMatchObject({
    title: 'No longer watched: CPU on vm-100',
    text: 'No longer watched after 10m (Its threshold is now 99.): CPU of vm-100 is at 95% (threshold 80%)',
  })
  expect(ended({ endReason: 'gone' }).title).toBe('No longer there: CPU on vm-100')
  expect(ended({ endReason: 'cleared' }).title).toBe('Cleared: CPU on vm-100')
})

test('of several that ended each says how', () => {
  expect(ended({ endReason: 'condition' }, { endReason: 'condition' }).title).toBe('2 alerts resolved')
  const { title, others } = ended({ endReason: 'condition' }, { endReason: 'unwatched' })
  expect(title).toBe('2 alerts ended')
  expect(others[0]).toContain('no longer watched after 10m')
})
