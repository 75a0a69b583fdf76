import { expect, test } from 'vitest'
import { type Channel, changedChannels } from './channel.ts'

const channel = (id: string, revision: unknown): Channel => ({
  info: { id, kind: 'webhook', name: id, enabled: true, capacity: { firing: 1, resolved: 1 } },
  service: 'generic',
  address: '',
  retryPolicy: { quickRetries: 0, firstPauseMs: 0 },
  revision,
  send: () => Promise.reject(new Error('nothing is sent here')),
})
const before = [channel('a', 1), channel('b', 1)]

test('a channel with other settings has changed; a new one has nothing to retry', () => {
  const now = [channel('a', 1), channel('b', 2), channel('c', 1)]
  expect(changedChannels(before, now, { areHostsChanged: false })).toEqual(['b'])
})

test('[R1] after a change of the allowed hosts, every channel retries its messages', () => {
  expect(changedChannels(before, before, { areHostsChanged: true })).toEqual(['a', 'b'])
  expect(changedChannels(before, before, { areHostsChanged: false })).toEqual([])
})
