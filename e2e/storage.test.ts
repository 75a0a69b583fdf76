import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'
import { connectWithDisks, diskColumns, firstMs, storagePage } from './storage-page.ts'

const GiB = 1024 ** 3
/** The server polls Ceph and single disks only every few minutes. */
const slowMs = 200_000
journeys(
  'the storage page',
  (given) => {
    test('[spec 1 §2] each figure is that of the cluster: storages, ZFS, Ceph and disks', async () => {
      const { page } = await given.open({ path: '/storage', width: 1440, height: 1_600 })
      const view = storagePage(page)

      await expectText(view.pool('pve1', 'local'), firstMs).toContain('50.0%')
      expect(new URL(page.url()).pathname).toBe('/proxmox/storage')
      expect(await view.figures(view.pool('pve1', 'local'))).toEqual({
        Storage: 'local',
        Type: 'dir',
        Content: 'backup, import, iso, vztmpl',
        Status: 'available',
        Usage: '50.0%',
        Free: '47 GB',
        Total: '94 GB',
        'Full in': '—',
        Shared: 'No',
      })
      await expectText(view.pool('', 'nas-vm')).toContain('90.0%')
      expect(await view.figures(view.pool('', 'nas-vm'))).toMatchObject({
        Type: 'nfs',
        Usage: '90.0%',
        Free: '1.6 TB',
        Total: '16 TB',
        Shared: '3 nodes',
      })
      await expectText(view.pool('pve3', 'scratch')).toContain('inactive')
      await expectText(view.pool('', 'nas-backup'), firstMs).toContain('Inactive on pve3')
      expect((await view.figures(view.pool('', 'nas-backup')))['Status']).toBe('available')

      // The pool below a storage, with the faulty device.
      await expectText(view.note('pve3', 'local-zfs'), firstMs).toContain('too many errors')
      const note = await view.note('pve3', 'local-zfs').innerText()
      for (const text of ['rpool', 'DEGRADED', 'ERRORS', 'Errors: 3 read, 118 write, 0 checksum', 'FAULTED'])
        expect(note).toContain(text)
      expect(await view.note('pve1', 'local-zfs').count()).toBe(0)

      // A storage on Ceph opens the Ceph pool.
      await expectText(view.pool('', 'ceph-vm'), slowMs).toContain('HEALTH_WARN')
      await view.pool('', 'ceph-vm').click()
      await expectText(view.details, slowMs).toContain('.mgr')
      const ceph = await view.details.innerText()
      for (const text of ['HEALTH_WARN', '3 nearfull osd(s)', '6/6', '(86.0%)']) expect(ceph).toContain(text)
      await examine(page, 'storage-light-1440')

      await view.openDisks()
      await expectText(view.disk('/dev/nvme0n1').first()).toContain('FAILED')
      const [failed] = await view.disk('/dev/nvme0n1').filter({ hasText: 'pve1' }).all()
      expect(await view.figures(failed!, diskColumns)).toMatchObject({
        Node: 'pve1',
        Device: '/dev/nvme0n1',
        Model: 'SAMSUNG MZQL21T9HCJR-00A07',
        Type: 'NVME',
        FS: 'ZFS',
        Health: 'FAILED',
        'SSD Life': '61.0%',
        Size: '1.7 TB',
      })
      await view.search('disks').fill('pve1 nvme1n1')
      await expectText(view.disk('/dev/nvme1n1')).toContain('LOW LIFE')
      expect(await view.disks.locator('[data-row]').count()).toBe(1)
      await page.keyboard.press('Escape')
      await expectText(failed!, slowMs).toContain('74°C')
      await examine(page, 'disks-light-1440')

      await view.node('pve2').click()
      const counts = await view.node('pve2').getByRole('gridcell').allInnerTexts()
      expect(await view.disks.locator('[data-row]').count()).toBe(Number(counts.at(-1)))
      await page.getByRole('tab', { name: 'Storage Pools' }).click()
      expect(await view.pools.locator('[data-row^="pool:"]').count()).toBe(Number(counts.at(-2)))
    })

    test.each(screens)(
      '[design 10] $title: no sideways scrolling, and nothing keeps people out',
      async (screen) => {
        const { page } = await given.open({ path: '/proxmox/storage', ...screen })
        const view = storagePage(page)
        await expectText(view.pool('', 'nas-vm'), firstMs).toContain('90.0%')
        await expectNoSideways(page)
        await examine(page, `storage-${screen.title}`)
        await view.openDisks()
        await view.disk('/dev/nvme0n1').first().waitFor()
        await expectNoSideways(page)
        await examine(page, `disks-${screen.title}`)
      },
    )

    test('a node that is off leaves its storages in grey, with what they held', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/proxmox/storage', height: 1_600 })
      const view = storagePage(page)
      await expectText(view.pool('pve1', 'local'), firstMs).toContain('50.0%')
      await lab.control.patchNode('pve1', { online: false })
      await expectText(view.pool('pve1', 'local'), firstMs).toContain('unknown')
      expect(await view.figures(view.pool('pve1', 'local'))).toMatchObject({ Usage: '50.0%', Free: '47 GB' })
      const dimmed = view.pool('pve1', 'local').locator('[data-dimmed]').first()
      expect(await dimmed.getAttribute('data-dimmed')).toBe('true')
      await lab.control.patchNode('pve1', { online: true })
      await expectText(view.pool('pve1', 'local'), firstMs).toContain('available')
    })
  },
  {
    lab: { nodes: 3, guests: 6, ceph: true },
    connected: false,
    async prepare(estate) {
      const { control } = estate.lab
      control.patchStorage('local', { node: 'pve1', used: 47 * GiB, total: 94 * GiB })
      control.patchStorage('nas-vm', { used: Math.floor(0.9 * 16 * 1024 * GiB), total: 16 * 1024 * GiB })
      await control.play('storage-inactive')
      await control.play('failing-disk')
      await control.play('ceph-warning')
      const faulted = { state: 'FAULTED', read: 3, write: 118, cksum: 0, msg: 'too many errors' }
      await control.patchNode('pve3', {
        pools: { rpool: { health: 'DEGRADED', devices: { nvme1n1: faulted } } },
      })
      await connectWithDisks(estate)
    },
  },
)
