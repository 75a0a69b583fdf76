import { expect, test } from 'vitest'
import { tokenHeader } from '../fixtures-asking.ts'
import { aLab, guestsIn } from '../fixtures.ts'

const namesOf = (data: unknown, key: string): string[] => [
  ...new Set((data as Record<string, string>[]).map((entry) => entry[key]!)),
]

test('without rights lists are empty, nodes are bare, and everything else is 403', async () => {
  const { lab, ask } = await aLab()
  const headers = tokenHeader(lab.credentials.powerless)
  const resources = (await ask('/cluster/resources', { headers })).data as Record<string, unknown>[]
  expect(namesOf(resources, 'type').sort()).toEqual(['network', 'node'])
  expect(resources[0]).not.toHaveProperty('cpu')
  expect((await ask('/nodes', { headers })).data).toContainEqual(
    expect.not.objectContaining({ mem: expect.anything() }),
  )
  for (const path of [
    '/storage',
    '/nodes/pve1/storage',
    '/nodes/pve1/qemu',
    '/nodes/pve1/lxc',
    '/nodes/pve1/tasks',
  ]) {
    expect({ path, data: (await ask(path, { headers })).data }).toEqual({ path, data: [] })
  }
  expect(await ask('/nodes/pve1/status', { headers })).toMatchObject({
    status: 403,
    text: 'Permission check failed (/nodes/pve1, Sys.Audit)',
  })
  expect(await ask('/cluster/status', { headers })).toMatchObject({
    text: 'Permission check failed (/, Sys.Audit)',
  })
  expect((await ask('/access/permissions', { headers })).data).toEqual({})
})

test.each([
  { version: '8', text: 'Permission check failed (/vms/100, VM.Monitor)' },
  { version: '9', text: 'Permission check failed (/vms/100, VM.GuestAgent.Audit)' },
] as const)(
  'PVE $version: reading from a guest agent needs a privilege of its own',
  async ({ version, text }) => {
    const { lab, ask, guestPath } = await aLab({ version })
    const path = `${guestPath(100)}/agent/get-fsinfo`
    expect((await ask(path)).status).toBe(200)
    expect(await ask(path, { headers: tokenHeader(lab.credentials.auditor) })).toMatchObject({
      status: 403,
      text,
    })
  },
)

test('an auditor sees storages, images excepted and backups too', async () => {
  const { lab, ask } = await aLab()
  const path = '/nodes/pve1/storage/pbs-main/content?content=backup'
  const headers = tokenHeader(lab.credentials.auditor)
  expect((await ask('/storage', { headers })).data).not.toEqual([])
  expect(await ask(path, { headers })).toMatchObject({ status: 200, data: [] })
  expect(((await ask(path)).data as unknown[]).length).toBeGreaterThan(20)
})

test('a separated token may do what both user and token may', async () => {
  const { lab, ask } = await aLab()
  const headers = tokenHeader(lab.credentials.separated)
  const permissions = (await ask('/access/permissions', { headers })).data as Record<string, object>
  expect(Object.keys(permissions)).toEqual(['/vms'])
  const resources = await ask('/cluster/resources', { headers })
  expect(guestsIn(resources).size).toBe(75)
  expect(namesOf(resources.data, 'type')).not.toContain('storage')
  expect((await ask('/nodes/pve1/status', { headers })).status).toBe(403)
})

test('a cached answer is never served to a token with other rights', async () => {
  const { lab, ask } = await aLab({ loadPeriodMs: 3_600_000 })
  const sizes: number[] = []
  for (const token of [
    lab.credentials,
    lab.credentials.powerless,
    lab.credentials.separated,
    lab.credentials,
  ]) {
    sizes.push(((await ask('/cluster/resources', { headers: tokenHeader(token) })).data as unknown[]).length)
  }
  expect(sizes[0]).toBe(sizes[3])
  expect(new Set(sizes).size).toBe(3)
})

test('privileges of a token can be revoked and granted again', async () => {
  const { lab, ask } = await aLab()
  const { tokenId } = lab.credentials
  lab.control.patchToken(tokenId, { drop: ['VM.Audit'] })
  expect(guestsIn(await ask('/cluster/resources')).size).toBe(0)
  lab.control.patchToken(tokenId, { drop: ['*'] })
  expect((await ask('/nodes/pve1/status')).status).toBe(403)
  lab.control.patchToken(tokenId, { drop: [], enabled: false })
  expect((await ask('/version')).status).toBe(401)
  lab.control.patchToken(tokenId, { enabled: true })
  expect(guestsIn(await ask('/cluster/resources')).size).toBe(75)
})

test('permissions of other users need audit rights on /access', async () => {
  const { lab, ask } = await aLab({ nodes: 1, guests: 1 })
  const path = `/access/permissions?userid=${encodeURIComponent('root@pam')}&path=/vms`
  const root = (await ask(path)).data as Record<string, Record<string, number>>
  expect(root['/vms']).toMatchObject({ 'VM.Allocate': 1 })
  expect((await ask(path, { headers: tokenHeader(lab.credentials.powerless) })).status).toBe(403)
})

test('a privilege can be revoked at a path, and the permissions show that', async () => {
  const { lab, ask } = await aLab()
  const { tokenId } = lab.credentials
  const rights = ['Datastore.Audit', 'Datastore.AllocateSpace']
  lab.control.patchToken(tokenId, { drop: rights.map((one) => `${one}@/storage/pbs-main`) })
  const names = namesOf((await ask('/storage')).data, 'storage')
  expect(names).toContain('local')
  expect(names).not.toContain('pbs-main')
  const permissions = (await ask('/access/permissions')).data as Record<string, Record<string, 1>>
  expect(permissions['/storage']).toHaveProperty(['Datastore.Audit'])
  expect(permissions['/storage/pbs-main']).not.toHaveProperty(['Datastore.Audit'])
})
