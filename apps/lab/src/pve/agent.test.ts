import { expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'
import { filesystemKinds } from './filesystems.ts'

interface Filesystem {
  mountpoint: string
  type: string
  'total-bytes'?: number | string
  disk: unknown[]
}

const filesystems = (data: unknown) => (data as { result: Filesystem[] }).result

test.each([
  { vmid: 104, when: 'there is none', text: 'No QEMU guest agent configured' },
  { vmid: 107, when: 'it is disabled', text: 'No QEMU guest agent configured' },
  { vmid: 134, when: 'the VM is stopped', text: 'VM 134 is not running' },
  { vmid: 110, when: 'the agent does not answer', text: 'QEMU guest agent is not running' },
  { vmid: 119, when: 'the VM is paused', text: 'QEMU guest agent is not running' },
  { vmid: 112, when: 'it hangs', text: "VM 112 qga command 'guest-get-fsinfo' failed - got timeout" },
])('500 when $when', async ({ vmid, text }) => {
  const { ask, guestPath } = await aLab()
  expect(await ask(`${guestPath(vmid)}/agent/get-fsinfo`)).toMatchObject({ status: 500, text })
})

test.each([
  { vmid: 110, options: { giveUpMs: 90 } },
  { vmid: 112, options: { agentHangMs: 90 } },
])('an agent without an answer costs its wait (VM $vmid)', async ({ vmid, options }) => {
  const { ask, guestPath } = await aLab(options)
  const began = performance.now()
  await ask(`${guestPath(vmid)}/agent/get-fsinfo`)
  expect(performance.now() - began).toBeGreaterThan(85)
})

test('every kind of filesystems can be set', async () => {
  const { lab, ask, guestPath } = await aLab()
  const found: Record<string, Filesystem[]> = {}
  for (const kind of filesystemKinds.filter((one) => one !== 'unsupported')) {
    lab.control.patchGuest(100, { filesystems: kind })
    found[kind] = filesystems((await ask(`${guestPath(100)}/agent/get-fsinfo`)).data)
  }
  const types = (kind: string) => found[kind]!.map(({ type }) => type)
  expect(found.empty).toEqual([])
  expect(found.windows!.map(({ mountpoint }) => mountpoint)).toContain('C:\\')
  expect(types('snaps-and-overlays')).toEqual(expect.arrayContaining(['squashfs', 'overlay', 'ext4']))
  expect(types('live-iso')).toEqual(['squashfs', 'iso9660', 'overlay', 'tmpfs'])
  expect(found['old-agent']!.every((entry) => entry['total-bytes'] === undefined)).toBe(true)
  expect(typeof found.freebsd![0]!['total-bytes']).toBe('string')
  expect(types('home-assistant')).toContain('erofs')
  expect(found.duplicates!.length).toBeGreaterThan(
    new Set(found.duplicates!.map((entry) => JSON.stringify(entry.disk))).size,
  )
  expect(found['sizes-only']![0]).not.toHaveProperty('used-bytes')
  expect(types('network-mounts')).toEqual(expect.arrayContaining(['nfs4', 'cifs']))
})

test("the agent of FreeBSD's ports: its kernel, addresses without counters, no file systems", async () => {
  const { lab, ask, guestPath } = await aLab()
  lab.control.patchGuest(118, { filesystems: 'unsupported' })
  const agent = (name: string) => ask(`${guestPath(118)}/agent/${name}`)
  expect(await agent('get-fsinfo')).toMatchObject({
    status: 500,
    text: 'Agent error: this feature or command is not currently supported',
  })
  expect((await agent('get-osinfo')).data).toEqual({
    result: {
      'kernel-release': '14.2-RELEASE-p3',
      'kernel-version': 'FreeBSD 14.2-RELEASE-p3 GENERIC',
      machine: 'amd64',
    },
  })
  const { result } = (await agent('network-get-interfaces')).data as { result: { name: string }[] }
  expect(result.map(({ name }) => name)).toEqual(['lo0', 'vtnet0'])
  expect(result[1]).not.toHaveProperty('statistics')
})

test('the disk inside a VM can be set, which PVE itself does not know', async () => {
  const { lab, ask, guestPath } = await aLab()
  lab.control.patchGuest(100, { diskUsed: 5_000_000_000 })
  const [root] = filesystems((await ask(`${guestPath(100)}/agent/get-fsinfo`)).data)
  expect(root).toMatchObject({ mountpoint: '/', 'used-bytes': 5_000_000_000 })
  expect((await ask(`${guestPath(100)}/status/current`)).data).toMatchObject({ disk: 0 })
})

test('page cache can be set, and the control reads the current value at once', async () => {
  const { lab, ask, guestPath } = await aLab()
  lab.control.patchGuest(100, { memUsed: 1_500_000_000, memCached: 1_000_000_000 })
  const { content } = (await ask(`${guestPath(100)}/agent/file-read?file=/proc/meminfo`)).data as {
    content: string
  }
  const { hypervisorBytes, totalBytes, freeBytes, availableBytes } = lab.control.guestMemory(100)
  expect(hypervisorBytes).toBe(1_500_000_000)
  expect(freeBytes).toBe(totalBytes - hypervisorBytes)
  expect(availableBytes).toBe(freeBytes + 900_000_000)
  expect(content).toMatch(new RegExp(`MemAvailable: +${Math.floor(availableBytes / 1024)} kB`))
})

test('memory figures inside and outside a VM match', async () => {
  const { ask, guestPath } = await aLab()
  const { data } = await ask(`${guestPath(100)}/status/current`)
  const { mem, freemem, ballooninfo } = data as {
    mem: number
    freemem: number
    ballooninfo: { total_mem: number }
  }
  expect(mem + freemem).toBe(ballooninfo.total_mem)
  const file = (await ask(`${guestPath(100)}/agent/file-read?file=/proc/meminfo`)).data as { content: string }
  const totalKib = Number(/MemTotal:\s+(\d+) kB/.exec(file.content)![1])
  expect(totalKib).toBe(Math.floor(ballooninfo.total_mem / 1024))
  expect((await ask(`${guestPath(100)}/agent/file-read?file=/etc/shadow`)).status).toBe(500)
  expect((await ask(`${guestPath(100)}/agent/file-read`)).status).toBe(400)
})

test('the agent of a guest has its name, its system and its addresses', async () => {
  const { ask, guestPath } = await aLab()
  const result = async (name: string) =>
    ((await ask(`${guestPath(106)}/agent/${name}`)).data as { result: unknown }).result
  expect(await result('get-host-name')).toEqual({ 'host-name': 'win-dc01' })
  expect(await result('get-osinfo')).toMatchObject({
    id: 'mswindows',
    'pretty-name': 'Windows Server 2022 Datacenter',
  })
  expect(await result('network-get-interfaces')).toContainEqual(expect.objectContaining({ name: 'Ethernet' }))
  expect(await result('info')).toMatchObject({
    supported_commands: expect.arrayContaining([expect.objectContaining({ enabled: true })]) as unknown,
  })
})
