import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

const shape = (text: string) => createMask().text(text)

test.each([
  ['10.20.30.40', /^192\.0\.2\.\d+$/],
  ['10.20.30.40:8006', /^192\.0\.2\.\d+:8006$/],
  ['10.20.30.40/24', /^192\.0\.2\.\d+\/24$/],
  ['fd00:1::5', /^2001:db8::[0-9a-f:]+$/],
  ['fe80::be24:11ff:fe3a:1%eth0', /^2001:db8::[0-9a-f:]+$/],
  ['bc:24:11:3a:00:01', /^02:00:00:[0-9a-f:]{8}$/],
  ['BC-24-11-3A-00-01', /^02:00:00:[0-9a-f:]{8}$/],
  ['pve1.corp.lan', /^host-[0-9a-f]{6}\.example$/],
  ['https://pve1.corp.lan:8006', /^https:\/\/host-[0-9a-f]{6}\.example:8006$/],
  ['https://proxmox:8006', /^https:\/\/host-[0-9a-f]{6}\.example:8006$/],
  ['https://me:secret@pve1.corp.lan/a?b=10.1.1.1', /^https:\/\/host-[0-9a-f]{6}\.example\/$/],
  ['https://[fd00:1::5]:8006/x', /^https:\/\/\[2001:db8::[0-9a-f:]+\]:8006\/x$/],
  ['connect ECONNREFUSED 10.20.30.40:8006', /^connect ECONNREFUSED 192\.0\.2\.\d+:8006$/],
  ['backup@corp.lan', /^backup@host-[0-9a-f]{6}\.example$/],
  ['backup@corp.lan!pulse', /^backup@host-[0-9a-f]{6}\.example!token$/],
  ['backup@pbs!pulse', /^backup@pbs!token$/],
  ['UPID:pve1:0:0:0:vzdump:100:bob@corp.lan:', /^UPID:pve1:0:0:0:vzdump:100:bob@host-[0-9a-f]{6}\.example:$/],
  ['UPID:vault:0:0:0:0:syncjob:10.1.2.3\\x3amain:bob@pbs:', /:syncjob:192\.0\.2\.\d+\\x3amain:bob@pbs:$/],
  ['/mnt/pve/nas.corp.lan/dump', /^\/mnt\/pve\/host-[0-9a-f]{6}\.example\/dump$/],
  ['C:\\data\\nas.corp.lan', /^C:\\data\\host-[0-9a-f]{6}\.example$/],
  [`${'AB:'.repeat(31)}AB`, /^fingerprint-[0-9a-f]{8}$/],
])('%s becomes a stand-in', (text, expected) => {
  expect(shape(text)).toMatch(expected)
})

/** Texts that must be masked, inside other words. */
test.each([
  ['pve1.corp', 'vm.pve1.corp'],
  ['pve1.corp', 'sys.pve1.corp'],
  ['corp', 'user.corp.net'],
  ['corp', 'nas.corp.lan-backup'],
  ['corp', 'nas.corp.lan_nfs'],
  ['secret-site', 'pve1.secret-site.dc2'],
  ['k3', 'pve.k3s'],
  ['corp', `${'a.'.repeat(12)}corp.lan`],
  ['corp', 'mail.corp.lan.pxar.didx'],
  ['corp', 'nas:iso/pve1.corp.lan.iso'],
  ['corp', 'img.corp.iso'],
  ['corp', 'backup.tar.corp'],
  ['10.20.30.40', 'dump-10.20.30.40.tar.zst'],
  ['10.20.30.40', 'web_10.20.30.40'],
  ['10.20.30.40', 'vm10.20.30.40_old'],
  ['10.20.30.40', '\u0130stanbul 10.20.30.40'],
  ['corp', '\u0130stanbul at pve1.corp.lan'],
])('%s is not seen in %s', (hidden, text) => expect(shape(text)).not.toContain(hidden))

test('nor is a connection name beside a letter whose lower case is longer', () => {
  const mask = createMask()
  mask.learn('site 7: rack')
  expect(mask.text('\u0130 site 7: rack')).not.toContain('rack')
})

test.each([
  'VM.Config.CDROM',
  'Sys.PowerMgmt',
  'Datastore.AllocateSpace',
  'web-01',
  '8.4.1',
  '6.8.12-4-pve',
  '/dev/sda',
  'root@pam',
  '2026-01-01T10:00:00.000Z',
  'local-lvm:vm-100-disk-0',
  'local:backup/vzdump-qemu-100-2026_01_01-00_00_00.vma.zst',
  'nas:backup/vzdump-lxc-101-2026_01_01-00_00_00.tar.zst',
  'nas:100/vm-100-disk-0.qcow2',
  'local:iso/debian-12.5.0-amd64-netinst.iso',
  'proxmox-ve_8.2-1.iso',
  'drive-scsi0.img.fidx',
  'root.pxar.didx',
  'qemu-server.conf.blob',
  'catalog.pcat1.didx',
  'pmg-backup_2026_01_01_6953F1A0.tgz',
  '/etc/pve/storage.cfg: no such file',
  '',
])('%s tells no host and stays', (text) => expect(shape(text)).toBe(text))

test('an address has the same substitute everywhere; different ones mostly differ', () => {
  const mask = createMask()
  const [first, again, other] = ['10.1.1.1', 'at 10.1.1.1', 'fd00::1'].map(mask.text)
  expect(again).toBe(`at ${first}`)
  expect(other).not.toBe(first)
  expect(createMask().text('fd00::1')).not.toBe(other)
})

test('masking is idempotent', () => {
  const mask = createMask()
  const part = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.webUrl(), fc.emailAddress(), fc.string())
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
      const once = mask.text(parts.join(' '))
      expect(mask.text(once)).toBe(once)
    }),
  )
})

test('a connection named like a host is masked inside the ids made of its name', () => {
  const mask = createMask()
  mask.learn('PVE1.corp.lan')
  const { instance, id } = mask.deep({ instance: 'pve1.corp.lan', id: 'pve1.corp.lan-node1-100' })
  expect(instance).toMatch(/^host-[0-9a-f]{6}\.example$/)
  expect(id).toBe(`${instance}-node1-100`)
})

test('texts and keys at any depth are masked, and unchanged parts stay the same objects', () => {
  const mask = createMask()
  const plain = { name: 'web', list: [1, { status: 'running' }], none: null }
  expect(mask.deep(plain)).toBe(plain)
  const masked = mask.deep({ ...plain, 'a.corp.lan': { hosts: ['10.1.1.1'] } })
  expect(JSON.stringify(masked)).not.toMatch(/corp|10\.1/)
  expect(masked.list).toBe(plain.list)
})

test('labels set by tools keep their keys: pages group by them', () => {
  const { labels } = createMask().deep({
    labels: { 'com.docker.compose.project': 'shop', 'router.corp.lan': 'at 10.20.30.40' },
  })
  expect(labels).toMatchObject({ 'com.docker.compose.project': 'shop' })
  expect(JSON.stringify(labels)).not.toMatch(/corp|10\.20/)
})

test('with the same key, several processes have the same stand-ins; without one, no other process has them', () => {
  const key = randomBytes(32)
  const [one, other, alone] = [createMask(key), createMask(key), createMask()]
  for (const text of ['pve1.corp.lan', 'fd00:1::5', 'bc:24:11:3a:00:01']) {
    expect(other.text(text)).toBe(one.text(text))
    expect(alone.text(text)).not.toBe(one.text(text))
  }
  const id = 'host:cache.corp.lan'
  expect(other.id(id)).toBe(one.id(id))
  expect(alone.id(id)).not.toBe(one.id(id))
})
