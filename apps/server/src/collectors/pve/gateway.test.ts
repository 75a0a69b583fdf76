import { expect, test } from 'vitest'
import { callName } from './gateway.ts'

test.each([
  ['/cluster/resources', 'cluster/resources'],
  ['/nodes/pve1/status', 'nodes/pve1/status'],
  ['/nodes/pve1/qemu/100/agent/network-get-interfaces', 'qemu/agent/network-get-interfaces'],
  ['/nodes/pve1/storage/local/content?content=backup', 'nodes/pve1/storage/local/content'],
])('%s is counted as %s', (path, name) => expect(callName(path)).toBe(name))

test('the logs of all tasks are counted under one name: there is a new one every night', () => {
  const path = (upid: string) => `/nodes/pve1/tasks/${encodeURIComponent(upid)}/log?limit=20000`
  const upids = [
    'UPID:pve1:0002D155:45D50E2C:697C0290:vzdump::root@pam:',
    'UPID:pve1:1:2:3:vzdump::root@pam:',
  ]
  expect(new Set(upids.map((upid) => callName(path(upid))))).toEqual(new Set(['tasks/log']))
})
